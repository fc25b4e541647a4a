import Chance

/// A deterministic source of small human unevenness.
///
/// Only integer steps, additions and one multiplication: the same seed gives the same values everywhere.
struct Jitter {
    private var chance: SplitMix

    init(seed: UInt64) { chance = SplitMix(seed: seed) }

    /// A value of mean 0 and standard deviation 1, never beyond 3 either way.
    ///
    /// Three draws of each sign: the sum of twelve uniform numbers has variance 1 (Irwin-Hall).
    mutating func next() -> Double {
        var sum = -6.0
        for _ in 0..<12 { sum += uniform() }
        return min(max(sum, -3), 3)
    }

    /// 0 up to 1.
    private mutating func uniform() -> Double {
        Double(chance.next() >> 11) * 0x1p-53
    }
}
