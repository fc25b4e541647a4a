import Basics
import Features
import Foundation
import Testing

struct TuningEstimateTests {
    private func estimate(
        _ sound: Sound, seconds: Double, halfLifeSeconds: Double = .infinity, rate: SampleRate = .ofTests
    ) -> TuningEstimate {
        let listener = Listener(rate: rate)
        var estimate = TuningEstimate(parameters: listener.stage.parameters, halfLifeSeconds: halfLifeSeconds)
        let hop = Int(rate.hertz) / 50
        let heard = samples(sound, seconds: seconds, rate: rate)
        for start in stride(from: 0, to: heard.count - hop + 1, by: hop) {
            listener.hear(Array(heard[start..<start + hop]))
            estimate.addVotes(listener.stage)
        }
        return estimate
    }

    /// The distance of two tunings modulo a semitone.
    private func difference(_ one: Double, _ other: Double) -> Double {
        abs((one - other).remainder(dividingBy: 100))
    }

    private let scale = [48, 50, 52, 53, 55, 57, 59, 60, 62, 64, 65, 67, 69, 71, 72]

    /// Three cents: the fifth partial of a tone is 14 cents flat of its semitone and pulls a little.
    @Test(arguments: [415.0, 418, 425, 430, 432, 435, 438, 440, 442, 443, 446])
    func harmonicTonesAreTunedWithinThreeCents(a: Double) {
        let tuning = estimate(melody(scale, a: a), seconds: 6)
        #expect(difference(tuning.tuningCents, cents(a: a)) < 3)
        #expect(tuning.voteAgreement > 0.5)
    }

    @Test(arguments: [44_100.0, 48_000])
    func theSampleRateDoesNotMatter(hertz: Double) {
        let tuning = estimate(melody(scale, a: 442), seconds: 6, rate: SampleRate(hertz: hertz))
        #expect(difference(tuning.tuningCents, cents(a: 442)) < 3)
    }

    @Test func silenceHasNoTuning() {
        let tuning = estimate(silence, seconds: 1)
        #expect(tuning.tuningCents == 0)
        #expect(tuning.voteAgreement == 0)
        #expect(tuning.totalVoteWeight == 0)
    }

    /// Sines a quarter tone apart vote against each other.
    @Test func tonesOfNoTuningDoNotAgree() {
        let cluster: [Sound] = (0..<4).map {
            sine(hertz(60 + 7 * $0) * pow(2, Double($0) / 48), amplitude: 0.2)
        }
        let tuning = estimate({ time in cluster.reduce(0) { $0 + $1(time) } }, seconds: 2)
        #expect(tuning.voteAgreement < 0.2)
    }

    @Test func whatWasHeardLongAgoFades() {
        let before = melody(scale, a: 430)
        let after = melody(scale, a: 440)
        let tuning = estimate({ $0 < 6 ? before($0) : after($0 - 6) }, seconds: 12, halfLifeSeconds: 0.5)
        #expect(difference(tuning.tuningCents, 0) < 3)
    }
}
