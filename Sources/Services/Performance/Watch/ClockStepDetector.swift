/// Detects that somebody has set the wall clock, by comparing it with the monotonic clock.
struct ClockStepDetector {
    private var offsetSeconds: Double?

    /// A change of more than this many seconds counts as a step; a time service corrects less between two checks.
    private static let stepSeconds = 0.5

    /// Compares the two clocks. Call at regular intervals.
    /// - Parameters:
    ///   - wall: the wall clock, in seconds since 1970.
    ///   - passed: the monotonic clock, in seconds.
    /// - Returns: the seconds by which the wall clock was set since the last call; nil if it was not set.
    mutating func detectStep(wall: Double, passed: Double) -> Double? {
        let offset = wall - passed
        defer { offsetSeconds = offset }
        guard let before = offsetSeconds, abs(offset - before) > Self.stepSeconds else { return nil }
        return offset - before
    }
}
