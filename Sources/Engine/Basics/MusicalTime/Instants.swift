/// A length of time in seconds.
///
/// Both recordings of an alignment are measured in seconds. An instant says which of them it belongs to
/// (``LiveTime``, ``ReferenceTime``); a length does not need to.
public struct Seconds: Hashable, Comparable, Sendable, Codable, BitwiseCopyable {
    public var value: Double

    public init(_ value: Double) { self.value = value }

    #if !hasFeature(Embedded)
        public init(from decoder: any Decoder) throws {
            value = try decoder.singleValueContainer().decode(Double.self)
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    #endif

    public static func < (lhs: Seconds, rhs: Seconds) -> Bool { lhs.value < rhs.value }
    public static func + (lhs: Seconds, rhs: Seconds) -> Seconds { Seconds(lhs.value + rhs.value) }
    public static func - (lhs: Seconds, rhs: Seconds) -> Seconds { Seconds(lhs.value - rhs.value) }
    public static func * (lhs: Seconds, rhs: Double) -> Seconds { Seconds(lhs.value * rhs) }
    public static let zero = Seconds(0)
}

/// An instant of one of the two recordings, in seconds since its first sample. It is encoded as that one number.
public protocol RecordingInstant: Hashable, Comparable, Sendable, Codable, BitwiseCopyable {
    var seconds: Double { get set }
    init(seconds: Double)
}

extension RecordingInstant {
    #if !hasFeature(Embedded)
        public init(from decoder: any Decoder) throws {
            self.init(seconds: try decoder.singleValueContainer().decode(Double.self))
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(seconds)
        }
    #endif

    @inlinable public static func < (lhs: Self, rhs: Self) -> Bool { lhs.seconds < rhs.seconds }
    @inlinable public static func + (lhs: Self, rhs: Seconds) -> Self {
        Self(seconds: lhs.seconds + rhs.value)
    }
    @inlinable public static func - (lhs: Self, rhs: Self) -> Seconds { Seconds(lhs.seconds - rhs.seconds) }
}

/// An instant of the performance being followed.
public struct LiveTime: RecordingInstant {
    public var seconds: Double

    public init(seconds: Double) { self.seconds = seconds }
}

/// An instant of a reference recording.
public struct ReferenceTime: RecordingInstant {
    public var seconds: Double

    public init(seconds: Double) { self.seconds = seconds }
}
