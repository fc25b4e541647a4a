/// The signed-in user who acts in a room. The server looks up the rights for each connection.
public struct ActingUser: Hashable, Sendable {
    public var user: User.ID
    public var name: String
    /// True if a librarian gave this user the right to at least one score of the room's programme.
    public var hasScoreGrant: Bool
    /// The scores, of those that matter now, that this user was not given. The user stays in the room without them.
    public var withheldScores: Set<Score.ID>
    /// True if the correct passkey of the room was given; needed only for joining.
    public var knowsPasskey: Bool
    /// False if this user has published as many rooms as one musician may.
    public var mayPublishAnotherRoom: Bool

    public init(
        user: User.ID, name: String, hasScoreGrant: Bool, withheldScores: Set<Score.ID> = [],
        knowsPasskey: Bool = false, mayPublishAnotherRoom: Bool = true
    ) {
        self.user = user
        self.name = name
        self.hasScoreGrant = hasScoreGrant
        self.withheldScores = withheldScores
        self.knowsPasskey = knowsPasskey
        self.mayPublishAnotherRoom = mayPublishAnotherRoom
    }

    /// True if this user may open a score of the programme.
    public func mayOpen(_ score: Score.ID) -> Bool { hasScoreGrant && !withheldScores.contains(score) }
}
