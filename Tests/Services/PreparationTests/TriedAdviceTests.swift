import Basics
import Following
import Foundation
import Score
import Testing

@testable import Preparation

/// Advice comes from following the piece with the step and without it.
@Suite struct TriedAdviceTests {
    /// Sixty bars of two seconds each, from second 1.
    private static func measures() throws -> MeasureMap {
        try MeasureMap(
            marks: (0..<60).map {
                PlayedMeasure(printed: $0 + 1, onset: ReferenceTime(seconds: 1 + 2 * Double($0)))
            }, end: ReferenceTime(seconds: 121))
    }

    private static let copy = PieceForecast.LiteralCopy(
        from: 33, to: 40, otherFrom: 41, otherTo: 48, playedFrom: 32, otherPlayedFrom: 40)

    @Test func aPassageIsLeftOutBetweenAMinuteBeforeItAndHalfAMinuteAfterIt() throws {
        let performance = TroubledPerformance(leavingOut: 40..<48, measures: try Self.measures())
        #expect(performance.stretches.map(\.bars) == [10..<40, 48..<60])
        #expect(performance.bars.map(\.played) == Array(10..<40) + Array(48..<60))
        #expect(
            zip(performance.bars, performance.bars.dropFirst()).allSatisfy { abs($0.to - $1.from) < 1e-9 })
        let early = TroubledPerformance(leavingOut: 4..<8, measures: try Self.measures())
        #expect(early.stretches.map(\.bars) == [0..<4, 8..<23])
    }

    @Test func theReturnOfAPassageGetsItsNumbersAndNothingElseChanges() throws {
        let marked = AdviceTrials.renumbered(try Self.measures(), 40..<48, from: 33)
        #expect(
            marked.marks.map(\.printed) == Array(1...40) + Array(33...40) + Array(49...60))
        #expect(try marked.marks.map(\.onset) == Self.measures().marks.map(\.onset))
    }

    /// The bar that is shown is right from this many seconds after the leap on; before it, the left-out passage is
    /// shown.
    @Test(arguments: [0.0, 4.5, 100])
    func theTimeIsCountedUntilTheRightBarIsShownAndStays(lateness: Double) throws {
        let measures = try Self.measures()
        let performance = TroubledPerformance(leavingOut: 40..<48, measures: measures)
        var judge = RecoveryJudge(performance, measures: measures)
        // A second before the first bar, then thirty bars; the leap is at 61 s.
        let leap = 61.0
        for step in 0..<850 {
            let time = Double(step) / 10
            let bar = Int((time - 1) / 2) + 11
            // Once too early the right bar is shown for a moment only.
            let isRight = time >= leap + lateness || time < leap || abs(time - leap - 2) < 0.5
            judge.add(
                PositionReport(
                    liveTime: LiveTime(seconds: time), referenceTime: nil, position: nil,
                    printedMeasure: bar + (time < leap || !isRight ? 0 : 8), tempo: .unity, confidence: 0.9,
                    state: .following))
        }
        #expect(abs(judge.seconds - (lateness == 100 ? 30 : lateness)) < 0.15)
    }

    @Test func onlyWhatWasFoundSoonerIsAdvised() {
        let sooner = TriedAdvice(sameNumbersFor: UnmarkedRepeat(passage: Self.copy), without: 6.23, with: 1.2)
        #expect(sooner.helps)
        #expect(
            sooner.sentence
                == "Bars 41–48 sound like bars 33–40. If they are a repeat, give them the same numbers: "
                + "when they were left out, the right bar was shown after 1.2 s instead of after 6.2 s.")
        #expect(
            TriedAdvice(sameNumbersFor: UnmarkedRepeat(passage: Self.copy), without: 30, with: 3).sentence
                .contains("not within 30 s"))
        #expect(
            !TriedAdvice(sameNumbersFor: UnmarkedRepeat(passage: Self.copy), without: 1.4, with: 1.2).helps)
        #expect(TriedAdvice(furtherRecordingFrom: 0.93, to: 0.95, reader: .command).helps)
        #expect(!TriedAdvice(furtherRecordingFrom: 0.95, to: 0.951, reader: .command).helps)
        #expect(TriedAdvice(furtherRecordingAfter: 0.9, .uneven, reader: .page).helps)
        #expect(!TriedAdvice(furtherRecordingAfter: 0.99, .uneven, reader: .page).helps)
    }

    @Test func aRepeatWhoseFirstBarsSoundOtherwiseIsTriedWithThem() throws {
        let alike = PieceForecast.LiteralCopy(
            from: 36, to: 40, otherFrom: 44, otherTo: 48, playedFrom: 35, otherPlayedFrom: 43)
        let found = UnmarkedRepeat.find(among: [alike, Self.copy], in: try Self.measures())
        #expect(found == [UnmarkedRepeat(passage: Self.copy, unlikeFirstBars: 3)])
        #expect(
            TriedAdvice(sameNumbersFor: found[0], without: 5, with: 1).sentence.hasPrefix(
                "Bars 41–48 sound like bars 33–40, apart from the first 3. If they are a repeat"))
    }

    @Test func whatReturnsMuchLaterOrShortlyBeforeTheEndIsNoRepeatToTry() throws {
        let later = PieceForecast.LiteralCopy(
            from: 11, to: 18, otherFrom: 41, otherTo: 48, playedFrom: 10, otherPlayedFrom: 40)
        let atTheEnd = PieceForecast.LiteralCopy(
            from: 45, to: 52, otherFrom: 53, otherTo: 60, playedFrom: 44, otherPlayedFrom: 52)
        #expect(UnmarkedRepeat.find(among: [later, atTheEnd], in: try Self.measures()).isEmpty)
    }

    @Test func whatWasTriedTakesThePlaceOfTheRules() throws {
        var forecast = try JSONDecoder().decode(
            PieceForecast.self,
            from: Data(
                """
                {"rightShare": 0.9, "low": 0.8, "high": 0.95, "literalCopies": [], "advice": ["By a rule."],
                 "barsPerSecond": 0.5, "tempoVariation": 0.1}
                """.utf8))
        var trials = try JSONDecoder().decode(
            TroubleTrials.self, from: Data(#"{"trials": [], "doubtByBar": [], "passages": []}"#.utf8))
        forecast.take(trials)
        #expect(forecast.advice == ["By a rule."], "trials of an older version tried none")
        let helpful = TriedAdvice(sameNumbersFor: UnmarkedRepeat(passage: Self.copy), without: 6, with: 1)
        trials.tried = [helpful, TriedAdvice(furtherRecordingFrom: 0.95, to: 0.95, reader: .page)]
        forecast.take(trials)
        #expect(forecast.advice == [helpful.sentence])
    }
}
