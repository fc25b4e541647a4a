import Hosting
import Rehearsal
import WebServer

/// Which stand: a device may be several users', one after the other.
struct StandKey: Hashable, Sendable {
    var user: Rehearsal.User.ID
    var stand: ObjectID<Stand>
}

/// One stand that is connected to a room.
struct Stand {
    /// Places of the stream of which only the newest counts.
    enum Slot {
        static let follow = 0
        static let live = 1
        static let beat = 2
        static let count = 3
    }

    var person: RoomPerson
    var member: ActingUser
    let stream: PersonalStream
    let openedAt: ContinuousClock.Instant
    /// It holds the room as of this event, and gets only later ones.
    var from: Int
    /// False for one that may not see the room: it waits until it may.
    var isInside: Bool
    var lying: Lying?

    /// What lies on it.
    struct Lying {
        var part: Int
        var turner: PageTurner
        /// Its page is what the hub or the player's hand has made it since it was laid out.
        var isTurned = false
    }
}

/// What a stand says lies on it, and how its player wants pages turned.
struct StandSetup: Hashable, Sendable, Codable {
    var part: Int
    var page: Int
    var settings: StandSettings
    /// The half of a double page that this stand shows; nil if it shows whole pages alone.
    var pair: StandPair?
}

/// Which half of a sheet a stand shows, where two stands of one player are one sheet.
enum StandPair: String, Hashable, Sendable, Codable {
    case left
    case right
}
