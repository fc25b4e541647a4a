import Accuracy
import Basics
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
            conducts.append(
                .init(
                    id: item.id, group: item.group, truth: truth.groundTruth, trace: trace,
                    disruption: truth.disruption))
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

extension EvaluationResults {
    /// All figures as a table, CSV: a row for each group and each case. The columns have the names of the JSON's
    /// members; those of an inner object are joined by points.
    package var csv: String {
        guard case .object(let members) = json else { return "" }
        var table = FigureTable()
        table.addFigures(of: .object(members), prefix: "")
        for member in members where ["conduct", "turns", "bar_lines"].contains(member.name) {
            table.addFigures(of: member.value, prefix: member.name + ".")
        }
        return table.csv
    }

    private struct FigureTable {
        private var columns: [String] = []
        private var rows: [(level: String, name: String, values: [String: String])] = []

        /// Adds the figures of the `groups` and `cases` of an object.
        mutating func addFigures(of value: OrderedJSON, prefix: String) {
            guard case .object(let members) = value else { return }
            for (part, level) in [("groups", "group"), ("cases", "case")] {
                let found = members.first { $0.name == part }
                guard case .object(let entries) = found?.value else { continue }
                for entry in entries { addFigures(entry.value, named: prefix, of: level, entry.name) }
            }
        }

        private mutating func addFigures(
            _ value: OrderedJSON, named name: String, of level: String, _ row: String
        ) {
            let text: String
            switch value {
            case .object(let members):
                let prefix = name + (name.isEmpty || name.hasSuffix(".") ? "" : ".")
                for member in members {
                    addFigures(member.value, named: prefix + member.name, of: level, row)
                }
                return
            case .list: return
            case .null: text = ""
            case .bool(let value): text = value ? "true" : "false"
            case .integer(let value): text = "\(value)"
            case .number(let value): text = value.isFinite ? "\(value)" : ""
            case .text(let value): text = value
            }
            if !columns.contains(name) { columns.append(name) }
            if let index = rows.firstIndex(where: { $0.level == level && $0.name == row }) {
                rows[index].values[name] = text
            } else {
                rows.append((level, row, [name: text]))
            }
        }

        var csv: String {
            CSVText.serialize(
                [["level", "name"] + columns]
                    + rows.map { row in [row.level, row.name] + columns.map { row.values[$0] ?? "" } })
        }
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
