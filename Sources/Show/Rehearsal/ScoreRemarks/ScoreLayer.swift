/// A layer of a score's remarks: who wrote them, and whom they are for.
public struct ScoreLayer: Hashable, Sendable, Codable, Identifiable {
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// A user's own remarks, which nobody else sees. There is one for each user and score, and its id is the
        /// user's, so that devices without a network write on the same layer.
        case own
        /// A section's layer, such as the bowings of the first violins. All who have the score see it; its writers and
        /// the leaders of its parts write on it.
        case section
        /// A copy of somebody's remarks that its owner has taken, or imported from a file. Nobody else sees it.
        case given
        /// Remarks that the members of a room write for everybody in it. All who are in the room and have the score see it,
        /// with or without the room; all of them write on it, from its first session on.
        case everybody
    }

    public typealias ID = RemarkLayer.ID

    public let id: ID
    public let kind: Kind
    /// The user who alone sees the layer; for a layer of a section, the librarian or leader who made it.
    public private(set) var owner: User.ID
    public var name: String
    /// The parts that the layer is about, as indices into ``Score/parts``; empty for all parts.
    public var parts: [Int]
    /// The users who may write on a section's layer; empty for other layers.
    public var writers: [User.ID]
    /// The room whose members' layer it is; nil for other layers.
    public private(set) var room: RehearsalRoom.ID?
    /// That room's running or last session; nil before the first.
    public private(set) var session: RehearsalSession.ID?

    /// Creates a layer.
    /// - Throws: ``RehearsalFault`` for a name that is empty, too long or of several lines, and for too many parts or
    ///   writers.
    public init(
        id: ID, kind: Kind, owner: User.ID, name: String, parts: [Int] = [], writers: [User.ID] = []
    ) throws(RehearsalFault) {
        self.id = id
        self.kind = kind
        self.owner = owner
        self.name = try RoomLimits.validatedName(name, of: .layer)
        try Part.checkCount(parts.count, of: "parts", most: RoomLimits.mostParts)
        try Part.checkCount(writers.count, of: "writers", most: ScoreRemarkLimits.mostWriters)
        self.parts = Set(parts).sorted()
        self.writers = Set(writers).sorted()
    }

    private init(_ id: ID, _ kind: Kind, of owner: User.ID, name: String) {
        (self.id, self.kind, self.owner, self.name) = (id, kind, owner, name)
        (parts, writers) = ([], [])
    }

    /// The id of a user's own layer, which is the same in every score.
    public static func ownID(of user: User.ID) -> ID { ID(high: user.high, low: user.low) }

    /// A user's own layer of any score.
    public static func own(of user: User.ID) -> ScoreLayer {
        ScoreLayer(ownID(of: user), .own, of: user, name: "My remarks")
    }

    /// The layer of what members of a room write for everybody in it, the same in every score. It is in no table: a
    /// ``ScoreReader`` names those of the rooms that a user sees.
    public static func everybody(in room: RehearsalRoom, id: ID, session: RehearsalSession.ID?) -> ScoreLayer
    {
        var layer = ScoreLayer(id, .everybody, of: room.owner, name: room.name)
        (layer.room, layer.session) = (room.id, session)
        return layer
    }

    /// The same layer of another owner.
    public func owned(by owner: User.ID) -> ScoreLayer {
        var layer = self
        layer.owner = owner
        return layer
    }

    /// True if this user sees the layer, given that the user has the score and, for a room's layer, is in the room.
    public func isVisible(to user: User.ID) -> Bool {
        switch kind {
        case .section, .everybody: true
        case .own, .given: owner == user
        }
    }

    /// True if this user may add remarks to the layer, given that it is visible to the user.
    public func mayWrite(_ user: User.ID) -> Bool {
        switch kind {
        case .section: writers.contains(user)
        case .everybody: session != nil
        case .own, .given: owner == user
        }
    }

    /// The most standing remarks on the layer in a score.
    var mostRemarks: Int {
        kind == .everybody ? RoomLimits.mostRemarks : ScoreRemarkLimits.mostRemarksOnLayer
    }

    /// True if the layer is about this part.
    public func covers(part: Int) -> Bool { parts.isEmpty || parts.contains(part) }
}

/// A user who reads a score's remarks, or writes them.
public struct ScoreReader: Hashable, Sendable {
    public let user: User.ID
    /// The layers of the rooms that the user sees; see ``ScoreLayer/Kind/everybody``.
    public var roomLayers: [ScoreLayer]

    public init(_ user: User.ID, roomLayers: [ScoreLayer] = []) {
        self.user = user
        self.roomLayers = roomLayers
    }
}

/// The upper limits of the remarks of a score. Anything beyond them is refused with a sentence.
public enum ScoreRemarkLimits {
    /// The most standing remarks on one layer.
    public static let mostRemarksOnLayer = 8_000
    /// The most standing remarks of one author in a score, over all layers.
    public static let mostRemarksOfAuthor = 12_000
    public static let mostSectionLayers = 100
    /// Of these, the last ones that only librarians make.
    public static let reservedLayers = 20
    /// The most layers of sections that one leader makes in a score.
    public static let mostLayersOfLeader = 10
    /// The most users who lead a section of a score.
    public static let mostLeaders = 100
    /// The most layers that one user may have taken or imported in a score.
    public static let mostGivenLayers = 20
    public static let mostWriters = 200
    public static let mostBookmarks = 500
    /// The most Unicode scalars of a bookmark's name are ``RoomLimits/longestName``.
    /// The newest erased remarks of a layer are remembered, so that other devices learn of them.
    public static let mostErasedRemembered = 5_000
    /// The newest events of a user and a score whose ids are remembered, so that a late copy changes nothing.
    public static let rememberedEventIDs = 5_000
    /// The most remarks in a file or a set.
    public static let mostRemarksInSet = 5_000
    /// The most users to whom one set is given at a time.
    public static let mostRecipients = 200
    /// The most sets and requests that wait for one user's answer.
    public static let mostWaitingGifts = 50
    /// The most sets and requests of one user that are kept.
    public static let mostGiftsOfGiver = 100
}
