import Accuracy
import ArgumentParser
import Evaluation
import Foundation
import Listening

/// The results of another evaluation of the same cases, for comparison.
struct ComparedEvaluation {
    private enum Kind {
        case traces(URL)
        case figures([String: [Metric: Double]])
    }

    private struct Written: Decodable {
        /// A value in a case of the other evaluation; values that are not numbers are ignored.
        struct Member: Decodable {
            var value: Double?

            init(from decoder: any Decoder) throws {
                value = try? decoder.singleValueContainer().decode(Double.self)
            }
        }

        var cases: [String: [String: Member]]
    }

    private let place: String
    private let kind: Kind

    /// - Throws: `ValidationError` if there is nothing to compare with.
    init(place: String) throws {
        self.place = place
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: place, isDirectory: &isDirectory) else {
            throw ValidationError("'\(place)' does not exist; --compare needs results of another evaluation.")
        }
        if isDirectory.boolValue {
            kind = .traces(URL(filePath: place))
            return
        }
        guard
            let written = try? JSONDecoder().decode(
                Written.self, from: Data(contentsOf: URL(filePath: place)))
        else {
            throw ValidationError("'\(place)' holds no results; --compare needs a file written by --json.")
        }
        kind = .figures(
            written.cases.mapValues { members in
                Dictionary(
                    uniqueKeysWithValues: Metric.allCases.compactMap { metric in
                        members[metric.rawValue]?.value.map { (metric, $0) }
                    })
            })
    }

    /// Compares the two evaluations case by case; cases that only one of them has are left out.
    func comparison(with results: EvaluationResults) throws(EvaluationCaseError) -> FollowerComparison {
        let groups = ["real", "piano", "orchestra", "multi", "stress"] + results.cases.map(\.group)
        var pairs: [FollowerComparison.Pair] = []
        for entry in results.report?.entries ?? [] {
            guard let item = results.cases.first(where: { $0.id == entry.id }),
                let theirs = try figures(of: item)
            else { continue }
            pairs.append(
                .init(
                    id: entry.id,
                    piece: FollowerComparison.piece(of: entry.id, base: item.base, groups: groups),
                    onsets: entry.score.onsetErrors.count, samples: entry.score.positionErrors.count,
                    ours: Self.figures(entry.summary), theirs: theirs))
        }
        guard !pairs.isEmpty else {
            throw EvaluationCaseError(sentence: "'\(place)' has no case in common with this evaluation.")
        }
        return FollowerComparison(pairs)
    }

    private func figures(of item: EvaluationCase) throws(EvaluationCaseError) -> [Metric: Double]? {
        switch kind {
        case .figures(let cases): return cases[item.id]
        case .traces(let directory):
            guard let truth = item.truth, let trace = try EvaluationFiles.read(id: item.id, in: directory)
            else {
                return nil
            }
            return Self.figures(item.entry(truth: truth, trace: trace, isMissing: false).summary)
        }
    }

    private static func figures(_ summary: Summary) -> [Metric: Double] {
        Dictionary(
            uniqueKeysWithValues: Metric.allCases.compactMap { metric in
                summary[metric].value.map { (metric, $0) }
            })
    }
}
