import Accuracy
import Foundation

/// The cases of an evaluation, their results, and all figures computed from them.
package struct EvaluationResults {
    package let cases: [EvaluationCase]
    package let outcomes: [EvaluationWorkerPool.Outcome]
    package let broken: [UnreadableCase]
    /// The benchmark's figures; nil if no case has a ground truth.
    package let report: BenchmarkReport?
    package let conduct: BehaviourReport?
    /// Figures about page turns; nil if they were not requested, or if no case has a ground truth.
    package let turns: TurnReport?

    package init(
        cases: [EvaluationCase], outcomes: [EvaluationWorkerPool.Outcome], broken: [UnreadableCase],
        withTurns: Bool = false
    ) {
        self.cases = cases
        self.outcomes = outcomes
        self.broken = broken
        var entries: [BenchmarkReport.Entry] = []
        var conducts: [BehaviourReport.Entry] = []
        var turns: [TurnReport.Entry] = []
        for (item, outcome) in zip(cases, outcomes) {
            guard let truth = item.truth else { continue }
            let trace = outcome.trace ?? FollowTrace()
            entries.append(item.entry(truth: truth, trace: trace, isMissing: outcome.trace == nil))
            conducts.append(.init(id: item.id, group: item.group, truth: truth.truth, trace: trace))
            if withTurns, let stand = PageTurnSimulation(item, trace: trace) { turns.append(stand.entry()) }
        }
        report = entries.isEmpty ? nil : BenchmarkReport(entries)
        conduct = conducts.isEmpty ? nil : BehaviourReport(conducts)
        self.turns = turns.isEmpty ? nil : TurnReport(turns)
    }

    /// Cases that could not be read or followed, each with a sentence.
    package var failures: [UnreadableCase] {
        zip(cases, outcomes).compactMap { item, outcome in
            outcome.failure.map { UnreadableCase(id: item.id, sentence: $0) }
        } + broken
    }

    /// The benchmark's figures, as its scorer writes them, followed by all other figures.
    package var json: OrderedJSON {
        let unjudged = cases.filter { $0.truth == nil }.map { OrderedJSON.text($0.id) }
        return .object(
            (report?.members ?? []) + [
                .init("conduct", conduct?.json ?? .null)
            ] + (turns.map { [.init("turns", $0.json)] } ?? []) + [
                .init("failed", .object(failures.map { .init($0.id, .text($0.sentence)) })),
                .init("followed_only", .list(unjudged)),
            ])
    }
}

extension EvaluationCase {
    package func entry(truth: CaseTruth, trace: FollowTrace, isMissing: Bool) -> BenchmarkReport.Entry {
        .init(
            id: id, group: group, disruption: truth.disruption,
            score: CaseScore(truth: truth.truth, trace: trace, disruption: truth.disruption),
            isMissing: isMissing)
    }
}

extension EvaluationWorkerPool.Outcome {
    package var trace: FollowTrace? {
        if case .followed(let trace) = self { trace } else { nil }
    }
}
