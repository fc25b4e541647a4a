import Basics
import Foundation
import Testing

@testable import Accuracy

/// Judged by the benchmark's own scorer: the same text and the same figures, to the last digit, below headings that
/// name each column.
@Suite(
    .enabled(if: Benchmark.present != nil, "no benchmark beside the package and none at BATON_BENCH"),
    .enabled(if: Benchmark.pythonCounts, "python3 with numpy is not installed"))
struct ReferenceScorerTests {
    @Test(arguments: [UInt64(1), 2])
    func theTablesAndFiguresAreTheScorersOwn(seed: UInt64) throws {
        let benchmark = try #require(Benchmark.present)
        let folder = FileManager.default.temporaryDirectory.appending(path: "accuracy-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        var random = SeededRandomGenerator(seed: seed)
        var entries: [AccuracyBenchmarkReport.CaseResult] = []
        for item in try benchmark.cases() {
            let isMissing = Int.random(in: 0..<12, using: &random) == 0
            let trace = isMissing ? FollowTrace() : Self.perturbed(item.truth, &random)
            if !isMissing {
                let text = TraceTable.benchmarkCSV(trace)
                try Data(text.utf8).write(to: folder.appending(path: item.id + ".csv"))
                #expect(try TraceTable.readTrace(text).reportedMeasures.count == trace.reports.count)
            }
            let score = BenchmarkCaseAccuracy(truth: item.truth, trace: trace, disruption: item.disruption)
            entries.append(
                .init(
                    id: item.id, group: item.group, disruption: item.disruption, accuracy: score,
                    isMissing: isMissing))
        }
        let report = AccuracyBenchmarkReport(entries)
        let json = folder.appending(path: "results.json")
        let scorer = try Benchmark.run([
            benchmark.scorer.path, benchmark.folder.path, folder.path, "--per-case", "--json", json.path,
        ])
        #expect(scorer.status == 0)
        Self.expectSameLines(report.markdownTables(perCase: true), scorer.out)
        Self.expectSameLines(
            OrderedJSON.object(report.jsonMembers).jsonText(), try String(contentsOf: json, encoding: .utf8))
    }

    private static func expectSameLines(_ ours: String, _ theirs: String) {
        let ours = ours.split(separator: "\n", omittingEmptySubsequences: false)
        let theirs = theirs.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(ours.count == theirs.count)
        for (line, pair) in zip(ours, theirs).enumerated() where pair.0 != pair.1 {
            // The scorer gives several columns of a table the same name.
            let (cells, theirCells) = (pair.0.split(separator: " | "), pair.1.split(separator: " | "))
            let isHeading = ["| group", "| case", "| disruption"].contains { cells.first == $0[...] }
            if isHeading, cells.first == theirCells.first, cells.count == theirCells.count,
                Set(cells).count == cells.count
            {
                continue
            }
            Issue.record("line \(line + 1): '\(pair.0)', the scorer has '\(pair.1)'")
        }
    }

    /// The truth, late or early by a wandering amount, with gaps, wrong guesses, freezes and rounding.
    private static func perturbed(_ truth: GroundTruth, _ random: inout SeededRandomGenerator) -> FollowTrace
    {
        var points: [FollowTrace.Report] = []
        let step = [0.02, 0.05, 0.1, 0.0232].randomElement(using: &random) ?? 0.05
        let ease = Double.random(in: 0...1.5, using: &random)
        let roughness = Double.random(in: 0...0.02, using: &random)
        var delay = 0.1
        var mood = 0
        var frozen = truth.measureNumbers[0]
        var time = Double.random(in: 0...0.4, using: &random)
        while time < truth.endSeconds + 3 {
            delay += Double.random(in: -0.02...0.021, using: &random) * ease
            if Double.random(in: 0..<1, using: &random) < roughness * step {
                mood = Int.random(in: 0..<5, using: &random)
            }
            let place = truth.truePosition(
                at: min(max(time - delay, truth.measureOnsets[0]), truth.endSeconds))
            let measure: Double? =
                switch mood {
                case 1: nil
                case 2: frozen
                case 3: place + 4
                case 4: (place * 10).rounded() / 10
                default: place
                }
            if mood != 2 { frozen = place }
            points.append(.init(liveSeconds: time, measureWithFraction: measure))
            time += step
        }
        return FollowTrace(reports: points)
    }
}
