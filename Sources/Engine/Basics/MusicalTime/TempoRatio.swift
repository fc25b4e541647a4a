/// Seconds of reference music that pass in one second of live music: 2 is twice as fast as the reference.
public struct TempoRatio: Hashable, Comparable, Sendable, Codable, BitwiseCopyable {
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

    public static let unity = TempoRatio(1)
    public static func < (lhs: TempoRatio, rhs: TempoRatio) -> Bool { lhs.value < rhs.value }
}
