import Score
import Testing

@Suite struct DisplayedSpeedTests {
    /// Records a position every `interval` seconds.
    private func heard(
        _ position: (Double) -> Double, from start: Double = 0, until end: Double,
        every interval: Double = 0.1,
        into speed: DisplayedSpeed = DisplayedSpeed()
    ) -> DisplayedSpeed {
        var speed = speed
        for step in 0...Int(((end - start) / interval).rounded()) {
            speed.recordPosition(position(start + Double(step) * interval), after: step == 0 ? 0 : interval)
        }
        return speed
    }

    @Test func aSteadyTempoIsPredictedExactly() {
        for tempo in [0.5, 1, 1.7] {
            let speed = heard({ tempo * $0 }, until: 30)
            #expect(abs(speed.predicted(withTempo: tempo) - tempo) < 1e-12)
        }
    }

    @Test func beforeTheFirstObservationTheTempoCountsAlone() {
        #expect(DisplayedSpeed().predicted(withTempo: 1.25) == 1.25)
        var one = DisplayedSpeed()
        one.recordPosition(17, after: 0)
        #expect(one.predicted(withTempo: 1.25) == 1.25)
    }

    /// Over a long time the observed time is 12 s, so a wrong tempo counts 4 / 16.
    @Test func theTempoCountsAsFourSecondsOfObservation() {
        let long = heard({ $0 }, until: 200)
        let expectedLong: Double = (12 + 4 * 2) / 16
        #expect(abs(long.predicted(withTempo: 2) - expectedLong) < 0.005)
        let short = heard({ $0 }, until: 4)
        // 12 (1 - exp(-4/12)) = 3.40 s are remembered of four.
        let expectedShort: Double = (3.40 + 4 * 2) / 7.40
        #expect(abs(short.predicted(withTempo: 2) - expectedShort) < 0.005)
    }

    /// With s = t + a t²/2 the speed is 1 + a t; the mean over an exponential past of 12 s is that of 12 s ago.
    @Test func inAnAccelerandoTheSpeedIsThatOfTwelveSecondsAgoDrawnToTheTempo() {
        let rise = 0.01
        let speed = heard({ $0 + rise * $0 * $0 / 2 }, until: 100)
        let now: Double = 1 + rise * 100
        let twelveSecondsAgo: Double = now - rise * 12
        let expected: Double = (12 * twelveSecondsAgo + 4 * now) / 16
        #expect(abs(speed.predicted(withTempo: now) - expected) < 0.005)
    }

    @Test func reportsAtLongAndUnevenIntervalsGiveTheSameSpeed() {
        var uneven = DisplayedSpeed()
        uneven.recordPosition(0, after: 0)
        var time = 0.0
        for interval in [0.2, 5, 1.3, 0.02, 3, 2.5, 4, 0.5] {
            time += interval
            uneven.recordPosition(1.2 * time, after: interval)
        }
        #expect(abs(uneven.predicted(withTempo: 1.2) - 1.2) < 1e-12)
        let even = heard({ 1.2 * $0 }, until: time, every: time / 100)
        let difference: Double = uneven.predicted(withTempo: 2) - even.predicted(withTempo: 2)
        #expect(abs(difference) < 0.03)
    }

    @Test func aJumpIsNoMovement() {
        for jump in [-1.5, 30.0] {
            let before = heard({ $0 }, until: 20)
            let after = heard({ 1.5 * $0 + jump - 10 }, from: 20, until: 25, into: before)
            #expect(abs(after.predicted(withTempo: 1.5) - 1.5) < 1e-12, "\(jump) s")
        }
    }

    @Test func aSmallCorrectionBackIsMovement() {
        let before = heard({ $0 }, until: 20)
        var after = before
        after.recordPosition(19.5, after: 0.1)
        #expect(after.predicted(withTempo: 1) < before.predicted(withTempo: 1))
        #expect(after.predicted(withTempo: 1) > 0.9)
    }

    @Test func afterAPauseTheTempoCountsAlone() {
        var speed = heard({ $0 }, until: 20)
        speed.reset()
        #expect(speed == DisplayedSpeed())
        speed.recordPosition(20, after: 60)
        #expect(speed.predicted(withTempo: 0.8) == 0.8)
    }

    @Test func aSpeedIsNeverNearZero() {
        let standing = heard({ _ in 5 }, until: 100)
        #expect(standing.predicted(withTempo: 0) == 0.05)
        var backward = DisplayedSpeed()
        backward.recordPosition(5, after: 0)
        for _ in 0..<20 { backward.recordPosition(4.5, after: -1) }
        #expect(backward.predicted(withTempo: 0.01) > 0)
    }
}
