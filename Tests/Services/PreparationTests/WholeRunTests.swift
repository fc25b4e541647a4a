import Testing

@testable import Preparation

/// A reference is a whole performance: in one run if there is one, otherwise taken together from passages.
@Suite struct WholeRunTests {
    /// Measures of two seconds each, from some second on.
    private func passage(_ played: Range<Int>, at second: Double, doubtful: Int = 0) -> PlayedPassage {
        let onsets = played.indices.map { second + 2 * Double($0 - played.lowerBound) }
        return PlayedPassage(
            played: played, onsets: onsets, end: second + 2 * Double(played.count), doubtfulCount: doubtful)
    }

    private func segments(_ passages: [PlayedPassage], count: Int = 10) -> [WholeRun.Segment] {
        guard case .whole(let run) = WholeRun.find(in: passages, count: count) else { return [] }
        return run.segments
    }

    @Test func theClearestOfSeveralCompleteRunsIsTaken() {
        let passages = [
            passage(0..<10, at: 100, doubtful: 2), passage(0..<10, at: 200), passage(0..<4, at: 300),
            passage(0..<10, at: 400, doubtful: 1),
        ]
        #expect(segments(passages) == [.init(played: 0..<10, time: 200..<220)])
        guard case .whole(let run) = WholeRun.find(in: passages, count: 10) else { return }
        #expect(run.completeCount == 3)
    }

    @Test func theLatestOfEquallyClearRunsIsTaken() {
        #expect(
            segments([passage(0..<10, at: 100), passage(0..<10, at: 400)])
                == [.init(played: 0..<10, time: 400..<420)])
    }

    @Test func aRestartIsLeftWhereTheNextTryBegins() {
        let passages = [passage(0..<6, at: 100), passage(4..<10, at: 130)]
        #expect(
            segments(passages)
                == [.init(played: 0..<4, time: 100..<108), .init(played: 4..<10, time: 130..<142)])
    }

    @Test func theEndMayHaveBeenRehearsedBeforeTheBeginning() {
        let passages = [passage(5..<10, at: 100), passage(0..<5, at: 200)]
        #expect(
            segments(passages)
                == [.init(played: 0..<5, time: 200..<210), .init(played: 5..<10, time: 100..<110)])
    }

    @Test func asFewPassagesAsPossibleAreTaken() {
        let passages = [
            passage(0..<3, at: 0), passage(2..<5, at: 20), passage(0..<6, at: 40), passage(4..<8, at: 60),
            passage(5..<10, at: 80),
        ]
        #expect(segments(passages).map(\.played) == [0..<5, 5..<10])
    }

    @Test func whatNobodyPlayedIsNamed() {
        #expect(
            WholeRun.find(in: [passage(1..<4, at: 0), passage(6..<8, at: 20)], count: 10)
                == .incomplete(missing: [0..<1, 4..<6, 8..<10]))
        #expect(WholeRun.find(in: [], count: 10) == .incomplete(missing: [0..<10]))
    }

    @Test func barsAndRepeatsHaveTheirPrintedNumbers() {
        let printed = [1, 2, 3, 1, 2, 3, 4]
        #expect(EveningSentences.bars(0..<2, printed) == "bars 1–2")
        #expect(EveningSentences.bars(3..<6, printed) == "the repeat of bars 1–3")
        #expect(EveningSentences.bars(6..<7, printed) == "bar 4")
        #expect(EveningSentences.clock(3_723.4) == "1:02:03")
    }
}
