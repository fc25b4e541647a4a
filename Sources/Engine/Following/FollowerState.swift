/// The follower's judgement of its own position.
public enum FollowerState: String, Sendable, Codable, CaseIterable, BitwiseCopyable {
    /// The music has not begun, or waits between movements.
    case waiting
    /// The displayed position is where the music is.
    case following
    /// The position is doubted, or nothing usable is heard; it continues at the last tempo.
    case coasting
    /// The position is unknown; the last trusted position stays on display.
    case lost
    /// The piece is over.
    case finished
}
