import Basics
import Foundation
import Testing

@testable import ScoreFiles

@Suite struct PerformanceClockTests {
    @Test func aSteadyTempoGivesEvenMeasures() throws {
        let clock = try ScoreTickConverter(music: SmallMIDI.march(measures: 3), start: Seconds(0.5))
        for measure in 0...3 {
            // Four quarters at 120 last two seconds; the sums of 48 slices lose some last bits.
            #expect(abs(clock.audioTime(of: measure * 1_920).seconds - (0.5 + 2 * Double(measure))) < 1e-9)
        }
    }

    @Test func theRatioDividesEveryLength() throws {
        let clock = try ScoreTickConverter(
            music: SmallMIDI.march(measures: 2), start: .zero, ratio: TempoRatio(1.25))
        #expect(abs(clock.audioTime(of: 3_840).seconds - 4 / 1.25) < 1e-9)
    }

    @Test func aRitardandoLastsAsLongAsItsIntegral() throws {
        // From full to half speed over four measures of 2 s: the integral of 2 dx / (1 - x/8) is 16 ln 2.
        // 192 midpoint slices are exact to better than a tenth of a millisecond.
        let curve = try TempoCurve(text: "measure,ratio\n1,1\n5,0.5")
        let clock = try ScoreTickConverter(music: SmallMIDI.march(measures: 4), start: .zero, curve: curve)
        #expect(abs(clock.audioTime(of: 4 * 1_920).seconds - 16 * log(2)) < 1e-4)
    }

    @Test func quartersAMinuteReplaceTheScoresTempo() throws {
        let curve = try TempoCurve(text: "played,bpm\n1,60\n")
        let clock = try ScoreTickConverter(
            music: SmallMIDI.march(measures: 2, tempo: 123_456), start: .zero, curve: curve)
        #expect(abs(clock.audioTime(of: 1_920).seconds - 4) < 1e-9)
    }

    @Test func aTempoMarkInsideAMeasureCountsFromThere() throws {
        var music = SmallMIDI.march(measures: 1)
        music.sequence.tracks[0].events.append(
            MIDIEvent(tick: 961, message: .tempoChange(microsecondsPerQuarter: 1_000_000)))
        let clock = try ScoreTickConverter(music: music, start: .zero)
        let expected = 961.0 / 960 + 959.0 / 480
        #expect(abs(clock.audioTime(of: 1_920).seconds - expected) < 1e-9)
    }

    @Test func centuriesAreRefused() {
        var music = SmallMIDI.march(measures: 1)
        music.endTick = 1 << 48
        #expect(throws: ExplainedError.self) { try ScoreTickConverter(music: music, start: .zero) }
    }
}
