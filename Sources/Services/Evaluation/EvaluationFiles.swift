import Accuracy
import Basics
import Foundation
import Listening
import Synchronization

/// Writes the files of an evaluation, so that each file is complete or absent.
package final class EvaluationFiles: Sendable {
    private let writeLock = Mutex(())

    package init() {}

    /// Writes a file to a temporary name first, then renames it.
    package func writeFile(_ text: String, to file: URL) throws {
        do {
            try writeLock.withLock { _ in
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file, options: .atomic)
            }
        } catch {
            throw ExplainedError("\(file.path) cannot be written: \(error.localizedDescription)")
        }
    }

    /// Writes a trace in both formats: `<id>.csv` for benchmarks, `<id>.trace.csv` with all fields.
    package func writeTrace(_ trace: FollowTrace, id: String, in directory: URL) throws {
        try writeFile(TraceTable.benchmarkCSV(trace), to: Self.benchmarkTraceFile(id, in: directory))
        try writeFile(TraceTable.fullCSV(trace), to: Self.fullTraceFile(id, in: directory))
    }

    /// Deletes the traces of an earlier evaluation for a case that has failed now.
    package func removeTraces(id: String, in directory: URL) {
        for file in [Self.benchmarkTraceFile(id, in: directory), Self.fullTraceFile(id, in: directory)] {
            try? FileManager.default.removeItem(at: file)
        }
    }

    /// The trace of an earlier evaluation; nil if there is none.
    package static func readTrace(id: String, in directory: URL) throws -> FollowTrace? {
        for file in [fullTraceFile(id, in: directory), benchmarkTraceFile(id, in: directory)] {
            guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
            do {
                return try TraceTable.readTrace(text)
            } catch {
                throw ExplainedError("\(file.path): \(error.sentence)")
            }
        }
        return nil
    }

    /// Reads the results of an earlier evaluation from its traces.
    package static func readOutcomes(
        of cases: [EvaluationCase], in directory: URL
    ) throws -> [EvaluationWorkerPool.Outcome] {
        var outcomes: [EvaluationWorkerPool.Outcome] = []
        for item in cases {
            if let trace = try readTrace(id: item.id, in: directory) {
                outcomes.append(.followed(trace))
            } else {
                outcomes.append(
                    .failed(sentence: "\(directory.path) holds no trace of it; evaluate it with --out first.")
                )
            }
        }
        return outcomes
    }

    /// Waits until the file that is being written is complete, then ends the process.
    package func endProcess(_ status: Int32, after cleaning: () -> Void) -> Never {
        writeLock.withLock { _ in
            cleaning()
            exit(status)
        }
    }

    private static func benchmarkTraceFile(_ id: String, in directory: URL) -> URL {
        directory.appending(path: id + ".csv")
    }

    private static func fullTraceFile(_ id: String, in directory: URL) -> URL {
        directory.appending(path: id + ".trace.csv")
    }
}
