import Testing

@testable import Accuracy

@Suite struct BaselineTests {
    private func report(lag: Double) throws -> AccuracyBenchmarkReport {
        AccuracyBenchmarkReport([
            try Made.entry("a", group: "piano", lag: lag), try Made.entry("b", group: "real", lag: 0),
        ])
    }

    @Test func whatWasAcceptedHolds() throws {
        let report = try report(lag: 3)
        let findings = AccuracyBaseline().raisedToBetterFigures(by: report).compareFigures(report)
        #expect(!findings.isEmpty)
        #expect(findings.allSatisfy { $0.verdict == .holds })
    }

    @Test func fallingBelowIsNamed() throws {
        let baseline = AccuracyBaseline().raisedToBetterFigures(by: try report(lag: 0))
        let fallen = baseline.compareFigures(try report(lag: 3)).filter { $0.verdict == .fell }
        #expect(Set(fallen.map(\.groupOrCase)) == ["ALL", "piano"])
        #expect(fallen.contains { $0.sentence.contains("fell below the baseline") })
    }

    @Test func theRatchetOnlyTightens() throws {
        let accepted = AccuracyBaseline().raisedToBetterFigures(by: try report(lag: 3))
        let better = accepted.raisedToBetterFigures(by: try report(lag: 0))
        #expect(better != accepted)
        #expect(better.raisedToBetterFigures(by: try report(lag: 3)) == better)
    }

    @Test func aToleranceForgivesAsMuchAsItSays() throws {
        let report = try report(lag: 0)
        let hit = try #require(report.groups.last?.pooledSummary[.rightMeasureShare].value)
        let within = AccuracyBaseline(groups: [
            "ALL": ["measure_hit": .init(accepted: hit + 0.005, tolerance: 0.005)]
        ]
        )
        #expect(within.compareFigures(report).map(\.verdict) == [.holds])
        let beyond = AccuracyBaseline(groups: [
            "ALL": ["measure_hit": .init(accepted: hit + 0.0051, tolerance: 0.005)]
        ])
        #expect(beyond.compareFigures(report).map(\.verdict) == [.fell])
    }

    @Test func lowerIsBetterForErrors() throws {
        let report = try report(lag: 0)
        let baseline = AccuracyBaseline(cases: ["a": ["onset_abs_p95": .init(accepted: 5, tolerance: 0)]])
        #expect(baseline.compareFigures(report).map(\.verdict) == [.better])
    }

    @Test func aGroupOfOtherSizeIsNotCompared() throws {
        let baseline = AccuracyBaseline().raisedToBetterFigures(by: try report(lag: 0))
        let smaller = AccuracyBenchmarkReport([try Made.entry("a", group: "piano", lag: 0)])
        let findings = baseline.compareFigures(smaller)
        #expect(findings.filter { $0.groupOrCase != "piano" }.allSatisfy { $0.verdict == .notMeasured })
        #expect(findings.filter { $0.groupOrCase == "piano" }.allSatisfy { $0.verdict == .holds })
    }

    /// Whoever shows more wrong bars as certain, or decides later, falls below what was accepted of a group of jumps.
    @Test func conductIsAcceptedWhereCasesHaveTroubleToRecoverFrom() throws {
        let truth = try Made.truth(Array(1...20))
        func conduct(lateBy seconds: Double, disruption: MusicDisruption?) -> FollowerBehaviourReport {
            let trace = Made.trace(truth) { (11..<11 + seconds) ~= $0 ? 1 : $1 }
            return FollowerBehaviourReport([
                .init(id: "a", group: "piano", truth: truth, trace: trace, disruption: disruption)
            ])
        }
        let jump = MusicDisruption(kind: "cut", end: 11)
        let report = try report(lag: 0)
        let early = conduct(lateBy: 2, disruption: jump)
        let baseline = AccuracyBaseline().raisedToBetterFigures(by: report, conduct: early)
        #expect(baseline.groups["piano"]?["decided_median_s"]?.accepted == 2)
        #expect(baseline.groups["real"]?["decided_median_s"] == nil)
        #expect(baseline.compareFigures(report, conduct: early).allSatisfy { $0.verdict == .holds })
        let fallen = baseline.compareFigures(report, conduct: conduct(lateBy: 5, disruption: jump))
            .filter { $0.groupOrCase == "piano" && $0.verdict == .fell }
        #expect(Set(fallen.map(\.metric)) == ["wrong_certain_s_per_h", "decided_median_s"])
        let untroubled = AccuracyBaseline().raisedToBetterFigures(
            by: report, conduct: conduct(lateBy: 2, disruption: nil))
        #expect(untroubled.groups["piano"]?["wrong_certain_s_per_h"] == nil)
    }

    @Test func unknownMetricsAreNamed() throws {
        let baseline = AccuracyBaseline(groups: ["ALL": ["speed": .init(accepted: 1, tolerance: 0)]])
        #expect(baseline.compareFigures(try report(lag: 0)).map(\.verdict) == [.noSuchMetric])
    }
}
