/// A time of a show: milliseconds since it began. It continues over restarts and takeovers, and never decreases.
public struct ShowTime: Comparable, Hashable, Sendable, CustomStringConvertible {
    public var milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    public static let zero = ShowTime(milliseconds: 0)

    public static func < (lhs: ShowTime, rhs: ShowTime) -> Bool { lhs.milliseconds < rhs.milliseconds }

    /// Returns the time that is a number of milliseconds later. It saturates instead of overflowing, because a time
    /// from a log may be any number.
    public func advanced(byMilliseconds length: Int64) -> ShowTime {
        let (sum, overflow) = milliseconds.addingReportingOverflow(length)
        return ShowTime(milliseconds: overflow ? (length < 0 ? .min : .max) : sum)
    }

    /// Milliseconds from another time to this one; negative if the other is later.
    public func milliseconds(since other: ShowTime) -> Int64 {
        let (difference, overflow) = milliseconds.subtractingReportingOverflow(other.milliseconds)
        return overflow ? (self < other ? .min : .max) : difference
    }

    /// Seconds from an earlier time to this one; zero if the other is later.
    func seconds(since other: ShowTime) -> Double {
        self > other ? Double(milliseconds(since: other)) / 1_000 : 0
    }

    public var description: String { "\(milliseconds) ms" }
}

/// A time is encoded as a plain number of milliseconds.
extension ShowTime: Codable {
    public init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}
