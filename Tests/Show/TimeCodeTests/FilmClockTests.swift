import Basics
import Testing

@testable import TimeCode

/// The film's clock: few lines, each true until the next, and what it does where the music does not go on.
@Suite struct FilmClockTests {
    /// Plays music into a clock, ten looks a second; gives each line that it told, and how far the last one was from
    /// the true place in the worst case after the first four seconds.
    private func play(
        _ clock: inout FilmClock, from start: Double, for seconds: Double,
        _ music: (_ time: Double) -> CodeClock.Music
    ) -> [FilmClock.Line] {
        var lines: [FilmClock.Line] = []
        for look in 0..<Int(seconds * 10) {
            let now = start + Double(look) / 10
            let isNew = clock.advance(
                to: now, observing: .init(piece: 0, time: now, music: music(now)), start: 3)
            if isNew { lines.append(clock.line) }
        }
        return lines
    }

    @Test func steadyMusicNeedsOneLine() {
        var clock = FilmClock(at: 0)
        let lines = play(&clock, from: 0, for: 60) { .playing(at: 3 + 1.05 * $0, tempo: 1.05) }
        // The first one waits at the beginning of the music.
        #expect(lines.map(\.state) == [.waiting, .following])
        #expect(abs(clock.line.seconds(at: 60) - (3 + 1.05 * 60)) < 0.02)
    }

    @Test(arguments: 1...20)
    func theSpeedOfMusicThatIsHeardUnsteadilyChangesSlowly(seed: Int) {
        var chance = SeededRandomGenerator(seed: UInt64(seed))
        var clock = FilmClock(at: 0)
        var lines: [FilmClock.Line] = []
        var wobble = 0.0
        lines += play(&clock, from: 0, for: 60) { time in
            wobble = 0.9 * wobble + Double.random(in: -0.01...0.01, using: &chance)
            return .playing(at: 10 + time + wobble, tempo: 1)
        }
        let following = lines.filter { $0.state == .following && $0.time > 5 }
        for (earlier, later) in zip(following, following.dropFirst()) {
            #expect(abs(later.speed - earlier.speed) <= max(0.02 * (later.time - earlier.time), 0.02))
            #expect(later.run == earlier.run)
        }
        #expect(abs(clock.line.seconds(at: 60) - 70) < 0.06)
    }

    @Test func itHoldsWhereTheMusicStandsOrGoesOnSlowlyIfThatIsChosen() {
        for speed in [0.0, 0.25] {
            var settings = FilmClock.settings
            settings.standingSpeed = speed
            var clock = FilmClock(settings, at: 0)
            _ = play(&clock, from: 0, for: 20) { .playing(at: $0, tempo: 1) }
            let lines = play(&clock, from: 20, for: 5) { _ in .standing }
            #expect(lines.last?.state == (speed == 0 ? .holding : .free))
            #expect(lines.last?.speed == speed)
            let run = clock.line.run
            // Where the music goes on, the film does too, without a jump if it went on slowly.
            _ = play(&clock, from: 25, for: 20) { .playing(at: 20.2 + ($0 - 25), tempo: 1) }
            #expect(clock.line.state == .following)
            #expect(clock.line.run == (speed == 0 ? run + 1 : run))
            #expect(abs(clock.line.seconds(at: 45) - 40.2) < 0.15)
        }
    }

    @Test func itRunsOnWhileTheMusicIsLostAndJumpsWhereItIsFoundFarAway() {
        var clock = FilmClock(at: 0)
        _ = play(&clock, from: 0, for: 20) { .playing(at: $0, tempo: 1) }
        let run = clock.line.run
        _ = play(&clock, from: 20, for: 10) { _ in .lost }
        #expect(clock.line.state == .free && abs(clock.line.seconds(at: 30) - 30) < 0.05)
        _ = play(&clock, from: 30, for: 5) { .playing(at: 60 + ($0 - 30), tempo: 1) }
        #expect(clock.line.state == .following && clock.line.run == run + 1)
        #expect(abs(clock.line.seconds(at: 35) - 65) < 0.05)
    }

    @Test func aMachineThatStoodStillMakesUpForNothing() {
        var clock = FilmClock(at: 0)
        _ = play(&clock, from: 0, for: 10) { .playing(at: $0, tempo: 1) }
        _ = play(&clock, from: 4_000, for: 2) { .playing(at: 500 + ($0 - 4_000), tempo: 1) }
        #expect(abs(clock.line.seconds(at: 4_002) - 502) < 0.1)
    }

    @Test func anotherPieceWaitsForItsMusic() {
        var clock = FilmClock(at: 0)
        _ = play(&clock, from: 0, for: 10) { .playing(at: $0, tempo: 1) }
        let isNew = clock.advance(to: 10, observing: .init(piece: 1, time: 10, music: .awaited), start: 7)
        #expect(isNew)
        #expect(clock.line.state == .waiting && clock.line.seconds == 7 && clock.line.speed == 0)
    }
}
