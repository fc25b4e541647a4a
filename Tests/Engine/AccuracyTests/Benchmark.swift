import Basics
import Foundation
import Repository
import Score
import Testing

@testable import Accuracy

/// The benchmark beside the repository, where there is one: cases, truths, and its own scorer.
struct Benchmark {
    struct Case {
        var id: String
        var group: String
        var truth: GroundTruth
        var disruption: MusicDisruption?
    }

    var folder: URL
    var scorer: URL { folder.appending(path: "score_alignment.py") }

    /// At `$BATON_BENCH`, or beside the package.
    static let present: Benchmark? = {
        let named = ProcessInfo.processInfo.environment["BATON_BENCH"].map { URL(filePath: $0) }
        let folder = named ?? Repository.root.deletingLastPathComponent().appending(path: "shared/bench")
        let benchmark = Benchmark(folder: folder)
        return FileManager.default.fileExists(atPath: benchmark.scorer.path) ? benchmark : nil
    }()

    /// Whether `python3` with NumPy runs here.
    static let pythonCounts: Bool = (try? run(["-c", "import numpy"]))?.status == 0

    static func run(_ arguments: [String]) throws -> (status: Int32, out: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let out = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: out, as: UTF8.self))
    }

    func cases() throws -> [Case] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().compactMap { id in
            let place = folder.appending(path: id)
            guard let bytes = try? Data(contentsOf: place.appending(path: "case.json")) else { return nil }
            let written = try JSONDecoder().decode(WrittenCase.self, from: bytes)
            func map(_ side: WrittenCase.Side) throws -> MeasureMap {
                let text = try String(contentsOf: place.appending(path: side.measures), encoding: .utf8)
                let table = try SimpleCSVTable(text)
                let (measure, time) = (try table.columnIndex("measure"), try table.columnIndex("time"))
                let marks = try table.rows.map { row in
                    PlayedMeasure(
                        printed: Int(try #require(row.numberInColumn(measure))),
                        onset: ReferenceTime(seconds: try #require(row.numberInColumn(time))))
                }
                return try MeasureMap(marks: marks, end: ReferenceTime(seconds: #require(side.end)))
            }
            let truth = try GroundTruth(
                live: map(written.live), reference: map(written.references[0]),
                unplayedIntervals: (written.holds ?? []).map { .init(start: $0[0], endSeconds: $0[1]) })
            let disruption = written.disruption.map {
                MusicDisruption(
                    kind: $0.type, start: $0.start, end: $0.end, isRecoveryScored: $0.scored ?? true)
            }
            return Case(id: id, group: written.group, truth: truth, disruption: disruption)
        }
    }

    private struct WrittenCase: Decodable {
        struct Side: Decodable {
            var measures: String
            var end: Double?
        }
        struct Disrupted: Decodable {
            var type: String?
            var start: Double?
            var end: Double?
            var scored: Bool?
        }
        var group: String
        var references: [Side]
        var live: Side
        var disruption: Disrupted?
        var holds: [[Double]]?
    }
}
