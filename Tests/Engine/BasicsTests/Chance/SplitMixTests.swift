import Basics
import Testing

@Suite struct SplitMixTests {
    /// The first numbers of the authors' own program (https://prng.di.unimi.it/splitmix64.c) for this seed.
    @Test func theNumbersAreThoseOfItsAuthors() {
        var chance = SeededRandomGenerator(seed: 1_234_567)
        let numbers = (0..<5).map { _ in chance.next() }
        #expect(
            numbers == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ])
    }

    @Test func everySeedHasItsOwnNumbers() {
        var (one, other) = (SeededRandomGenerator(seed: 1), SeededRandomGenerator(seed: 2))
        #expect(one.next() != other.next())
    }
}
