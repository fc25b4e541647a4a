/// A person who can sign in. The password hash is stored elsewhere.
public struct User: Hashable, Sendable, Identifiable {
    public typealias ID = ObjectID<User>

    public let id: ID
    public private(set) var name: String
    /// The address that the user signs in with.
    public private(set) var email: String

    public init(id: ID, name: String, email: String) throws(RehearsalFault) {
        self.id = id
        self.name = try RoomLimits.validatedName(name, of: .user)
        self.email = try RoomLimits.validatedName(email, of: .email)
    }
}

extension User: Codable {
    private enum CodingKeys: CodingKey { case id, name, email }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            id: fields.decode(ID.self, forKey: .id), name: fields.decode(String.self, forKey: .name),
            email: fields.decode(String.self, forKey: .email))
    }
}

/// A user's right to a score, given by a librarian.
public struct ScoreGrant: Hashable, Sendable, Codable, Identifiable {
    public typealias ID = ObjectID<ScoreGrant>

    public let id: ID
    public var user: User.ID
    public var score: Score.ID

    public init(id: ID, user: User.ID, score: Score.ID) {
        self.id = id
        self.user = user
        self.score = score
    }
}
