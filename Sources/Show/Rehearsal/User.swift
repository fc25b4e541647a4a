/// A person who can sign in. The password hash is stored elsewhere.
public struct User: Hashable, Sendable, Identifiable {
    public typealias ID = ObjectID<User>

    public let id: ID
    public private(set) var name: String
    /// The address that the user signs in with.
    public private(set) var email: String

    public init(id: ID, name: String, email: String) throws(RehearsalFault) {
        self.id = id
        self.name = try RoomLimits.name(name, of: .user)
        self.email = try RoomLimits.name(email, of: .email)
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
public struct Bundle: Hashable, Sendable, Codable, Identifiable {
    public typealias ID = ObjectID<Bundle>

    public let id: ID
    public var user: User.ID
    public var score: Score.ID

    public init(id: ID, user: User.ID, score: Score.ID) {
        self.id = id
        self.user = user
        self.score = score
    }
}

/// The users who share one device; only one at a time plays on it.
///
/// A user who has once signed in here may later do so offline, until forgotten.
public struct Device: Hashable, Sendable, Codable {
    public private(set) var known: [User.ID] = []
    public private(set) var current: User.ID?

    public init() {}

    /// Signs a user in after the password was checked; any other user on this device is signed out.
    public mutating func signIn(_ user: User.ID) {
        if !known.contains(user) { known.append(user) }
        current = user
    }

    /// Signs the current user out; all users stay known.
    public mutating func signOut() { current = nil }

    /// Withdraws a user's right to sign in here offline.
    public mutating func forget(_ user: User.ID) {
        known.removeAll { $0 == user }
        if current == user { current = nil }
    }

    /// True if this user may sign in here offline.
    public func mayEnterOffline(_ user: User.ID) -> Bool { known.contains(user) }
}
