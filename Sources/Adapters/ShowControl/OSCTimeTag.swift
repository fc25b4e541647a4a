/// An instant of the Network Time Protocol: the time since 1 January 1900, in units of 2^-32 s.
///
/// Source: the Open Sound Control specification 1.0, "Temporal Semantics and OSC Time Tags".
public struct OSCTimeTag: Hashable, Comparable, Sendable {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    public init(seconds: UInt32, fraction: UInt32) {
        rawValue = UInt64(seconds) << 32 | UInt64(fraction)
    }

    /// The time tag that means "immediately": sixty-three zero bits and a one.
    public static let immediately = OSCTimeTag(rawValue: 1)

    public static func < (left: OSCTimeTag, right: OSCTimeTag) -> Bool { left.rawValue < right.rawValue }
}
