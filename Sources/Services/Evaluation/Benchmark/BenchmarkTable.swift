import Foundation
import Hosting

/// All results of a benchmark.
package struct BenchmarkResults: Encodable {
    package var loops: [InnerLoopCosts]
    package var engines: [EngineCosts]
    package var replay: ReplayCosts
    package var budgetChecks: [BudgetCheck]

    package init(
        loops: [InnerLoopCosts], engines: [EngineCosts], replay: ReplayCosts, budgetChecks: [BudgetCheck]
    ) {
        self.loops = loops
        self.engines = engines
        self.replay = replay
        self.budgetChecks = budgetChecks
    }

    package var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    package var table: String {
        var sections = [alignedTable([["INNER LOOP", "WORK", "P50", "P99.9"]] + loops.map(\.tableRow))]
        sections += engines.map {
            alignedTable([["REFERENCE", "\($0.referenceMinutes.decimalText(0)) min"]] + $0.tableRows)
        }
        sections.append(alignedTable(replay.tableRows))
        sections.append(
            alignedTable(
                [["BUDGET", "LIMIT", "MEASURED", ""]]
                    + budgetChecks.map { [$0.name, $0.limit, $0.measured, $0.isKept ? "kept" : "BROKEN"] }))
        return sections.joined(separator: "\n\n")
    }
}

extension InnerLoopCosts {
    fileprivate var tableRow: [String] {
        [
            name, work, spread.p50Nanoseconds.formattedAsMicroseconds,
            spread.p999Nanoseconds.formattedAsMicroseconds,
        ]
    }
}

extension EngineCosts {
    fileprivate var tableRows: [[String]] {
        [
            ["model's frames", modelBytes.formattedAsMegabytes],
            ["resident, frames not counted", residentBytes.formattedAsMegabytes],
            ["peak while made", "\(peakBytes.formattedAsMegabytes), in \(makingSeconds.decimalText(2)) s"],
            ["core share, key open", openingCoreShare.formattedAsPercent],
            ["core share, key found", steadyCoreShare.formattedAsPercent],
            ["core share in real time", pacedCoreShare.formattedAsPercent],
            ["hops, key open", opening.text],
            ["hops, key found", steady.text],
            ["hops in real time", paced.text],
            [
                "allocations",
                allocations.map { "\($0) in \(steady.turns + paced.turns) hops" } ?? "not counted",
            ],
            ["found within 0.5 s", foundShare.formattedAsPercent],
        ]
    }
}

extension ReplayCosts {
    fileprivate var tableRows: [[String]] {
        [
            ["REPLAY AT ONCE", "\(audioSeconds.decimalText(0)) s of stereo Ogg Vorbis"],
            [
                "on a core",
                "\(cpuSeconds.decimalText(2)) s, \(decodingSeconds.decimalText(2)) s of decoding, not counted",
            ],
            ["by the wall clock", "\(wallSeconds.decimalText(2)) s"],
            ["speed", "\(speed.decimalText(0)) x"],
        ]
    }
}

extension DurationSummary {
    fileprivate var text: String {
        "p50 \(p50Nanoseconds.formattedAsMilliseconds), p99 \(p99Nanoseconds.formattedAsMilliseconds), "
            + "p99.9 \(p999Nanoseconds.formattedAsMilliseconds), longest \(longestNanoseconds.formattedAsMilliseconds)"
    }
}

extension Int64 {
    package var formattedAsMilliseconds: String { (Double(self) / 1e6).decimalText(2) + " ms" }
    var formattedAsMicroseconds: String { (Double(self) / 1e3).decimalText(1) + " us" }
}

extension Int {
    /// Formats a number of bytes in megabytes of a million bytes, such as `12.3 MB`.
    package var formattedAsMegabytes: String { (Double(self) / 1e6).decimalText(1) + " MB" }
}

extension Double {
    package var formattedAsPercent: String { (self * 100).decimalText(2) + " %" }
}

/// Formats a table with columns as wide as their widest entry.
private func alignedTable(_ rows: [[String]]) -> String {
    let width = rows.map(\.count).max() ?? 0
    let widths = (0..<width).map { column in
        rows.compactMap { column < $0.count ? $0[column].count : nil }.max() ?? 0
    }
    return rows.map { row in
        zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
            .joined(separator: "  ").trimmingCharacters(in: .whitespaces)
    }.joined(separator: "\n")
}
