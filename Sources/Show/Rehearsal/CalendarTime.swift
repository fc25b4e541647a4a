/// A calendar time of the server: milliseconds since the beginning of 1970, UTC.
public struct CalendarTime: Comparable, Hashable, Sendable, BitwiseCopyable, CustomStringConvertible {
    public var milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    public static let zero = CalendarTime(milliseconds: 0)

    public static func < (lhs: CalendarTime, rhs: CalendarTime) -> Bool {
        lhs.milliseconds < rhs.milliseconds
    }

    /// Returns the time that is a number of milliseconds later; it saturates instead of overflowing.
    public func advanced(byMilliseconds length: Int64) -> CalendarTime {
        let (sum, overflow) = milliseconds.addingReportingOverflow(length)
        return CalendarTime(milliseconds: overflow ? (length < 0 ? .min : .max) : sum)
    }

    /// Seconds from another time to this one; negative if the other is later.
    public func seconds(since other: CalendarTime) -> Double {
        (Double(milliseconds) - Double(other.milliseconds)) / 1_000
    }

    public var description: String { "\(milliseconds) ms" }
}

/// A time is encoded as a plain number of milliseconds.
extension CalendarTime: Codable {
    public init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}
