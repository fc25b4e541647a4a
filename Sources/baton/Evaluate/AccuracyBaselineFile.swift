import Accuracy
import ArgumentParser
import Foundation

/// Reads and updates `baseline.json`, which holds the accepted accuracy figures, and compares a report with them.
struct AccuracyBaselineFile {
    let file: URL
    private let acceptedBaseline: AccuracyBaseline

    /// Reads the baseline.
    /// - Parameter mayBeNew: true to treat a missing file as an empty baseline.
    /// - Throws: `ValidationError` if the file cannot be used.
    init(file: URL, mayBeNew: Bool) throws {
        self.file = file
        guard let bytes = try? Data(contentsOf: file) else {
            guard mayBeNew else {
                throw ValidationError(
                    "\(file.path) cannot be read; --update-baseline makes a first baseline of this evaluation."
                )
            }
            acceptedBaseline = AccuracyBaseline()
            return
        }
        do {
            acceptedBaseline = try JSONDecoder().decode(AccuracyBaseline.self, from: bytes)
        } catch {
            throw ValidationError(
                "\(file.path) is no baseline: it holds groups or cases, each with metrics of 'accepted' and "
                    + "'tolerance'.")
        }
    }

    /// Compares a report with the baseline.
    /// - Returns: true if no figure got worse or is missing, and a text that lists worse figures, figures that could
    ///   not be compared, and a summary.
    func judge(_ report: AccuracyBenchmarkReport, conduct: FollowerBehaviourReport?)
        -> (holds: Bool, text: String)
    {
        let findings = acceptedBaseline.compareFigures(report, conduct: conduct)
        let bad = findings.filter { $0.verdict == .fell || $0.verdict == .noSuchMetric }
        let measured = findings.filter { $0.verdict != .notMeasured }
        var lines = bad.map(\.sentence)
        if !findings.isEmpty, measured.isEmpty {
            lines.append(
                "Nothing that \(file.lastPathComponent) accepts was measured; it says nothing about this.")
            return (false, lines.joined(separator: "\n"))
        }
        let better = findings.count { $0.verdict == .better }
        lines.append(
            "Baseline \(bad.isEmpty ? "holds" : "does not hold"): \(measured.count) of \(findings.count) figures "
                + "measured, \(bad.count) fell, \(better) better.")
        return (bad.isEmpty, lines.joined(separator: "\n"))
    }

    /// Returns the new content of the file: accepted values are replaced wherever the report is better, and new groups
    /// are added. The same report gives the same bytes.
    func updatedContent(by report: AccuracyBenchmarkReport, conduct: FollowerBehaviourReport?) -> String {
        let raised = acceptedBaseline.raisedToBetterFigures(by: report, conduct: conduct)
        return OrderedJSON.object([
            .init("groups", Self.json(raised.groups)), .init("cases", Self.json(raised.cases)),
        ]).jsonText() + "\n"
    }

    private static func json(_ names: [String: [String: AccuracyBaseline.AcceptedFigure]]) -> OrderedJSON {
        .object(
            names.sorted { $0.key < $1.key }.map { name, metrics in
                .init(
                    name,
                    .object(
                        metrics.sorted { $0.key < $1.key }.map { metric, figure in
                            .init(
                                metric,
                                .object([
                                    .init("accepted", .number(figure.accepted)),
                                    .init("tolerance", .number(figure.tolerance)),
                                ]))
                        }))
            })
    }
}
