/// Who acts, as the server vouches for: signed in, and looked up in the catalogue for each connection.
public struct Member: Hashable, Sendable {
    public var user: User.ID
    public var name: String
    /// A librarian gave this user the room's score.
    public var holdsBundle: Bool
    /// The room's passkey was given and is right; needed once, for joining.
    public var knowsPasskey: Bool

    public init(user: User.ID, name: String, holdsBundle: Bool, knowsPasskey: Bool = false) {
        self.user = user
        self.name = name
        self.holdsBundle = holdsBundle
        self.knowsPasskey = knowsPasskey
    }
}
