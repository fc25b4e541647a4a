/// Where people meet over one score.
public struct Room: Hashable, Sendable, Identifiable {
    public typealias ID = ObjectID<Room>

    public let id: ID
    public let score: Score.ID
    public internal(set) var name: String
    /// Never leaves the server; nil where nobody needs a passkey.
    public internal(set) var passkeyHash: String?
    public internal(set) var owner: User.ID
    /// False while it is being prepared: then only the owner sees it.
    public internal(set) var isPublished: Bool

    /// - Throws: ``RehearsalFault`` where the name is empty, too long or no line.
    public init(
        id: ID, score: Score.ID, name: String, passkeyHash: String?, owner: User.ID, isPublished: Bool = false
    ) throws(RehearsalFault) {
        self.id = id
        self.score = score
        self.name = try RoomLimits.name(name, of: .room)
        self.passkeyHash = passkeyHash
        self.owner = owner
        self.isPublished = isPublished
    }

    /// The room as stands may know it.
    var withoutPasskey: Room {
        var room = self
        room.passkeyHash = nil
        return room
    }
}

extension Room: Codable {
    private enum CodingKeys: CodingKey { case id, score, name, passkeyHash, owner, isPublished }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            id: fields.decode(ID.self, forKey: .id), score: fields.decode(Score.ID.self, forKey: .score),
            name: fields.decode(String.self, forKey: .name),
            passkeyHash: fields.decodeIfPresent(String.self, forKey: .passkeyHash),
            owner: fields.decode(User.ID.self, forKey: .owner),
            isPublished: fields.decode(Bool.self, forKey: .isPublished))
    }
}

/// What a member may do in a room.
public enum MemberRole: String, Hashable, Sendable, Codable, CaseIterable {
    /// There is exactly one.
    case owner
    /// Turns pages for all and pinpoints, as the owner allowed.
    case leader
    case member

    public var leads: Bool { self != .member }
}

/// How a user stands to a room.
public enum MemberStatus: String, Hashable, Sendable, Codable, CaseIterable {
    case joined
    /// Was put out by the owner, and comes back only when let in.
    case expelled
}

/// A user's role and status in a room; a user has one there.
public struct Membership: Hashable, Sendable, Codable, Identifiable, Listed {
    public typealias ID = ObjectID<Membership>

    public let id: ID
    public let user: User.ID
    public var name: String
    public internal(set) var role: MemberRole
    public internal(set) var status: MemberStatus

    public var key: User.ID { user }
}

/// One meeting in a room.
public struct Session: Hashable, Sendable, Codable, Identifiable {
    public typealias ID = ObjectID<Session>

    public let id: ID
    public let began: RoomTime
    public internal(set) var ended: RoomTime?
    /// What is played of each movement this time, by its index; where it ends or holds nil, what the score
    /// says.
    public let performances: [Performance?]

    public var isRunning: Bool { ended == nil }
}

/// A member's time in a session; whoever leaves and comes back has two.
public struct Participation: Hashable, Sendable, Codable, Identifiable, Listed {
    public typealias ID = ObjectID<Participation>

    public let id: ID
    public let session: Session.ID
    public let user: User.ID
    /// Index into ``Score/parts``.
    public internal(set) var part: Int
    public let entered: RoomTime
    public internal(set) var left: RoomTime?
}

/// What remarks are made on: one public layer a session, and one of each member's own.
public struct Layer: Hashable, Sendable, Codable, Identifiable, Listed {
    public typealias ID = ObjectID<Layer>

    public let id: ID
    public let session: Session.ID
    /// Whose private layer it is; nil for the public one.
    public let user: User.ID?

    public var isPublic: Bool { user == nil }
}
