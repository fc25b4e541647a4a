/// The number of samples per second in one channel.
public struct SampleRate: Hashable, Sendable, Codable, CustomStringConvertible {
    public var hertz: Double

    /// Creates a sample rate.
    /// - Parameter hertz: samples a second; must be positive.
    public init(hertz: Double) {
        precondition(hertz > 0, "a sample rate is positive, not \(hertz)")
        self.hertz = hertz
    }

    public var description: String { "\(hertz) Hz" }
}

/// A number of samples of one channel, which is also the position after that many samples.
public struct SampleTime: Hashable, Comparable, Sendable, Codable {
    public var count: Int

    public init(_ count: Int) { self.count = count }

    public static func < (lhs: SampleTime, rhs: SampleTime) -> Bool { lhs.count < rhs.count }

    public func seconds(at rate: SampleRate) -> Double { Double(count) / rate.hertz }
}

/// The number of a feature frame, counted from 0: frames, not seconds.
public struct FeatureFrameIndex: Hashable, Comparable, Sendable, Codable {
    public var value: Int

    public init(_ value: Int) { self.value = value }

    public static func < (lhs: FeatureFrameIndex, rhs: FeatureFrameIndex) -> Bool { lhs.value < rhs.value }
}
