/// A length of time in seconds.
///
/// Both recordings of an alignment are measured in seconds. An instant says which of them it belongs to
/// (``LiveTime``, ``ReferenceTime``); a length does not need to.
public struct Seconds: Hashable, Comparable, Sendable, Codable, BitwiseCopyable {
    public var value: Double

    public init(_ value: Double) { self.value = value }

    public init(from decoder: any Decoder) throws {
        value = try decoder.singleValueContainer().decode(Double.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }

    public static func < (lhs: Seconds, rhs: Seconds) -> Bool { lhs.value < rhs.value }
    public static func + (lhs: Seconds, rhs: Seconds) -> Seconds { Seconds(lhs.value + rhs.value) }
    public static func - (lhs: Seconds, rhs: Seconds) -> Seconds { Seconds(lhs.value - rhs.value) }
    public static func * (lhs: Seconds, rhs: Double) -> Seconds { Seconds(lhs.value * rhs) }
    public static let zero = Seconds(0)
}

/// An instant of the performance being followed, in seconds of audio since its first sample.
public struct LiveTime: Hashable, Comparable, Sendable, Codable, BitwiseCopyable {
    public var seconds: Double

    public init(seconds: Double) { self.seconds = seconds }

    public init(from decoder: any Decoder) throws {
        seconds = try decoder.singleValueContainer().decode(Double.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(seconds)
    }

    public static func < (lhs: LiveTime, rhs: LiveTime) -> Bool { lhs.seconds < rhs.seconds }
    public static func + (lhs: LiveTime, rhs: Seconds) -> LiveTime {
        LiveTime(seconds: lhs.seconds + rhs.value)
    }
    public static func - (lhs: LiveTime, rhs: LiveTime) -> Seconds { Seconds(lhs.seconds - rhs.seconds) }
}

/// An instant of a reference recording, in seconds since its first sample.
public struct ReferenceTime: Hashable, Comparable, Sendable, Codable, BitwiseCopyable {
    public var seconds: Double

    public init(seconds: Double) { self.seconds = seconds }

    public init(from decoder: any Decoder) throws {
        seconds = try decoder.singleValueContainer().decode(Double.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(seconds)
    }

    public static func < (lhs: ReferenceTime, rhs: ReferenceTime) -> Bool { lhs.seconds < rhs.seconds }

    public static func + (lhs: ReferenceTime, rhs: Seconds) -> ReferenceTime {
        ReferenceTime(seconds: lhs.seconds + rhs.value)
    }

    public static func - (lhs: ReferenceTime, rhs: ReferenceTime) -> Seconds {
        Seconds(lhs.seconds - rhs.seconds)
    }
}
