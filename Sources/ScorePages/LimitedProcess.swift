import Foundation

/// A program that reads what strangers made, kept within bounds by the kernel and by a clock.
///
/// It runs below other work, without input, environment or core dumps, in a scratch folder of its own. The
/// bounds are set by the shell that becomes the program, so they hold from its first instruction.
struct LimitedProcess: Sendable {
    struct Bounds: Equatable, Sendable {
        var cpuSeconds: Int
        var wallSeconds: Double
        var memoryBytes: Int
        /// The largest file it may write.
        var fileBytes: Int
        /// How far below other work it runs, 0…19.
        var niceness: Int

        /// For a page or a list of pages: a scan at 600 dpi takes some 3 seconds and 200 MB.
        static let page = Bounds(
            cpuSeconds: 15, wallSeconds: 30, memoryBytes: 1_500_000_000, fileBytes: 100_000_000, niceness: 5)
    }

    enum Outcome: Equatable, Sendable {
        case finished(status: Int32)
        /// Ended by a signal, its own fault or a breach of its bounds.
        case killed(signal: Int32)
        case timedOut
        case notStarted(reason: String)
    }

    var executable: URL
    var arguments: [String]
    var bounds: Bounds

    // POSIX counts file sizes in 512 bytes; a bound that is already tighter stays and its complaint is dropped.
    private static let script = """
        ulimit -c 0; ulimit -t "$1"; ulimit -v "$2"; ulimit -f "$3"; ulimit -n 64
        shift 3; exec nice -n "$@"
        """

    /// Runs the program to its end. Cancelling the task stops it as the clock does.
    ///
    /// Output goes to files, not pipes: a program that writes more than a pipe holds never waits for us.
    func run(in folder: URL, output: URL, errors: URL) async -> Outcome {
        let files = FileManager.default
        guard files.createFile(atPath: output.path, contents: nil),
            files.createFile(atPath: errors.path, contents: nil),
            let outputHandle = try? FileHandle(forWritingTo: output),
            let errorHandle = try? FileHandle(forWritingTo: errors)
        else { return .notStarted(reason: "no room for its output in \(output.path)") }
        defer {
            try? outputHandle.close()
            try? errorHandle.close()
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments =
            ["-c", Self.script, "limits", "\(bounds.cpuSeconds)", "\(bounds.memoryBytes / 1_024)"]
            + ["\(bounds.fileBytes / 512)", "\(bounds.niceness)", executable.path] + arguments
        process.environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": folder.path]
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = outputHandle
        process.standardError = errorHandle
        let (ends, ended) = AsyncStream.makeStream(of: Outcome.self)
        process.terminationHandler = {
            let status = $0.terminationStatus
            ended.yield($0.terminationReason == .exit ? .finished(status: status) : .killed(signal: status))
            ended.finish()
        }
        do { try process.run() } catch { return .notStarted(reason: "\(error.localizedDescription)") }

        let limit = bounds.wallSeconds
        return await withTaskGroup(of: Outcome.self) { group in
            group.addTask {
                for await outcome in ends { return outcome }
                return .timedOut
            }
            group.addTask {
                try? await Task.sleep(for: .seconds(limit))
                return .timedOut
            }
            let first = await group.next() ?? .timedOut
            group.cancelAll()
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
            return first
        }
    }

    /// What a program wrote, bounded.
    static func text(of file: URL, limitBytes: Int = 64 * 1_024) -> String {
        guard let handle = try? FileHandle(forReadingFrom: file),
            let bytes = try? handle.read(upToCount: limitBytes)
        else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The last line a program wrote, bounded, as the reason of a failure.
    static func lastLine(of file: URL) -> String {
        let lines = text(of: file).split(whereSeparator: \.isNewline)
        return String((lines.last ?? "").prefix(300)).trimmingCharacters(in: .whitespaces)
    }
}
