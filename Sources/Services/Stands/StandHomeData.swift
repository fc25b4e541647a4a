import Hosting
import Rehearsal

/// The data for the home page of a stand: the user, the user's scores and rooms, and the page to return to.
struct StandHomeData: Encodable {
    struct ListedUser: Encodable {
        var id: Rehearsal.User.ID
        package var name: String
        var role: String
    }

    struct HomePart: Encodable {
        package var name: String
        var pages: Int
    }

    struct HomeScore: Encodable {
        var id: Rehearsal.Score.ID
        var title: String
        var composer: String
        var lyricist: String
        var arranger: String
        var parts: [HomePart]
        var revision: String?

        init(_ score: Rehearsal.Score, revision: String?) {
            id = score.id
            title = score.title
            composer = score.composer
            lyricist = score.lyricist
            arranger = score.arranger
            parts = score.parts.map { HomePart(name: $0.name, pages: $0.pages.count) }
            self.revision = revision
        }
    }

    /// The user's lists of rooms, in the format of `RoomLists`.
    struct ListedRooms: Encodable {
        var owned: [RoomLists.Entry] = []
        var joined: [RoomLists.Entry] = []
        var notJoined: [RoomLists.Entry] = []
    }

    var user: ListedUser
    var scores: [HomeScore] = []
    var rooms = ListedRooms()
    @OrNull var whereabouts: StandResumePoint? = nil
    /// The live position in the room with the page to which the user returns; nil if there is none.
    @OrNull var live: LivePositionUpdate? = nil
    /// This server's time. Stands compare ``StandResumePoint/at`` with it.
    let now: CalendarTime

    init(_ person: RehearsalRoomUser, at now: CalendarTime) {
        self.now = now
        user = ListedUser(id: person.id, name: person.name, role: person.role)
    }

    mutating func addRoomEntry(_ listing: RoomHomeEntry) {
        rooms.owned += listing.roomLists?.owned ?? []
        rooms.joined += listing.roomLists?.joined ?? []
        rooms.notJoined += listing.roomLists?.notJoined ?? []
        guard let there = listing.resumePoint, whereabouts.map({ $0.since < there.since }) ?? true else {
            return
        }
        whereabouts = there
        live = listing.liveUpdate
    }

    /// Sorts rooms and scores by name.
    mutating func sortByName() {
        rooms.owned.sort(by: Self.isBefore)
        rooms.joined.sort(by: Self.isBefore)
        rooms.notJoined.sort(by: Self.isBefore)
        scores.sort { ($0.title.lowercased(), $0.id) < ($1.title.lowercased(), $1.id) }
    }

    private static func isBefore(_ one: RoomLists.Entry, _ other: RoomLists.Entry) -> Bool {
        (name(one), one.id) < (name(other), other.id)
    }

    private static func name(_ entry: RoomLists.Entry) -> String {
        entry.name.text.lowercased()
    }
}
