import Accuracy
import ArgumentParser
import Basics
import Evaluation
import Foundation
import Listening

/// The results of another evaluation of the same cases, for comparison.
struct ComparedEvaluation {
    private enum ResultsSource {
        case tracesFolder(URL)
        case figuresByCase([String: [AccuracyMetric: Double]])
    }

    private struct ResultsFile: Decodable {
        /// A value in a case of the other evaluation; values that are not numbers are ignored.
        struct CaseValue: Decodable {
            var value: Double?

            init(from decoder: any Decoder) throws {
                value = try? decoder.singleValueContainer().decode(Double.self)
            }
        }

        var cases: [String: [String: CaseValue]]
    }

    private let path: String
    private let resultsSource: ResultsSource

    /// Reads the results to compare with.
    /// - Throws: `ValidationError` if there is nothing to compare with.
    init(path: String) throws {
        self.path = path
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw ValidationError("'\(path)' does not exist; --compare needs results of another evaluation.")
        }
        if isDirectory.boolValue {
            resultsSource = .tracesFolder(URL(filePath: path))
            return
        }
        guard
            let written = try? JSONDecoder().decode(
                ResultsFile.self, from: Data(contentsOf: URL(filePath: path)))
        else {
            throw ValidationError("'\(path)' holds no results; --compare needs a file written by --json.")
        }
        resultsSource = .figuresByCase(
            written.cases.mapValues { members in
                Dictionary(
                    uniqueKeysWithValues: AccuracyMetric.allCases.compactMap { metric in
                        members[metric.rawValue]?.value.map { (metric, $0) }
                    })
            })
    }

    /// Compares the two evaluations case by case; cases that only one of them has are left out.
    func comparison(with results: EvaluationResults) throws -> FollowerComparison {
        let groups = ["real", "piano", "orchestra", "multi", "stress"] + results.cases.map(\.group)
        var pairs: [FollowerComparison.PairedCaseFigures] = []
        for entry in results.benchmarkReport?.caseResults ?? [] {
            guard let item = results.cases.first(where: { $0.id == entry.id }),
                let theirs = try comparedFigures(of: item)
            else { continue }
            pairs.append(
                .init(
                    id: entry.id,
                    piece: FollowerComparison.casePieceName(
                        of: entry.id, base: item.originalCaseID, groups: groups),
                    onsetCount: entry.accuracy.onsetErrors.count,
                    sampleCount: entry.accuracy.positionErrors.count,
                    ourFigures: Self.figuresByMetric(entry.accuracySummary), theirFigures: theirs))
        }
        guard !pairs.isEmpty else {
            throw ExplainedError("'\(path)' has no case in common with this evaluation.")
        }
        return FollowerComparison(pairs)
    }

    private func comparedFigures(of item: EvaluationCase) throws -> [AccuracyMetric:
        Double]?
    {
        switch resultsSource {
        case .figuresByCase(let cases): return cases[item.id]
        case .tracesFolder(let directory):
            guard let truth = item.truth,
                let trace = try EvaluationFiles.readTrace(id: item.id, in: directory)
            else {
                return nil
            }
            return Self.figuresByMetric(
                item.makeReportEntry(truth: truth, trace: trace, isMissing: false).accuracySummary)
        }
    }

    private static func figuresByMetric(_ summary: AccuracySummary) -> [AccuracyMetric: Double] {
        Dictionary(
            uniqueKeysWithValues: AccuracyMetric.allCases.compactMap { metric in
                summary[metric].value.map { (metric, $0) }
            })
    }
}
