import ChildProcesses
import Foundation

/// Performs each piece of work by the command `baton work`, in a process with low priority and limited memory.
package struct WorkerProcess: PreparationWorker {
    /// The program `baton`.
    let program: URL

    /// Listening to the longest recording and aligning it takes less than a quarter of this on a slow machine.
    private static let limits = LimitedProcess.ResourceLimits(
        cpuSeconds: 4 * 3_600, wallSeconds: 8 * 3_600, memoryBytes: 8 << 30, largestFileBytes: 4 << 30,
        niceness: 19, openFileCount: nil)
    private static let progressInterval = Duration.milliseconds(200)

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
        let (output, errors) = (place.appending(path: "output"), place.appending(path: "errors"))
        do {
            try JSONEncoder().encode(work).write(to: place.appending(path: Files.order))
        } catch {
            return .notPerformed(
                sentence: "The server's data folder cannot be written: \(error.localizedDescription)")
        }
        let process = LimitedProcess(
            executable: program, arguments: ["work", place.path], resourceLimits: Self.limits,
            furtherEnvironment: Self.environment(scratch: place.path))
        let outcome = await withTaskGroup(of: ChildProcess.Outcome?.self) { group in
            group.addTask { await process.run(in: place, output: output, errors: errors) }
            group.addTask {
                var position: UInt64 = 0
                while !Task.isCancelled {
                    try? await Task.sleep(for: Self.progressInterval)
                    if let newest = Self.newestProgress(in: output, after: &position) { progress(newest) }
                }
                return nil
            }
            while let next = await group.next() {
                guard let next else { continue }
                group.cancelAll()
                return next
            }
            return ChildProcess.Outcome.timedOut
        }
        if let bytes = try? Data(contentsOf: place.appending(path: Files.result)),
            let result = try? JSONDecoder().decode(PreparationWorkResult.self, from: bytes)
        {
            return result
        }
        return Self.result(of: outcome, isCancelled: Task.isCancelled, errors: errors)
    }

    /// Signals by which a program ends that could not cope with a file.
    private static let crashSignals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGXCPU]

    /// The result of work whose program wrote none. Only a crash and too long a time may be the file's fault.
    static func result(
        of outcome: ChildProcess.Outcome, isCancelled: Bool, errors: URL
    ) -> PreparationWorkResult {
        if isCancelled { return .notPerformed(sentence: "It was interrupted.") }
        switch outcome {
        case .timedOut: return .failed(sentences: ["It took too long and was ended."])
        case .killed(let signal) where crashSignals.contains(signal):
            return .failed(sentences: [
                "The program that was working on it ended unexpectedly "
                    + "(\(outcome.failureReason(errors: errors))). The file may be damaged; export it again."
            ])
        default:
            return .notPerformed(
                sentence: "The program that works on it did not run to its end "
                    + "(\(outcome.failureReason(errors: errors))).")
        }
    }

    /// Whatever the work makes for itself lies in its folder, which is removed afterwards. PATH and BATON_VENV lead to
    /// the programs that render scores.
    private static func environment(scratch: String) -> [String: String] {
        let own = ProcessInfo.processInfo.environment
        var environment = ["TMPDIR": scratch]
        for name in ["PATH", "BATON_VENV"] { environment[name] = own[name] }
        return environment
    }

    /// Reads the lines that were added to the output, and returns the progress of the last one.
    private static func newestProgress(in output: URL, after position: inout UInt64) -> PreparationProgress? {
        guard let handle = try? FileHandle(forReadingFrom: output) else { return nil }
        defer { try? handle.close() }
        guard (try? handle.seek(toOffset: position)) != nil, let added = try? handle.readToEnd(),
            let end = added.lastIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        let lines = added[...end]
        position += UInt64(lines.count)
        guard let last = lines.split(separator: UInt8(ascii: "\n")).last else { return nil }
        return try? JSONDecoder().decode(PreparationProgress.self, from: Data(last))
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
    package static func perform(in folder: String) async throws(PreparationError) {
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
