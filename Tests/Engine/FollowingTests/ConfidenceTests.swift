import Alignment
import Basics
import Testing

@testable import Following

@Suite struct ConfidenceTests {
    private func estimate(
        gain: Double = 0.5, shortfall: Double = 0.5, mass: Double = 0.95, tempo: Double = 1,
        rivalMass: Double = 0,
        rivalGain: Double = 0, hasBegun: Bool = true
    ) -> MusicAlignmentEstimate {
        var estimate = MusicAlignmentEstimate(
            frame: 0, tempo: TempoRatio(tempo), mass: mass, fit: 2, standing: 0, jumped: false,
            hasBegun: hasBegun,
            rivalMass: rivalMass, rivalGain: rivalGain)
        estimate.gainOverAnyOrder = gain
        estimate.shortfallFromBest = shortfall
        return estimate
    }

    /// What is said after so many equal estimates.
    private func settled(_ estimate: MusicAlignmentEstimate, after count: Int = 1500) -> Double {
        var confidence = ConfidenceModel(framesPerSecond: 50)
        var last = 0.0
        for _ in 0..<count { last = confidence.updateConfidence(estimate) }
        return last
    }

    @Test func anyFiniteEstimateGivesAProbability() {
        let extremes = [-Double.greatestFiniteMagnitude, -1e9, -1, 0, 0.5, 1, 1e9, .greatestFiniteMagnitude]
        var confidence = ConfidenceModel(framesPerSecond: 50)
        for gain in extremes {
            for mass in extremes {
                for tempo in extremes {
                    // Masses and gains of rivals are sums of what is not negative.
                    for rival in extremes where rival >= 0 {
                        let said = confidence.updateConfidence(
                            estimate(
                                gain: gain, shortfall: mass, mass: mass, tempo: tempo, rivalMass: rival,
                                rivalGain: rival))
                        if !(0...1).contains(said) {
                            Issue.record("\(said) of \(gain) \(mass) \(tempo) \(rival)")
                        }
                    }
                }
            }
        }
    }

    @Test func itFallsWithTheGainOverMusicInAnyOrder() {
        let said = [1.0, 0.6, 0.3, 0, -0.3, -1].map { settled(estimate(gain: $0, shortfall: 1)) }
        #expect(zip(said, said.dropFirst()).allSatisfy { $0 > $1 })
        #expect(said[0] > 0.9 && said[5] < 0.1)
    }

    @Test func itFallsIfAnotherPlaceOfThePieceFitsBetter() {
        let said = [0.0, 1, 2, 4].map { settled(estimate(gain: 0.3, shortfall: $0)) }
        #expect(zip(said, said.dropFirst()).allSatisfy { $0 > $1 })
    }

    @Test func noiseBeforeTheFirstNoteChangesNothing() {
        var confidence = ConfidenceModel(framesPerSecond: 50)
        let first = confidence.updateConfidence(estimate(hasBegun: false))
        var last = 0.0
        for _ in 0..<500 {
            last = confidence.updateConfidence(estimate(gain: -1, shortfall: 3, hasBegun: false))
        }
        #expect(last == first)
    }

    @Test func aDeadCableChangesNothing() {
        var confidence = ConfidenceModel(framesPerSecond: 50)
        for _ in 0..<300 { _ = confidence.updateConfidence(estimate()) }
        let before = confidence.updateConfidence(estimate(), isDropout: true)
        var last = 0.0
        for _ in 0..<500 {
            last = confidence.updateConfidence(estimate(gain: -2, shortfall: 4), isDropout: true)
        }
        #expect(last == before)
    }

    @Test func anUnknownStartIsDoubtedAtFirst() {
        var confidence = ConfidenceModel(framesPerSecond: 50)
        confidence.reset(isStartKnown: false)
        #expect(confidence.updateConfidence(estimate()) < 0.5)
    }

    @Test func itFallsWithTheMassAtThePosition() {
        let said = [1, 0.6, 0.3, 0.1].map { settled(estimate(gain: 0.2, shortfall: 1, mass: $0)) }
        #expect(zip(said, said.dropFirst()).allSatisfy { $0 > $1 })
    }

    @Test func itFallsWhenARivalGains() {
        let byGain = [0.0, 0.5, 1, 2].map { settled(estimate(gain: 0.2, shortfall: 1, rivalGain: $0)) }
        #expect(zip(byGain, byGain.dropFirst()).allSatisfy { $0 > $1 })
        let byMass = [0.0, 0.1, 0.5, 1].map { settled(estimate(gain: 0.2, shortfall: 1, rivalMass: $0)) }
        #expect(zip(byMass, byMass.dropFirst()).allSatisfy { $0 > $1 })
    }

    @Test(arguments: [0.5, 2])
    func anUnlikelyTempoIsDoubted(tempo: Double) {
        #expect(
            settled(estimate(gain: 0.2, shortfall: 1, tempo: tempo))
                < settled(estimate(gain: 0.2, shortfall: 1)))
    }

    /// Figures that are only just believed at a tempo that was not heard before.
    private let plain = (gain: 0.3, shortfall: 1.0)

    @Test(arguments: [0.55, 1.85])
    func aPerformanceIsNotDoubtedForTheTempoThatItKeeps(tempo: Double) {
        var confidence = ConfidenceModel(framesPerSecond: 50)
        // A minute in which the place is sure.
        for _ in 0..<3_000 { _ = confidence.updateConfidence(estimate(gain: 0.9, tempo: tempo)) }
        var last = 0.0
        for _ in 0..<1_500 {
            last = confidence.updateConfidence(
                estimate(gain: plain.gain, shortfall: plain.shortfall, tempo: tempo))
        }
        let strange = settled(estimate(gain: plain.gain, shortfall: plain.shortfall, tempo: tempo))
        #expect(last > strange + 0.05)
    }

    @Test func aTempoThatIsNeitherThePerformancesNorTheReferencesIsDoubted() {
        var confidence = ConfidenceModel(framesPerSecond: 50)
        for _ in 0..<3_000 { _ = confidence.updateConfidence(estimate(gain: 0.9, tempo: 1.85)) }
        func next(_ tempo: Double) -> Double {
            var next = confidence
            return next.updateConfidence(estimate(gain: 0.9, tempo: tempo))
        }
        #expect(next(0.6) < next(1.85))
        #expect(next(1) >= next(1.85))
    }

    @Test func aTempoAtWhichThePlaceIsNotSureIsNotLearnt() {
        var confidence = ConfidenceModel(framesPerSecond: 50)
        for _ in 0..<3_000 { _ = confidence.updateConfidence(estimate(gain: 0, shortfall: 2, tempo: 1.85)) }
        let unsure = confidence.updateConfidence(estimate(gain: 0, shortfall: 2, tempo: 1.85))
        #expect(unsure < confidence.updateConfidence(estimate(gain: 0, shortfall: 2, tempo: 1)))
    }

    @Test func oneBadFrameIsNoReasonForDoubt() {
        var confidence = ConfidenceModel(framesPerSecond: 50)
        for _ in 0..<300 { _ = confidence.updateConfidence(estimate()) }
        let before = confidence.updateConfidence(estimate())
        let after = confidence.updateConfidence(estimate(gain: -1, shortfall: 3, mass: 0.2))
        #expect(after < before && before - after < 0.1)
    }

    @Test func aResetForgets() {
        var confidence = ConfidenceModel(framesPerSecond: 50)
        let first = confidence.updateConfidence(estimate())
        for _ in 0..<100 { _ = confidence.updateConfidence(estimate(gain: -1, shortfall: 3, mass: 0.1)) }
        confidence.reset(isStartKnown: true)
        #expect(confidence.updateConfidence(estimate()) == first)
    }
}
