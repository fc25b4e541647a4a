import Basics
import Score
import Testing

@testable import ScoreFiles

@Suite struct MeasureTimesCheckTests {
    /// Measures of two seconds from a list of printed numbers.
    private func even(_ printed: [Int]) -> [PlayedMeasure] {
        marks(printed.enumerated().map { ($0.element, Double($0.offset) * 2 + 1) })
    }

    private func kinds(_ check: MeasureTimesCheck) -> [MeasureTimesFinding.Kind] {
        check.findings.map(\.kind)
    }

    @Test func aGoodListHasNoFindings() {
        let check = MeasureTimesCheck(
            marks: even(Array(1...20)), end: ReferenceTime(seconds: 41), audioDuration: Seconds(45))
        #expect(check.findings.isEmpty)
        #expect(check.isUsable)
    }

    @Test func nothingIsAnError() {
        let check = MeasureTimesCheck(marks: [])
        #expect(kinds(check) == [.empty])
        #expect(!check.isUsable)
    }

    @Test func onsetsThatCannotBeAreErrorsWithTheirRow() {
        let list = marks([(1, -0.5), (2, 2), (3, 1.5), (4, 4), (5, 4), (6, .nan), (7, 50)])
        let check = MeasureTimesCheck(marks: list, audioDuration: Seconds(45))
        let errors = check.findings.filter { $0.severity == .error }
        #expect(errors.map(\.kind) == [.beforeZero, .notRising, .duplicate, .notANumber, .beyondAudio])
        #expect(errors.map(\.row) == [0, 2, 4, 5, 6])
        #expect(errors.map(\.printedNumber) == [1, 3, 5, 6, 7])
        #expect(!check.isUsable)
        #expect(
            errors[1].sentence
                == "Row 3, measure 3, starts at 1.5 s, before measure 2 in the row before it (2 s).")
    }

    @Test func sentencesNameTheLineOfTheFile() throws {
        let times = try read("# mine\nmeasure,time\n1,3\n2,2.25\n")
        let check = MeasureTimesCheck(times)
        #expect(
            check.findings.map(\.sentence) == [
                "Line 4, measure 2, starts at 2.25 s, before measure 1 in the row before it (3 s)."
            ])
    }

    @Test func theEndLiesBehindTheMusicAndWithinTheAudio() {
        let list = even([1, 2, 3])
        func found(_ end: Double) -> [MeasureTimesFinding] {
            MeasureTimesCheck(marks: list, end: ReferenceTime(seconds: end), audioDuration: Seconds(8))
                .findings
        }
        #expect(found(8).isEmpty)
        #expect(found(5).map(\.kind) == [.endBeforeLastMeasure])
        #expect(found(.nan).map(\.kind) == [.endBeforeLastMeasure])
        #expect(found(8.4).map(\.severity) == [.warning])
        #expect(found(9).map(\.severity) == [.error])
        #expect(found(9).map(\.kind) == [.endBeyondAudio])
    }

    @Test func aMissedBarLineIsALongMeasureAndAnExtraOneAShort() {
        var long = even(Array(1...12))
        for row in 6..<12 { long[row].onset = ReferenceTime(seconds: long[row].onset.seconds + 4.5) }
        let missed = MeasureTimesCheck(marks: long)
        #expect(kinds(missed) == [.long])
        #expect(missed.findings.first?.row == 5)
        #expect(missed.findings.first?.severity == .warning)

        var short = even(Array(1...12))
        short[6].onset = ReferenceTime(seconds: short[5].onset.seconds + 0.3)
        #expect(MeasureTimesCheck(marks: short).findings.map(\.row) == [5])
        short[6].onset = ReferenceTime(seconds: short[5].onset.seconds + 0.01)
        #expect(kinds(MeasureTimesCheck(marks: short)) == [.short])
    }

    @Test func aPickupAndASlowEndingAreNotSuspicious() {
        var list = even(Array(0...12))
        list[0].onset = ReferenceTime(seconds: 2.7)
        #expect(MeasureTimesCheck(marks: list).findings.isEmpty)
        let slowing = (0..<30).map { row in
            let seconds = Double(row) * 2 + Double(row * row) * 0.05
            return PlayedMeasure(printed: row + 1, onset: ReferenceTime(seconds: seconds))
        }
        #expect(MeasureTimesCheck(marks: slowing).findings.isEmpty)
    }

    @Test func missingNumbersAreAWarningAndRepeatsANote() {
        let missing = MeasureTimesCheck(marks: even(Array(1...16) + Array(20...25)))
        #expect(kinds(missing) == [.numbersMissing])
        #expect(
            missing.findings.first?.sentence == "Row 17, measure 20, follows measure 16: 17–19 is missing.")

        let repeated = MeasureTimesCheck(marks: even([1, 2, 3, 4, 1, 2, 3, 5, 6]))
        #expect(kinds(repeated) == [.jumpBack, .jumpForward])
        #expect(repeated.findings.allSatisfy { $0.severity == .note })
        #expect(repeated.isUsable)

        let slip = MeasureTimesCheck(marks: even([4, 5, 6, 2, 7]))
        #expect(slip.findings.first?.severity == .warning)
        #expect(kinds(MeasureTimesCheck(marks: even([1, 2, 2, 3]))) == [.numberTwice])
        #expect(
            MeasureTimesCheck(marks: even([4, 1, 2, 6])).findings.last?.sentence
                == "Row 4, measure 6, follows measure 2: 2 of 3–5 are missing.")
    }

    @Test func extremeNumbersAreSurvived() {
        let check = MeasureTimesCheck(marks: even([.min, .max, .min, 0, .max, .max]))
        #expect(check.repeatStructure.playedMeasureCount == 6)
        #expect(
            !MeasureTimesCheck(
                marks: marks([(1, 1e300), (2, -1e300), (3, .infinity)]), audioDuration: Seconds(.nan)
            )
            .isUsable)
    }

    @Test func findingsOfAKindAreListedToALimitAndThenCounted() {
        let check = MeasureTimesCheck(marks: even(Array(1...500)), audioDuration: Seconds(1))
        // The first measure begins with the end of the recording, all others behind it.
        #expect(check.findings.map(\.kind) == [.beyondAudio, .beyondAudio, .beyondAudio, .more])
        #expect(
            check.findings.last?.sentence.hasPrefix("And 497 more rows are like this one: Row 1, ") == true)
        #expect(check.findings.last?.severity == .error)
    }

    @Test func whatOnlyLooksOddIsListedLonger() {
        // Each tenth measure is more than thrice as long as the others.
        var onset = 0.0
        let list = (1...400).map { number in
            defer { onset += number.isMultiple(of: 10) ? 7 : 2 }
            return PlayedMeasure(printed: number, onset: ReferenceTime(seconds: onset))
        }
        let found = MeasureTimesCheck(marks: list).findings
        #expect(found.count { $0.kind == .long } == MeasureTimesCheck.maximumListedPerKind(.warning))
        #expect(found.count { $0.kind == .more } == 1)
    }
}

@Suite struct UnfoldingTests {
    private func unfolding(_ printed: [Int]) -> RepeatStructure {
        RepeatStructure(printed.map { PlayedMeasure(printed: $0, onset: ReferenceTime(seconds: 0)) })
    }

    @Test func repeatsAreRangesOfPrintedNumbers() {
        let piece = unfolding(Array(0...4) + Array(1...3) + Array(5...8) + [1, 2])
        #expect(piece.playedMeasureCount == 14)
        #expect(piece.distinctPrintedCount == 9)
        #expect(piece.printedRange == 0...8)
        #expect(piece.repeatedRanges == [.init(printed: 1...2, times: 3), .init(printed: 3...3, times: 2)])
        #expect(piece.summarySentence == "14 played measures, 9 printed ones (0–8), 1–2 3 times, 3 twice.")
    }

    @Test func aSplitBarIsNoRepeat() {
        #expect(unfolding([1, 2, 2, 3]).repeatedRanges.isEmpty)
        #expect(unfolding([1, 2, 2, 1, 2, 2, 3]).repeatedRanges == [.init(printed: 1...2, times: 2)])
    }

    @Test func nothingUnfoldsToNothing() {
        #expect(unfolding([]).printedRange == nil)
        #expect(unfolding([]).summarySentence == "There is no measure.")
    }
}
