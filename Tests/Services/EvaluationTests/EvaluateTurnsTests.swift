import Accuracy
import Basics
import Foundation
import Score
import Testing

@testable import Evaluation
@testable import Hosting
@testable import ShowStages

/// Stands are turned by traces as they would be in a room.
@Suite struct EvaluateTurnsTests {
    private let item: EvaluationCase
    private let truth: GroundTruth

    init() throws {
        let map = try MeasureMap(
            marks: (0..<100).map {
                PlayedMeasure(printed: $0 + 1, onset: ReferenceTime(seconds: 1 + 2 * Double($0)))
            }, end: ReferenceTime(seconds: 201))
        truth = try GroundTruth(live: map, reference: map)
        item = EvaluationCase(
            id: "made", group: "made", title: "",
            question: EvaluationCaseInput(
                references: [.init(audioPath: "", measures: map)], liveAudioPath: "", firstMeasure: 1),
            truth: EvaluationCaseTruth(groundTruth: truth))
    }

    private func trace(
        lag: Double = 0, state: (Double) -> FollowTrace.State = { _ in .following }
    ) -> FollowTrace {
        FollowTrace(
            reports: (1...10_000).map {
                let time = Double($0) / 50
                let place = max(time - lag, 1)
                return .init(
                    liveSeconds: time, measureWithFraction: truth.truePosition(at: place),
                    referenceSeconds: place,
                    state: state(time))
            })
    }

    private func tally(_ trace: FollowTrace) throws -> PageTurnTally {
        PageTurnReport([try #require(PageTurnSimulation(item, trace: trace)).makeReportEntry()])
            .talliesByGroup[0]
            .tally
    }

    @Test func aPerfectFollowerTurnsEveryPageWhenItIsWished() throws {
        let tally = try tally(trace())
        #expect(tally.turnCount > 2 * PageTurnSimulation.randomPartCount)
        #expect(tally.turnShare(within: 0.03) == 1)
        #expect(tally.unwishedTurnCount == 0)
    }

    @Test func aFollowerThatLagsTurnsLateByAsMuch() throws {
        let tally = try tally(trace(lag: 0.8))
        #expect(tally.turnShare(within: 0.5) == 0)
        #expect(abs((tally.medianErrorSeconds ?? 0) - 0.8) < 0.03)
        #expect(tally.countOffByFollower == tally.turnCount)
    }

    @Test func aLostFollowerTurnsNothing() throws {
        let tally = try tally(trace { _ in .lost })
        #expect(tally.missedTurnCount == tally.turnCount)
        #expect(tally.turnCountWhileLost == 0)
        #expect(tally.unwishedTurnCount == 0)
    }

    @Test func theSameTraceGivesTheSameBytes() throws {
        func text() throws -> String {
            PageTurnReport([try #require(PageTurnSimulation(item, trace: trace(lag: 0.3))).makeReportEntry()])
                .json
                .jsonText()
        }
        #expect(try text() == text())
    }

    @Test func turnsAreInTheFiguresWhereSomebodyAsked() {
        func names(_ withTurns: Bool) -> [String] {
            guard
                case .object(let members) = EvaluationResults(
                    cases: [item], outcomes: [.followed(trace())], broken: [], withTurns: withTurns
                ).json
            else { return [] }
            return members.map(\.name)
        }
        #expect(!names(false).contains("turns") && !names(false).contains("bar_lines"))
        #expect(names(true).contains("turns") && names(true).contains("bar_lines"))
    }

    @Test func whatAnotherEvaluationLeftIsJudgedWithoutFollowing() throws {
        let folder = try LiveFolder()
        try EvaluationFiles().writeTrace(trace(), id: "made", in: folder.url)
        var other = item
        other.id = "other"
        let outcomes = try EvaluationFiles.readOutcomes(of: [item, other], in: folder.url)
        #expect(outcomes[0].trace == trace())
        #expect(outcomes[1].failure?.contains("evaluate it with --out first") == true)
    }

    private func barLines(_ trace: FollowTrace) throws -> BarLineReport.CaseBarLines {
        try #require(BarLineSimulation(item, trace: trace)).makeReportEntry()
    }

    @Test func aPerfectFollowerPredictsEveryBarLineAndFiresEveryCueInTime() throws {
        let result = try barLines(trace())
        #expect(result.errorsBySpeed.count == 99 && result.errorsByTempo.count == 99)
        // In the first second the position stands still, which the speed forgets within some seconds.
        #expect(result.errorsBySpeed.dropFirst(10).allSatisfy { abs($0) < 0.05 })
        #expect(result.errorsByTempo.allSatisfy { abs($0) < 0.03 })
        #expect(result.cueErrors.count == 99)
        #expect(result.cueErrors.dropFirst(10).allSatisfy { abs($0) < 0.05 })
        #expect(result.wrongCueCount == 0 && result.cueCountWhileLost == 0)
    }

    @Test func aFollowerThatLagsPredictsEveryBarLineLateByAsMuch() throws {
        let result = try barLines(trace(lag: 0.4))
        #expect(result.errorsBySpeed.dropFirst(10).allSatisfy { abs($0 - 0.4) < 0.05 })
        #expect(result.cueErrors.dropFirst(10).allSatisfy { abs($0 - 0.4) < 0.05 })
    }

    @Test func aLostFollowerPredictsNothing() throws {
        let result = try barLines(trace { (50..<70).contains($0) ? .lost : .following })
        // The bar lines at 51, 53 … 69.
        #expect(result.errorsBySpeed.count(where: \.isInfinite) == 10)
        #expect(result.cueErrors.count(where: \.isInfinite) >= 9)
        #expect(result.wrongCueCount == 0 && result.cueCountWhileLost == 0)
        let text = BarLineReport([result]).markdownTables(perCase: true)
        #expect(text.contains("| made | 99 |"))
        #expect(text.contains("| next bar line, 1 s ahead | bars |"))
    }
}
