import Basics
import Features
import Following
import Foundation
import Score
import Testing

@testable import Preparation

/// A performance with made trouble has the tempo and the leaps that were asked for, and its bars are judged where they
/// sound.
@Suite struct TroubleTrialTests {
    /// Sixty bars of two seconds each, from second 1.
    private static func measures() throws -> MeasureMap {
        try MeasureMap(
            marks: (0..<60).map {
                PlayedMeasure(printed: $0 + 1, onset: ReferenceTime(seconds: 1 + 2 * Double($0)))
            }, end: ReferenceTime(seconds: 121))
    }

    @Test func withoutTroubleABarSoundsWhereTheRecordingHasIt() throws {
        let performance = TroubledPerformance(.otherRecording, measures: try Self.measures(), duration: 125)
        #expect(performance.bars.count == 60)
        // A second before the first bar is played too.
        #expect(performance.bars.map(\.from) == (0..<60).map { 1 + 2 * Double($0) })
        #expect(performance.bars.allSatisfy { $0.sinceLeap == $0.from })
    }

    @Test func slowerMusicTakesLongerByItsTempo() throws {
        let performance = TroubledPerformance(.slower, measures: try Self.measures(), duration: 125)
        for (bar, plain) in zip(performance.bars, 0...) {
            #expect(abs(bar.from - (1 + 2 * Double(plain)) / 0.75) < 1e-9)
        }
    }

    @Test func anUnevenTempoTakesTheSumOfItsSteps() {
        let kind = MadeTrouble.uneven
        let sum = (0..<7).reduce(0.0) { $0 + 2 / kind.tempo(step: $1) } + 1 / kind.tempo(step: 7)
        #expect(abs(kind.duration(ofFirst: 15) - sum) < 1e-9)
    }

    @Test func leapsGoForwardsAndBackInTurnAndTheMusicEnds() throws {
        let performance = TroubledPerformance(.leaps, measures: try Self.measures(), duration: 125)
        let leaps = zip(performance.bars, performance.bars.dropFirst()).compactMap { before, after in
            after.played == before.played + 1 ? nil : after.played - (before.played + 1)
        }
        #expect(leaps.count >= 3)
        #expect(leaps.enumerated().allSatisfy { ($0.offset % 2 == 0) == ($0.element > 0) })
        #expect(leaps.allSatisfy { (1...8).contains(abs($0)) })
        #expect(performance.bars.last?.played == 59)
        #expect(
            zip(performance.bars, performance.bars.dropFirst()).allSatisfy { abs($0.to - $1.from) < 1e-9 })
    }

    @Test(arguments: [0.75, 1.3])
    func stretchedSoundKeepsItsPitch(tempo: Double) {
        let rate = 22_050.0
        let tone = (0..<Int(4 * rate)).map { Float(sin(2 * .pi * 440 * Double($0) / rate)) }
        var stretcher = TempoStretcher(rate: rate)
        var output: [Float] = []
        for start in stride(from: 0, to: tone.count, by: 1_000) {
            output += stretcher.process(tone[start..<min(start + 1_000, tone.count)], tempo: tempo)
        }
        #expect(abs(Double(output.count) / rate - 4 / tempo) < 0.2)
        let middle = output[Int(rate)..<Int(2 * rate)]
        let crossings = zip(middle, middle.dropFirst()).count { $0 < 0 && $1 >= 0 }
        #expect(abs(crossings - 440) <= 4)
        #expect(middle.allSatisfy { abs($0) < 1.2 })
    }

    private static func report(_ seconds: Double, _ printed: Int?, confidence: Double = 0.9) -> PositionReport
    {
        PositionReport(
            liveTime: LiveTime(seconds: seconds), referenceTime: nil, position: nil, printedMeasure: printed,
            tempo: .unity, confidence: confidence, state: printed == nil ? .lost : .following)
    }

    @Test func aBarIsJudgedInItsMiddleOnceTheFollowerHadTimeToFindThePlace() throws {
        let measures = try Self.measures()
        let performance = TroubledPerformance(.otherRecording, measures: measures, duration: 125)
        var judge = TroubleTrial.BarJudge(bars: performance.bars, measures: measures)
        // Bar 5 (9 to 11 s) is shown as bar 40, bar 6 with too little confidence, all others right but late by 0.2 s.
        for step in 0..<1_300 {
            let time = Double(step) / 10 + 0.05
            let bar = Int((time - 1.2) / 2) + 1
            judge.add(
                Self.report(time, time < 1.2 ? nil : bar == 5 ? 40 : bar, confidence: bar == 6 ? 0.3 : 0.9))
        }
        let judged = judge.judged
        // The first six seconds are not judged; they end within the third bar.
        #expect(judged.first?.played == 2)
        let wrong = judged.filter { $0.rightShare < 0.5 }
        #expect(wrong.map(\.played) == [4, 5])
        #expect(wrong.map(\.shownInstead) == [40, nil])
        #expect(judged.filter { $0.played > 5 }.allSatisfy { $0.rightShare == 1 })
    }
}
