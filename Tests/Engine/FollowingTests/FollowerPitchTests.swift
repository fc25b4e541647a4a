import Basics
import Score
import Testing

@testable import Following

/// What sounds higher or lower than the reference.
@Suite struct FollowerPitchTests {
    private static let duet = Duet(measures: 4, seed: 3)
    private static let model = Result { try duet.model() }

    @Test(arguments: [-12, -4, -3, -2, -1, 1, 2, 3, 4, 12])
    func anotherKeyIsFollowedAndShown(semitones: Int) throws {
        let sound = Self.duet.samples(semitones: semitones)
        let reports = try Duet.follower(Self.model.get()).reports(sound)
        #expect(reports.last?.transpositionSemitones == semitones)
        #expect(abs(reports.last?.tuningCents ?? 100) < 10)
        #expect(reports.worstError(from: 4, to: 7) { $0 } < 0.3)
    }

    @Test(arguments: [415.0, 430, 435, 446])
    func anotherTuningIsFollowedAndShown(a: Double) throws {
        let reports = try Duet.follower(Self.model.get()).reports(Self.duet.samples(a: a))
        let said = reports.last.map { 100 * Double($0.transpositionSemitones) + $0.tuningCents } ?? .infinity
        #expect(abs(said - cents(a)) < 12, "A = \(a) Hz")
        #expect(reports.worstError(from: 4, to: 7) { $0 } < 0.3)
    }

    @Test(arguments: [(-3, 416.3, -4), (4, 430.0, 4), (-4, 448.0, -4)])
    func aKeyAndATuningTogetherAreFollowed(semitones: Int, a: Double, shown: Int) throws {
        let sound = Self.duet.samples(semitones: semitones, a: a)
        let reports = try Duet.follower(Self.model.get()).reports(sound)
        #expect(reports.last?.transpositionSemitones == shown)
        #expect(reports.worstError(from: 4, to: 7) { $0 } < 0.3)
    }

    @Test func theWrittenPitchIsLeftAlone() throws {
        let reports = try Duet.follower(Self.model.get()).reports(Self.duet.samples())
        #expect(reports.allSatisfy { $0.transpositionSemitones == 0 && abs($0.tuningCents) < 10 })
    }

    /// Above A = 440 Hz.
    private func cents(_ a: Double) -> Double {
        // -101.3, -39.8, -19.8 and 23.5 by 1200 log2(a / 440).
        [415: -101.27, 430: -39.80, 435: -19.79, 446: 23.45][a] ?? .nan
    }
}
