import Foundation
import Hosting

/// All results of a benchmark.
package struct BenchmarkCosts: Encodable {
    package var loops: [LoopCosts]
    package var engines: [EngineCosts]
    package var replay: ReplayCosts
    package var budget: [BudgetCheck]

    package init(loops: [LoopCosts], engines: [EngineCosts], replay: ReplayCosts, budget: [BudgetCheck]) {
        self.loops = loops
        self.engines = engines
        self.replay = replay
        self.budget = budget
    }

    package var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    package var table: String {
        var sections = [columns([["INNER LOOP", "WORK", "P50", "P99.9"]] + loops.map(\.row))]
        sections += engines.map {
            columns([["REFERENCE", "\($0.referenceMinutes.digits(0)) min"]] + $0.rows)
        }
        sections.append(columns(replay.rows))
        sections.append(
            columns(
                [["BUDGET", "LIMIT", "MEASURED", ""]]
                    + budget.map { [$0.name, $0.limit, $0.measured, $0.isKept ? "kept" : "BROKEN"] }))
        return sections.joined(separator: "\n\n")
    }
}

extension LoopCosts {
    fileprivate var row: [String] {
        [name, work, spread.p50Nanoseconds.microseconds, spread.p999Nanoseconds.microseconds]
    }
}

extension EngineCosts {
    fileprivate var rows: [[String]] {
        [
            ["model's frames", modelBytes.megabytes],
            ["resident, frames not counted", residentBytes.megabytes],
            ["peak while made", "\(peakBytes.megabytes), in \(makingSeconds.digits(2)) s"],
            ["core share, key open", openingCoreShare.percent],
            ["core share, key found", steadyCoreShare.percent],
            ["core share in real time", pacedCoreShare.percent],
            ["hops, key open", opening.text],
            ["hops, key found", steady.text],
            ["hops in real time", paced.text],
            [
                "allocations",
                allocations.map { "\($0) in \(steady.turns + paced.turns) hops" } ?? "not counted",
            ],
            ["found within 0.5 s", foundShare.percent],
        ]
    }
}

extension ReplayCosts {
    fileprivate var rows: [[String]] {
        [
            ["REPLAY AT ONCE", "\(audioSeconds.digits(0)) s of stereo Ogg Vorbis"],
            [
                "on a core",
                "\(cpuSeconds.digits(2)) s, \(decodingSeconds.digits(2)) s of decoding, not counted",
            ],
            ["by the wall clock", "\(wallSeconds.digits(2)) s"],
            ["speed", "\(speed.digits(0)) x"],
        ]
    }
}

extension DurationSummary {
    fileprivate var text: String {
        "p50 \(p50Nanoseconds.milliseconds), p99 \(p99Nanoseconds.milliseconds), "
            + "p99.9 \(p999Nanoseconds.milliseconds), longest \(longestNanoseconds.milliseconds)"
    }
}

extension Int64 {
    package var milliseconds: String { (Double(self) / 1e6).digits(2) + " ms" }
    var microseconds: String { (Double(self) / 1e3).digits(1) + " us" }
}

extension Int {
    /// The number of bytes in units of a million.
    package var megabytes: String { (Double(self) / 1e6).digits(1) + " MB" }
}

extension Double {
    package var percent: String { (self * 100).digits(2) + " %" }
}

/// Formats a table with columns as wide as their widest entry.
private func columns(_ rows: [[String]]) -> String {
    let width = rows.map(\.count).max() ?? 0
    let widths = (0..<width).map { column in
        rows.compactMap { column < $0.count ? $0[column].count : nil }.max() ?? 0
    }
    return rows.map { row in
        zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
            .joined(separator: "  ").trimmingCharacters(in: .whitespaces)
    }.joined(separator: "\n")
}
