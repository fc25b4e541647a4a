import Testing

@testable import Accuracy

@Suite struct MadePagesTests {
    @Test(arguments: 20...200)
    func everyPageHoldsTwentyToFortyMeasures(count: Int) {
        for seed in UInt64(1)...5 {
            let pages = RandomPages(printed: 1...count, seed: seed)
            #expect(pages.pageMeasureRanges.allSatisfy { RandomPages.measuresPerPage.contains($0.count) })
            #expect(pages.pageMeasureRanges.flatMap { Array($0) } == Array(1...count))
        }
    }

    @Test func aSeedGivesTheSamePagesAndAnotherOthers() {
        let pages = RandomPages(printed: 1...200, seed: 7)
        #expect(pages == RandomPages(printed: (1...200).reversed(), seed: 7))
        #expect(pages != RandomPages(printed: 1...200, seed: 8))
    }

    @Test func aShortScoreIsOnePageAndRepeatsAreOnTheirFirstPage() {
        #expect(RandomPages(printed: [3, 1, 2], seed: 1).pageMeasureRanges == [1...3])
        let pages = RandomPages(printed: Array(1...60) + Array(1...60), seed: 1)
        #expect(pages.pageMeasureRanges.last?.upperBound == 60)
        #expect(pages.pageIndex(of: 1) == 0)
        #expect(pages.pageIndex(of: 60) == pages.pageMeasureRanges.count - 1)
        #expect(pages.pageIndex(of: -5) == 0)
        #expect(pages.pageIndex(of: 99) == pages.pageMeasureRanges.count - 1)
    }
}

/// Two-second measures from second 1 on, ten of them on a page.
@Suite struct TurnScoreTests {
    private let truth: GroundTruth
    private let wishes: [WishedPageTurn]

    init() throws {
        truth = try Made.truth(Array(1...30))
        wishes = WishedPageTurn.allWishedTurns(in: truth, page: { ($0 - 1) / 10 }, leadSeconds: { $0 / 2 })
    }

    private func score(_ made: [(Int, Double)], state: (Double) -> FollowTrace.State = { _ in .following })
        -> PageTurnAccuracy
    {
        PageTurnAccuracy(
            wishes: wishes, made: made.map { ActualPageTurn(page: $0.0, seconds: $0.1) }, truth: truth,
            trace: Made.trace(truth, state: state))
    }

    @Test func aPageIsWishedALeadBeforeItsEnd() {
        #expect(wishes.map(\.targetPage) == [1, 2])
        #expect(wishes.map(\.wishedAtSeconds) == [20, 40])
        #expect(wishes.map(\.lastMeasureBeforeTurn) == [10, 20])
        #expect(wishes.map(\.pagePlayingInterval) == [21..<41, 41..<61])
    }

    @Test func beforeAHoldThePageIsWishedWhereTheMusicStops() throws {
        let held = try Made.truth(Array(1...30), holds: [.init(start: 20.5, endSeconds: 21)])
        let wishes = WishedPageTurn.allWishedTurns(in: held, page: { ($0 - 1) / 10 }, leadSeconds: { _ in 1 })
        #expect(wishes[0].wishedAtSeconds == 19.5)
    }

    @Test func aRepeatIsATurnBack() throws {
        let again = try Made.truth(Array(1...20) + Array(1...20))
        let wishes = WishedPageTurn.allWishedTurns(
            in: again, page: { ($0 - 1) / 10 }, leadSeconds: { _ in 1 })
        #expect(wishes.map(\.targetPage) == [1, 0, 1])
    }

    @Test func earlyAndLateAreLiveSecondsAfterTheWish() {
        let score = score([(1, 19.75), (2, 40.5)])
        #expect(score.turnResults.map(\.errorSeconds) == [-0.25, 0.5])
        #expect(score.unwishedTurns.isEmpty)
        #expect(score.turnsWhileLost.isEmpty)
    }

    @Test func aPageThatComesWhenItIsOverIsMissedAndWrong() {
        let score = score([(1, 41.5), (2, 42)])
        #expect(score.turnResults.map(\.errorSeconds) == [nil, 2])
        #expect(score.unwishedTurns.count == 1)
    }

    @Test(arguments: [(2, 10.0), (1, 14.9), (0, 25.0)])
    func aPageNobodyWishedIsWrong(page: Int, seconds: Double) {
        let score = score([(1, 20), (page, seconds), (2, 40)].sorted { $0.1 < $1.1 })
        #expect(score.unwishedTurns == [ActualPageTurn(page: page, seconds: seconds)])
        #expect(score.turnResults.allSatisfy { $0.errorSeconds == 0 })
    }

    @Test func aPageTakenAwayAndGivenBackIsWrongTwice() {
        #expect(score([(1, 20), (0, 20.5), (1, 20.6), (2, 40)]).unwishedTurns.count == 2)
    }

    @Test func aTurnWhileLostIsCountedWhereverItGoes() {
        let score = score([(1, 20), (2, 40)]) { (19..<22).contains($0) ? .lost : .following }
        #expect(score.turnsWhileLost == [ActualPageTurn(page: 1, seconds: 20)])
    }

    @Test func theCauseIsTheFollowersWhereItWasOff() {
        let late = Made.trace(truth) { time, place in time > 30 ? place - 0.4 : place }
        let made = [ActualPageTurn(page: 1, seconds: 21), ActualPageTurn(page: 2, seconds: 40.9)]
        let score = PageTurnAccuracy(wishes: wishes, made: made, truth: truth, trace: late)
        #expect(score.turnResults.map(\.cause) == [.foresight, .follower])
        #expect(abs(score.turnResults[0].followerSeconds ?? 9) < 0.03)
        #expect(abs((score.turnResults[1].followerSeconds ?? 9) - 0.8) < 0.03)
    }
}

@Suite struct TurnReportTests {
    private func entry(_ group: String, _ made: [Double]) throws -> PageTurnReport.CasePageTurns {
        let truth = try Made.truth(Array(1...30))
        let wishes = WishedPageTurn.allWishedTurns(
            in: truth, page: { ($0 - 1) / 10 }, leadSeconds: { _ in 1 })
        let turns = made.enumerated().map { ActualPageTurn(page: $0 + 1, seconds: $1) }
        let score = PageTurnAccuracy(wishes: wishes, made: turns, truth: truth, trace: Made.trace(truth))
        return .init(id: "case-" + group, group: group, accuracyByPageLayout: [score, score])
    }

    @Test func sharesAreOfAllWishesAndGroupsArePooled() throws {
        let report = PageTurnReport([try entry("a", [20.1]), try entry("b", [20.3, 41.5])])
        #expect(report.talliesByGroup.map(\.name) == ["a", "b", "ALL"])
        let all = report.talliesByGroup[2].tally
        #expect(all.turnCount == 8)
        #expect(all.missedTurnCount == 2)
        #expect(all.turnShare(within: 0.25) == 0.25)
        #expect(all.turnShare(within: 0.5) == 0.5)
        #expect(all.shareWithFollowerError(within: 0.5) == 1)
        #expect(abs((all.latestErrorSeconds ?? 0) - 1.5) < 1e-9)
    }

    @Test func everyFaultIsNamedOnceTheFarthestFirst() throws {
        let report = PageTurnReport([try entry("a", [20.1]), try entry("b", [20.7, 41.5])])
        let lines = report.mistimedTurnTable().split(separator: "\n").dropFirst(2)
        #expect(lines.map { $0.contains("missed") } == [true, false, false])
        #expect(lines.map { $0.contains("| 20 |") } == [true, true, false])
        #expect(report.mistimedTurnTable(most: 1).contains("2 further places"))
    }

    @Test func nothingToTurnHasNoShares() throws {
        let report = PageTurnReport([.init(id: "short", group: "a", accuracyByPageLayout: [])])
        #expect(report.talliesByGroup[0].tally.turnShare(within: 0.5) == nil)
        #expect(report.markdownTable(perCase: true).split(separator: "\n").count == 4)
        #expect(report.json.jsonText().contains("\"within_0.5\": null"))
    }
}
