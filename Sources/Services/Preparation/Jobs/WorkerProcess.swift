import Foundation
import Platform

/// Performs each piece of work by the command `baton work`, in the background of a show.
package struct WorkerProcess: PreparationWorker {
    /// The program `baton`.
    let program: URL

    /// - Returns: nil if the program cannot be found.
    package init?() {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let url = URL(fileURLWithPath: own)
        let program = url.deletingLastPathComponent().appendingPathComponent("baton")
        guard FileManager.default.isExecutableFile(atPath: program.path) else { return nil }
        self.program = program
    }

    /// The files by which the two processes talk, in the folder of the work.
    package enum Files {
        package static let order = "order.json"
        package static let result = "result.json"
    }

    package func perform(
        _ work: PreparationWork, in folder: String,
        progress: @escaping @Sendable (PreparationProgress) -> Void
    ) async -> PreparationWorkResult {
        let place = URL(fileURLWithPath: folder)
        do {
            try JSONEncoder().encode(work).write(to: place.appending(path: Files.order))
        } catch {
            return .notPerformed(
                sentence: "The server's data folder cannot be written: \(error.localizedDescription)")
        }
        let end = await BackgroundCommand(program: program, arguments: ["work", place.path])
            .run(in: place.path) { line in
                if let read = try? JSONDecoder().decode(PreparationProgress.self, from: Data(line.utf8)) {
                    progress(read)
                }
            }
        if let bytes = try? Data(contentsOf: place.appending(path: Files.result)),
            let result = try? JSONDecoder().decode(PreparationWorkResult.self, from: bytes)
        {
            return result
        }
        return Self.result(of: end, isCancelled: Task.isCancelled)
    }

    /// Signals by which a program ends that could not cope with a file.
    private static let crashSignals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGXCPU]

    /// The result of work whose program wrote none. Only a crash and too long a time may be the file's fault.
    static func result(of end: BackgroundCommand.End, isCancelled: Bool) -> PreparationWorkResult {
        if isCancelled { return .notPerformed(sentence: "It was interrupted.") }
        switch end.outcome {
        case .timedOut: return .failed(sentences: ["It took too long and was ended."])
        case .killed(let signal) where crashSignals.contains(signal):
            return .failed(sentences: [
                "The program that was working on it ended unexpectedly "
                    + "(\(end.failureReason)). The file may be damaged; export it again."
            ])
        default:
            return .notPerformed(
                sentence: "The program that works on it did not run to its end "
                    + "(\(end.failureReason)).")
        }
    }
}

/// The other side of ``WorkerProcess``: does the work whose order lies in a folder. Progress goes to standard output,
/// a line of JSON each.
package enum OrderedWork {
    private final class LineWriter: PreparationObserver, @unchecked Sendable {
        // Guarded by `lock`.
        private let lock = NSLock()
        private var stage = ""
        private var written: ContinuousClock.Instant?

        func beginStage(_ stage: String) {
            lock.withLock {
                self.stage = stage
                write(nil)
            }
        }

        func showProgress(_ share: Double) {
            lock.withLock {
                if let written, ContinuousClock.now - written < .milliseconds(200) { return }
                write(min(max(share, 0), 1))
            }
        }

        func printLine(_ line: String) {}

        private func write(_ share: Double?) {
            written = .now
            guard let json = try? JSONEncoder().encode(PreparationProgress(stage: stage, share: share)) else {
                return
            }
            try? FileHandle.standardOutput.write(contentsOf: json + Data("\n".utf8))
        }
    }

    /// - Parameter folder: the folder with the order, in which the result is written.
    /// - Throws: ``PreparationError`` if there is no order that this program understands.
    package static func perform(in folder: String) async throws {
        let place = URL(fileURLWithPath: folder)
        guard let bytes = try? Data(contentsOf: place.appending(path: WorkerProcess.Files.order)),
            let work = try? JSONDecoder().decode(PreparationWork.self, from: bytes)
        else { throw PreparationError("“\(folder)” has no order; the server calls this command by itself.") }
        let result = await work.perform(in: folder, observer: LineWriter())
        do {
            try JSONEncoder().encode(result)
                .write(to: place.appending(path: WorkerProcess.Files.result), options: .atomic)
        } catch {
            throw PreparationError("The result cannot be written: \(error.localizedDescription)")
        }
    }
}
