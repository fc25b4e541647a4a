/// A place where people rehearse together.
public struct RehearsalRoom: Hashable, Sendable, Identifiable {
    public typealias ID = ObjectID<RehearsalRoom>

    public let id: ID
    /// The score with which the room was made. ``RoomContent/programme`` says which scores it plays; whatever names no
    /// score belongs to this one.
    public let score: Score.ID
    public internal(set) var name: String
    /// The hash of the passkey, which never leaves the server; nil if no passkey is needed.
    public internal(set) var passkeyHash: String?
    public internal(set) var owner: User.ID
    /// False while the room is being prepared; then only its owner sees it.
    public internal(set) var isPublished: Bool

    /// Creates a room.
    /// - Throws: ``RehearsalFault`` if the name is empty, too long, or contains a line break.
    public init(
        id: ID, score: Score.ID, name: String, passkeyHash: String?, owner: User.ID, isPublished: Bool = false
    ) throws(RehearsalFault) {
        self.id = id
        self.score = score
        self.name = try RoomLimits.validatedName(name, of: .room)
        self.passkeyHash = passkeyHash
        self.owner = owner
        self.isPublished = isPublished
    }

    /// The room without the data that must not reach stands.
    var withoutPasskey: RehearsalRoom {
        var room = self
        room.passkeyHash = nil
        return room
    }
}

extension RehearsalRoom: Codable {
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

/// The rights of a member in a room.
public enum MemberRole: String, Hashable, Sendable, Codable, CaseIterable {
    /// The owner; there is exactly one.
    case owner
    /// A leader, appointed by the owner, who may turn pages for everybody, pinpoint places, and begin and end sessions.
    case leader
    case member

    public var mayLead: Bool { self != .member }
}

/// The status of a user in a room: a member, or removed.
public enum MemberStatus: String, Hashable, Sendable, Codable, CaseIterable {
    case joined
    /// The owner has removed the user, who may return only after being readmitted.
    case expelled
}

/// A user's role and status in a room; one per user and room.
public struct Membership: Hashable, Sendable, Codable, Identifiable, KeyedElement {
    public typealias ID = ObjectID<Membership>

    public let id: ID
    public let user: User.ID
    public var name: String
    public internal(set) var role: MemberRole
    public internal(set) var status: MemberStatus

    public var key: User.ID { user }
}

/// One meeting of a room's members.
public struct RehearsalSession: Hashable, Sendable, Codable, Identifiable {
    public typealias ID = ObjectID<RehearsalSession>

    public let id: ID
    public let began: CalendarTime
    public internal(set) var ended: CalendarTime?
    /// The performance of each movement in this session, by movement index. A nil, or a missing element, means the
    /// performance given in the score.
    public let performances: [PerformedPassages?]
    /// The score that was open when the session began, to which the performances belong; nil for the one with which the
    /// room was made.
    public var score: Score.ID?

    public var isRunning: Bool { ended == nil }
}

/// One stay of a member in a session; a member who leaves and returns has two of them.
public struct SessionParticipation: Hashable, Sendable, Codable, Identifiable, KeyedElement {
    public typealias ID = ObjectID<SessionParticipation>

    public let id: ID
    public let session: RehearsalSession.ID
    public let user: User.ID
    /// The part that the member plays, as an index into ``Score/parts``.
    public internal(set) var part: Int
    /// The score whose part it is; nil for the one with which the room was made. Another score of the programme is
    /// played from the part of the same name.
    public internal(set) var score: Score.ID?
    public let entered: CalendarTime
    public internal(set) var left: CalendarTime?
}

/// A layer for the public remarks of a session. Layers of older versions may be private.
public struct RemarkLayer: Hashable, Sendable, Codable, Identifiable, KeyedElement {
    public typealias ID = ObjectID<RemarkLayer>

    public let id: ID
    public let session: RehearsalSession.ID
    /// The owner of a private layer; nil for the public one.
    public let user: User.ID?
}
