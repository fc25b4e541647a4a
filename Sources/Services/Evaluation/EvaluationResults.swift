import Accuracy
import Foundation

/// The cases of an evaluation, their results, and all figures computed from them.
package struct EvaluationResults {
    package let cases: [EvaluationCase]
    package let outcomes: [EvaluationWorkerPool.Outcome]
    package let unreadableCases: [UnreadableEvaluationCase]
    /// The benchmark's figures; nil if no case has a ground truth.
    package let benchmarkReport: AccuracyBenchmarkReport?
    package let behaviourReport: FollowerBehaviourReport?
    /// Figures about page turns; nil if they were not requested, or if no case has a ground truth.
    package let pageTurnReport: PageTurnReport?
    /// Figures about the prediction of bar lines; nil if those about page turns are.
    package let barLineReport: BarLineReport?

    package init(
        cases: [EvaluationCase], outcomes: [EvaluationWorkerPool.Outcome], broken: [UnreadableEvaluationCase],
        withTurns: Bool = false
    ) {
        self.cases = cases
        self.outcomes = outcomes
        self.unreadableCases = broken
        var entries: [AccuracyBenchmarkReport.CaseResult] = []
        var conducts: [FollowerBehaviourReport.CaseBehaviour] = []
        var turns: [PageTurnReport.CasePageTurns] = []
        var barLines: [BarLineReport.CaseBarLines] = []
        for (item, outcome) in zip(cases, outcomes) {
            guard let truth = item.truth else { continue }
            let trace = outcome.trace ?? FollowTrace()
            entries.append(item.makeReportEntry(truth: truth, trace: trace, isMissing: outcome.trace == nil))
            conducts.append(.init(id: item.id, group: item.group, truth: truth.groundTruth, trace: trace))
            if withTurns, let stand = PageTurnSimulation(item, trace: trace) {
                turns.append(stand.makeReportEntry())
            }
            if withTurns, let prediction = BarLineSimulation(item, trace: trace) {
                barLines.append(prediction.makeReportEntry())
            }
        }
        benchmarkReport = entries.isEmpty ? nil : AccuracyBenchmarkReport(entries)
        behaviourReport = conducts.isEmpty ? nil : FollowerBehaviourReport(conducts)
        self.pageTurnReport = turns.isEmpty ? nil : PageTurnReport(turns)
        barLineReport = barLines.isEmpty ? nil : BarLineReport(barLines)
    }

    /// Cases that could not be read or followed, each with a sentence.
    package var failures: [UnreadableEvaluationCase] {
        zip(cases, outcomes).compactMap { item, outcome in
            outcome.failure.map { UnreadableEvaluationCase(id: item.id, sentence: $0) }
        } + unreadableCases
    }

    /// The benchmark's figures, as its scorer writes them, followed by all other figures.
    package var json: OrderedJSON {
        let unjudged = cases.filter { $0.truth == nil }.map { OrderedJSON.text($0.id) }
        return .object(
            (benchmarkReport?.jsonMembers ?? []) + [
                .init("conduct", behaviourReport?.json ?? .null)
            ] + (pageTurnReport.map { [.init("turns", $0.json)] } ?? [])
                + (barLineReport.map { [.init("bar_lines", $0.json)] } ?? []) + [
                    .init("failed", .object(failures.map { .init($0.id, .text($0.sentence)) })),
                    .init("followed_only", .list(unjudged)),
                ])
    }
}

extension EvaluationCase {
    package func makeReportEntry(truth: EvaluationCaseTruth, trace: FollowTrace, isMissing: Bool)
        -> AccuracyBenchmarkReport.CaseResult
    {
        .init(
            id: id, group: group, disruption: truth.disruption,
            accuracy: BenchmarkCaseAccuracy(
                truth: truth.groundTruth, trace: trace, disruption: truth.disruption),
            isMissing: isMissing)
    }
}

extension EvaluationWorkerPool.Outcome {
    package var trace: FollowTrace? {
        if case .followed(let trace) = self { trace } else { nil }
    }
}
