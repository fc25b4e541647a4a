import Basics
import Foundation
import Testing

@testable import TimeCode

/// The clock between the follower and the wire, with a clock of the test's own.
@Suite struct CodeClockTests {
    /// Plays music into a clock, fifty reports a second, and gives the segments that it made.
    private func play(
        _ clock: inout CodeClock, for seconds: Double, piece: Int = 0,
        _ music: (_ time: Double) -> CodeClock.Music
    ) -> [CodeClock.Segment] {
        let start = clock.time
        var segments: [CodeClock.Segment] = []
        for step in 0..<Int((seconds / CodeClock.step).rounded()) {
            let now = start + Double(step) * CodeClock.step
            if step % 2 == 0 { clock.observe(.init(piece: piece, time: now, music: music(now))) }
            if let segment = clock.advance() { segments.append(segment) }
        }
        return segments
    }

    @Test func steadyMusicIsMetAtOnceAndKept() {
        var clock = CodeClock(at: 0)
        let made = play(&clock, for: 20) { .playing(at: 5 + 1.1 * $0, tempo: 1.1) }
        #expect(made.first?.seconds.lowerBound == 5)
        #expect(made.allSatisfy { $0.run == made.first?.run })
        #expect(abs(clock.position - (5 + 1.1 * 20)) < 0.012)
        #expect(abs(clock.speed - 1.1) < 0.001)
    }

    @Test func aStepIsApproachedAsTheClosedFormSays() {
        var clock = CodeClock(at: 0)
        _ = play(&clock, for: 10) { .playing(at: $0, tempo: 1) }
        let frequency = 2 * Double.pi * 0.5
        var worst = 0.0
        for tenth in 1...30 {
            _ = play(&clock, for: 0.1) { .playing(at: $0 + 0.01, tempo: 1) }
            let after = Double(tenth) / 10
            let expected = 0.01 * (1 - frequency * after) * exp(-frequency * after)
            worst = max(worst, abs((clock.time + 0.01 - clock.position) - expected))
        }
        #expect(worst < 0.0006)
    }

    @Test func aChangeOfTempoIsCaughtUpWithAsTheClosedFormSays() {
        var clock = CodeClock(at: 0)
        _ = play(&clock, for: 10) { .playing(at: $0, tempo: 1) }
        let frequency = 2 * Double.pi * 0.5
        var worst = 0.0
        for tenth in 1...30 {
            _ = play(&clock, for: 0.1) { .playing(at: 10 + 1.2 * ($0 - 10), tempo: 1.2) }
            let after = Double(tenth) / 10
            let expected = 0.2 * after * exp(-frequency * after)
            worst = max(worst, abs(10 + 1.2 * (clock.time - 10) - clock.position - expected))
        }
        #expect(worst < 0.006)
    }

    @Test(arguments: 1...40)
    func whateverTheFollowerSaysARunNeverGoesBackAndKeepsToItsSpeeds(seed: Int) {
        var chance = SeededRandomGenerator(seed: UInt64(seed))
        var clock = CodeClock(at: 0)
        var (place, tempo, mood) = (10.0, 1.0, 0)
        var segments: [CodeClock.Segment] = []
        for _ in 0..<600 {
            if Int.random(in: 0..<20, using: &chance) == 0 { mood = Int.random(in: 0...8, using: &chance) }
            if Int.random(in: 0..<40, using: &chance) == 0 {
                place = max(place + Double.random(in: -20...20, using: &chance), 0)
            }
            tempo = Double.random(in: 0...3, using: &chance)
            segments += play(&clock, for: 0.1) { _ in
                place = max(place + tempo * 0.02 + Double.random(in: -0.3...0.3, using: &chance), 0)
                return switch mood {
                case 0: .standing
                case 1: .lost
                case 2: .panic
                case 3: .ended
                case 4: .awaited
                default: .playing(at: place, tempo: tempo)
                }
            }
        }
        #expect(!segments.isEmpty)
        let wrong = zip(segments, segments.dropFirst()).filter { earlier, later in
            let speed = (later.seconds.upperBound - later.seconds.lowerBound) / CodeClock.step
            let change = speed - (earlier.seconds.upperBound - earlier.seconds.lowerBound) / CodeClock.step
            let isNext = later.run == earlier.run + 1
            let goesOn = later.run == earlier.run && later.seconds.lowerBound == earlier.seconds.upperBound
            return later.times.lowerBound < earlier.times.upperBound - 1e-9 || !(isNext || goesOn)
                || !(0.4999...2.0001).contains(speed) || (goesOn && abs(change) > 0.0801)
        }
        #expect(wrong.isEmpty, "\(wrong.prefix(3))")
    }

    @Test func aNewPlaceWithinTheDistanceOfAJumpIsApproachedBothWaysWithoutANewRun() {
        for correction in [3.0, -3] {
            var clock = CodeClock(at: 0)
            var made = play(&clock, for: 20) { .playing(at: 10 + $0, tempo: 1) }
            made += play(&clock, for: 20) { .playing(at: 10 + correction + $0, tempo: 1) }
            #expect(Set(made.map(\.run)).count == 1)
            #expect(abs(clock.position - (10 + correction + 40)) < 0.02)
        }
    }

    @Test func musicThatJumpsTakesTheCodeWithItInANewRunAlsoBack() {
        var clock = CodeClock(at: 0)
        let before = play(&clock, for: 20) { .playing(at: 100 + $0, tempo: 1) }
        let after = play(&clock, for: 1) { .playing(at: 50 + $0, tempo: 1) }
        #expect(after.first?.run == (before.last?.run ?? 0) + 1)
        #expect(abs((after.first?.seconds.lowerBound ?? 0) - 70) < 0.02)
        let next = play(&clock, for: 1, piece: 1) { .playing(at: 51 + $0, tempo: 1) }
        #expect(next.first?.run == (after.last?.run ?? 0) + 1)
    }

    @Test(arguments: [CodeClock.Music.standing, .lost, .ended])
    func whatDoesNotGoOnLetsTheCodeRunForItsFreewheelThenStop(music: CodeClock.Music) {
        var settings = CodeClock.Settings()
        settings.freewheelSeconds = 0.4
        var clock = CodeClock(settings, at: 0)
        _ = play(&clock, for: 5) { .playing(at: $0, tempo: 1) }
        let made = play(&clock, for: 5) { _ in music }
        #expect(made.count == 40)
        #expect(!clock.isRunning)
    }

    @Test func aCodeThatHasRunAheadWaitsForTheMusicThenGoesOn() throws {
        var clock = CodeClock(at: 0)
        let before = play(&clock, for: 10) { .playing(at: $0, tempo: 1) }
        _ = play(&clock, for: 5) { _ in .standing }
        let stopped = clock.position
        let after = play(&clock, for: 5) { .playing(at: 10 + ($0 - 15), tempo: 1) }
        let first = try #require(after.first)
        #expect((stopped...stopped + 0.02).contains(first.seconds.lowerBound))
        #expect(abs(first.times.lowerBound - (15 + stopped - 10)) < 0.03)
        #expect(first.run == (before.last?.run ?? 0) + 1)
    }

    @Test func lostMusicOrAPanicLetsTheCodeRunOnIfThatIsChosen() {
        var settings = CodeClock.Settings()
        (settings.whenLost, settings.whenPanic) = (.run, .run)
        var clock = CodeClock(settings, at: 0)
        _ = play(&clock, for: 5) { .playing(at: 1.5 * $0, tempo: 1.5) }
        #expect(play(&clock, for: 30) { _ in .lost }.count == 3_000)
        #expect(play(&clock, for: 30) { _ in .panic }.count == 3_000)
        #expect(abs(clock.position - 1.5 * 65) < 0.1)
    }

    @Test func aPanicStopsTheCodeAtOnce() {
        var clock = CodeClock(at: 0)
        _ = play(&clock, for: 5) { .playing(at: $0, tempo: 1) }
        #expect(play(&clock, for: 1) { _ in .panic }.isEmpty)
    }

    @Test func aFollowerThatFallsSilentCountsAsLostAfterASecond() {
        var clock = CodeClock(at: 0)
        _ = play(&clock, for: 5) { .playing(at: $0, tempo: 1) }
        var count = 0
        for _ in 0..<500 where clock.advance() != nil { count += 1 }
        #expect((195...202).contains(count))
    }

    @Test func nothingRunsBeforeTheMusicBegins() {
        var clock = CodeClock(at: 0)
        #expect(play(&clock, for: 5) { _ in .awaited }.isEmpty)
        #expect(play(&clock, for: 5) { _ in .lost }.isEmpty)
        #expect(play(&clock, for: 5) { _ in .standing }.isEmpty)
    }
}
