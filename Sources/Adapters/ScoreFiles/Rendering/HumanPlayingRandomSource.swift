import Basics

/// A deterministic random source for the small irregularities of a human player.
///
/// Uses only integer steps, additions and one multiplication, so the same seed gives the same values on every
/// machine.
struct HumanPlayingRandomSource {
    private var randomGenerator: SeededRandomGenerator

    init(seed: UInt64) { randomGenerator = SeededRandomGenerator(seed: seed) }

    /// A random value of mean 0 and standard deviation 1, clamped to -3…3.
    ///
    /// The sum of twelve uniform numbers has variance 1 (Irwin-Hall).
    mutating func nextNormal() -> Double {
        var sum = -6.0
        for _ in 0..<12 { sum += nextUniform() }
        return min(max(sum, -3), 3)
    }

    /// A uniform random number from 0 up to 1.
    private mutating func nextUniform() -> Double {
        Double(randomGenerator.next() >> 11) * 0x1p-53
    }
}
