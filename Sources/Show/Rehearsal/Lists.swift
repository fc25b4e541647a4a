/// A user's scores in two lists: those on this device, and those that can be downloaded.
public struct ScoreLists: Hashable, Sendable, Codable {
    /// A score in a list, with its search matches marked.
    public struct Entry: Hashable, Sendable, Codable, Identifiable {
        public let id: Score.ID
        public var title: Highlighted
        public var composer: Highlighted
        public var lyricist: Highlighted
        public var arranger: Highlighted
    }

    public let downloadable: [Entry]
    public let downloaded: [Entry]

    /// - Parameters:
    ///   - scores: all scores; only those that the user has a right to are listed.
    ///   - keyword: searched in title, composer, lyricist and arranger.
    /// - Complexity: O(scores log scores + text).
    public init(
        of user: User.ID, scores: [Score], bundles: [Bundle], downloaded: Set<Score.ID>,
        keyword: Keyword = Keyword("")
    ) {
        let given = Set(bundles.lazy.filter { $0.user == user }.map(\.score))
        let entries = scores.filter { given.contains($0.id) }.sorted {
            ($0.title.lowercased(), $0.id) < ($1.title.lowercased(), $1.id)
        }.compactMap { score in
            keyword.find(in: [score.title, score.composer, score.lyricist, score.arranger]).map {
                Entry(id: score.id, title: $0[0], composer: $0[1], lyricist: $0[2], arranger: $0[3])
            }
        }
        downloadable = entries.filter { !downloaded.contains($0.id) }
        self.downloaded = entries.filter { downloaded.contains($0.id) }
    }
}

/// A user's rooms in three lists.
public struct RoomLists: Hashable, Sendable, Codable {
    /// A room in a list, with its search matches marked.
    public struct Entry: Hashable, Sendable, Codable, Identifiable {
        public let id: Room.ID
        public let score: Score.ID
        public var name: Highlighted
        public var isPublished: Bool
        public var needsPasskey: Bool
        /// True if a session is running.
        public var isRunning: Bool
    }

    public let owned: [Entry]
    public let joined: [Entry]
    /// Published rooms for scores that the user has a right to.
    public let notJoined: [Entry]

    /// - Parameter keyword: searched in the name.
    /// - Complexity: O(rooms × members).
    public init(
        of user: User.ID, rooms: [RoomState], bundles: [Bundle], keyword: Keyword = Keyword("")
    ) {
        let given = Set(bundles.lazy.filter { $0.user == user }.map(\.score))
        var owned: [Entry] = []
        var joined: [Entry] = []
        var notJoined: [Entry] = []
        let sorted = rooms.sorted {
            ($0.content.room.name.lowercased(), $0.content.room.id)
                < ($1.content.room.name.lowercased(), $1.content.room.id)
        }
        for state in sorted where given.contains(state.content.room.score) {
            let room = state.content.room
            guard let found = keyword.find(in: [room.name]) else { continue }
            let entry = Entry(
                id: room.id, score: room.score, name: found[0], isPublished: room.isPublished,
                needsPasskey: room.passkeyHash != nil, isRunning: state.content.session?.isRunning ?? false)
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
