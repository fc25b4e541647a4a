import Alignment
import MusicalTime
import Testing

@testable import Following

@Suite struct ConfidenceTests {
    private func estimate(
        fit: Double = 2, mass: Double = 0.95, tempo: Double = 1, rivalMass: Double = 0, rivalGain: Double = 0
    ) -> MusicAlignmentEstimate {
        MusicAlignmentEstimate(
            frame: 0, tempo: TempoRatio(tempo), mass: mass, fit: fit, standing: 0, jumped: false,
            rivalMass: rivalMass, rivalGain: rivalGain)
    }

    /// What is said after so many equal estimates.
    private func settled(_ estimate: MusicAlignmentEstimate, after count: Int = 300) -> Double {
        var confidence = ConfidenceModel(framesPerSecond: 50)
        var last = 0.0
        for _ in 0..<count { last = confidence.updateConfidence(estimate) }
        return last
    }

    @Test func anyFiniteEstimateGivesAProbability() {
        let extremes = [-Double.greatestFiniteMagnitude, -1e9, -1, 0, 0.5, 1, 1e9, .greatestFiniteMagnitude]
        var confidence = ConfidenceModel(framesPerSecond: 50)
        for fit in extremes {
            for mass in extremes {
                for tempo in extremes {
                    // Masses and gains of rivals are sums of what is not negative.
                    for rival in extremes where rival >= 0 {
                        let said = confidence.updateConfidence(
                            estimate(fit: fit, mass: mass, tempo: tempo, rivalMass: rival, rivalGain: rival))
                        if !(0...1).contains(said) {
                            Issue.record("\(said) of \(fit) \(mass) \(tempo) \(rival)")
                        }
                    }
                }
            }
        }
    }

    @Test func itFallsWithTheFit() {
        let said = [3.0, 2, 1, 0, -1, -3].map { settled(estimate(fit: $0)) }
        #expect(zip(said, said.dropFirst()).allSatisfy { $0 > $1 })
        #expect(said[0] > 0.9 && said[5] < 0.1)
    }

    @Test func itFallsWithTheMassAtThePosition() {
        let said = [1, 0.6, 0.3, 0.1, 0.01].map { settled(estimate(fit: 1, mass: $0)) }
        #expect(zip(said, said.dropFirst()).allSatisfy { $0 > $1 })
    }

    @Test func itFallsWhenARivalGains() {
        let byGain = [0.0, 0.5, 1, 2].map { settled(estimate(fit: 1, rivalGain: $0)) }
        #expect(zip(byGain, byGain.dropFirst()).allSatisfy { $0 > $1 })
        let byMass = [0.0, 0.1, 0.5, 1].map { settled(estimate(fit: 1, rivalMass: $0)) }
        #expect(zip(byMass, byMass.dropFirst()).allSatisfy { $0 > $1 })
    }

    @Test(arguments: [0.5, 2])
    func anUnlikelyTempoIsDoubted(tempo: Double) {
        #expect(settled(estimate(fit: 1, tempo: tempo)) < settled(estimate(fit: 1)))
    }

    @Test func oneBadFrameIsNoReasonForDoubt() {
        var confidence = ConfidenceModel(framesPerSecond: 50)
        for _ in 0..<300 { _ = confidence.updateConfidence(estimate()) }
        let before = confidence.updateConfidence(estimate())
        let after = confidence.updateConfidence(estimate(fit: -3, mass: 0.2))
        #expect(after < before && before - after < 0.1)
    }

    @Test func aResetForgets() {
        var confidence = ConfidenceModel(framesPerSecond: 50)
        let first = confidence.updateConfidence(estimate())
        for _ in 0..<100 { _ = confidence.updateConfidence(estimate(fit: -2, mass: 0.1)) }
        confidence.reset()
        #expect(confidence.updateConfidence(estimate()) == first)
    }
}
