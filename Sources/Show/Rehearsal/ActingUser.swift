/// The signed-in user who acts in a room. The server looks up the rights for each connection.
public struct ActingUser: Hashable, Sendable {
    public var user: User.ID
    public var name: String
    /// True if a librarian gave this user the right to the room's score.
    public var hasScoreGrant: Bool
    /// True if the correct passkey of the room was given; needed only for joining.
    public var knowsPasskey: Bool

    public init(user: User.ID, name: String, hasScoreGrant: Bool, knowsPasskey: Bool = false) {
        self.user = user
        self.name = name
        self.hasScoreGrant = hasScoreGrant
        self.knowsPasskey = knowsPasskey
    }
}
