/// The rooms that a user may see, in three lists: owned, joined, and not joined.
public struct RoomLists: Hashable, Sendable, Codable {
    /// A room as a list shows it.
    public struct Entry: Hashable, Sendable, Codable, Identifiable {
        public let id: RehearsalRoom.ID
        /// The score that is open.
        public let score: Score.ID
        public var name: MatchHighlightedName
        public var isPublished: Bool
        public var needsPasskey: Bool
        /// True if a session is running in the room.
        public var isRunning: Bool
        /// The number of scores in the programme; nil if it is one.
        public var pieces: Int?
        /// True for the evening's own room; see ``RoomProgramme/players``.
        public var isTonight: Bool
    }

    public let owned: [Entry]
    public let joined: [Entry]
    /// Published rooms for scores that the user has a right to.
    public let notJoined: [Entry]

    /// Sorts the rooms that a user may see into the three lists.
    /// - Complexity: O(rooms × members).
    public init(of user: User.ID, rooms: [RoomState], bundles: [ScoreGrant]) {
        let given = Set(bundles.lazy.filter { $0.user == user }.map(\.score))
        var owned: [Entry] = []
        var joined: [Entry] = []
        var notJoined: [Entry] = []
        let sorted = rooms.sorted {
            ($0.content.room.name.lowercased(), $0.content.room.id)
                < ($1.content.room.name.lowercased(), $1.content.room.id)
        }
        for state in sorted where !given.isDisjoint(with: state.content.programme.scores) {
            let room = state.content.room
            let entry = Entry(
                id: room.id, score: state.content.programme.openScore, name: MatchHighlightedName(room.name),
                isPublished: room.isPublished,
                needsPasskey: room.passkeyHash != nil, isRunning: state.content.session?.isRunning ?? false,
                pieces: state.content.programme.isSeveral ? state.content.programme.entries.count : nil,
                isTonight: state.content.programme.players != nil)
            if room.owner == user {
                owned.append(entry)
            } else if room.isPublished {
                switch state.content.membership(of: user)?.status {
                case .joined: joined.append(entry)
                case nil: notJoined.append(entry)
                case .expelled: break
                }
            }
        }
        self.owned = owned
        self.joined = joined
        self.notJoined = notJoined
    }
}

/// A name split into pieces that match a search or not, so that stands can highlight the matches. The server does not
/// search, and sends one piece.
public struct MatchHighlightedName: Hashable, Sendable, Codable {
    private struct TextFragment: Hashable, Sendable, Codable {
        var text: String
        var isMatch = false
    }

    private let pieces: [TextFragment]

    init(_ text: String) { pieces = text.isEmpty ? [] : [TextFragment(text: text)] }

    public var text: String { pieces.map(\.text).joined() }
}
