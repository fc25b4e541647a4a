import Accuracy
import Foundation
import Synchronization

/// Files an evaluation leaves behind; each is whole or absent.
final class EvaluateOutput: Sendable {
    private let writing = Mutex(())

    /// Under a name of its own first, then renamed.
    func write(_ text: String, to file: URL) throws(CaseFailure) {
        do {
            try writing.withLock { _ in
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file, options: .atomic)
            }
        } catch {
            throw CaseFailure(sentence: "\(file.path) cannot be written: \(error.localizedDescription)")
        }
    }

    /// The trace in both forms: `<id>.csv` as benchmarks want it, `<id>.trace.csv` with all that was said.
    func write(_ trace: FollowTrace, id: String, in directory: URL) throws(CaseFailure) {
        try write(TraceTable.benchmarkText(trace), to: Self.benchmarkFile(id, in: directory))
        try write(TraceTable.fullText(trace), to: Self.fullFile(id, in: directory))
    }

    /// Takes away what an earlier evaluation left for a case that now failed.
    func remove(id: String, in directory: URL) {
        for file in [Self.benchmarkFile(id, in: directory), Self.fullFile(id, in: directory)] {
            try? FileManager.default.removeItem(at: file)
        }
    }

    /// The trace another evaluation left, nil where it left none.
    static func read(id: String, in directory: URL) throws(CaseFailure) -> FollowTrace? {
        for file in [fullFile(id, in: directory), benchmarkFile(id, in: directory)] {
            guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
            do {
                return try TraceTable.read(text)
            } catch {
                throw CaseFailure(sentence: "\(file.path): \(error.sentence)")
            }
        }
        return nil
    }

    /// What became of each case in another evaluation, by the traces it left.
    static func outcomes(
        of cases: [EvaluationCase], in directory: URL
    ) throws(CaseFailure) -> [EvaluateCrew.Outcome] {
        var outcomes: [EvaluateCrew.Outcome] = []
        for item in cases {
            if let trace = try read(id: item.id, in: directory) {
                outcomes.append(.followed(trace))
            } else {
                outcomes.append(
                    .failed(sentence: "\(directory.path) holds no trace of it; evaluate it with --out first.")
                )
            }
        }
        return outcomes
    }

    /// Waits for a file being written, then ends the process.
    func endProcess(_ status: Int32, after cleaning: () -> Void) -> Never {
        writing.withLock { _ in
            cleaning()
            exit(status)
        }
    }

    private static func benchmarkFile(_ id: String, in directory: URL) -> URL {
        directory.appending(path: id + ".csv")
    }

    private static func fullFile(_ id: String, in directory: URL) -> URL {
        directory.appending(path: id + ".trace.csv")
    }
}
