import Hosting
import Rehearsal
import WebServer

/// Identifies a stand and its user; one device may be used by several people in turn.
struct StandKey: Hashable, Sendable {
    var user: Rehearsal.User.ID
    var stand: ObjectID<Stand>
}

/// A stand that is connected to a room.
struct Stand {
    /// Indices of the stream's slots. A slot keeps only its newest message.
    enum StreamSlot {
        static let page = 0
        static let liveUpdate = 1
        static let heartbeat = 2
        static let slotCount = 3
    }

    var person: RehearsalRoomUser
    var actingUser: ActingUser
    let stream: PersonalStream
    let openedAt: ContinuousClock.Instant
    /// Sequence number of the newest event that the stand held when it connected. Only later events are sent to it.
    var sequenceAtConnection: Int
    /// False for a stand that may not see the room. Its connection waits until it may.
    var isAdmitted: Bool
    /// False for a page from before there were programmes: it follows rooms of one score only.
    var knowsProgrammes = true
    var shownPart: ShownPart?

    /// The part that a stand shows.
    struct ShownPart {
        /// The score; nil for the one with which the room was made.
        var score: Rehearsal.Score.ID?
        var part: Int
        var pageTurner: PageTurner
        /// True if the server or the player has turned the page since the part was laid out.
        var hasBeenTurned = false
    }
}

/// The part and page that a stand shows, and its player's settings for page turns.
struct StandSetup: Hashable, Sendable, Codable {
    /// The score of the part; nil from stands of one score.
    var score: Rehearsal.Score.ID?
    var part: Int
    var page: Int
    var settings: StandSettings
    /// The half of a double page that this stand shows, if two stands form one sheet; nil if it shows whole pages.
    var pair: SheetHalf?
}

/// The half of a double page that a stand shows if two stands of one player form one sheet.
enum SheetHalf: String, Hashable, Sendable, Codable {
    case left
    case right
}
