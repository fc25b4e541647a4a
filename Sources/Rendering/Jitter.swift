/// A deterministic source of small human unevenness.
///
/// Only integer steps, additions and one multiplication: the same seed gives the same values everywhere.
struct Jitter {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// A value of mean 0 and standard deviation 1, never beyond 3 either way.
    ///
    /// Three draws of each sign: the sum of twelve uniform numbers has variance 1 (Irwin-Hall).
    mutating func next() -> Double {
        var sum = -6.0
        for _ in 0..<12 { sum += uniform() }
        return min(max(sum, -3), 3)
    }

    /// 0 up to 1. Source: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators",
    /// OOPSLA 2014 (SplitMix64).
    private mutating func uniform() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return Double(mixed >> 11) * 0x1p-53
    }
}
