/// What the follower knows about itself.
public enum FollowerState: String, Sendable, Codable, CaseIterable, BitwiseCopyable {
    /// The music has not begun, or stands still between movements.
    case waiting
    /// The shown position is what is heard.
    case following
    /// Nothing usable is heard; the position goes on by tempo for a short time.
    case coasting
    /// The follower does not know; the last trusted position stays.
    case lost
    /// The piece is over.
    case finished
}
