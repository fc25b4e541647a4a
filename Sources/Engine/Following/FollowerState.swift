/// The follower's judgement of its own position.
public enum FollowerState: String, Sendable, Codable, CaseIterable, BitwiseCopyable {
    /// The music has not begun, or waits between movements.
    case waiting
    /// The displayed position is where the music is.
    case following
    /// Nothing usable is heard; the position continues at the last tempo for a short time.
    case coasting
    /// The position is unknown; the last trusted position stays on display.
    case lost
    /// The piece is over.
    case finished
}
