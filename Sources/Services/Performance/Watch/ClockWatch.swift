/// Notices that somebody has set the clock: wall time has moved against the time that only passes.
struct ClockWatch {
    private var offsetSeconds: Double?

    /// Larger than what a time service slews in a look's interval.
    private static let stepSeconds = 0.5

    /// - Parameters:
    ///   - wall: seconds since 1970.
    ///   - passed: seconds of the monotonic clock.
    /// - Returns: the step in seconds, where there was one since the last look.
    mutating func look(wall: Double, passed: Double) -> Double? {
        let offset = wall - passed
        defer { offsetSeconds = offset }
        guard let before = offsetSeconds, abs(offset - before) > Self.stepSeconds else { return nil }
        return offset - before
    }
}
