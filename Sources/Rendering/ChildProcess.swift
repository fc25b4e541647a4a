import Foundation

/// A program run to its end with a time limit, its output kept.
struct ChildProcess {
    enum Outcome: Equatable, Sendable {
        case finished(status: Int32)
        case timedOut
        case notStarted(reason: String)
    }

    var executable: URL
    var arguments: [String]
    var timeLimitSeconds: Double

    /// Runs the program without input. Cancelling the task stops it as the time limit does.
    ///
    /// Output goes to files, not pipes: a program that writes more than a pipe holds never waits for us.
    func run(output: URL, errors: URL) async -> Outcome {
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
        process.executableURL = executable
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = outputHandle
        process.standardError = errorHandle
        let (ends, ended) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = {
            ended.yield($0.terminationReason == .exit ? $0.terminationStatus : 128 + $0.terminationStatus)
            ended.finish()
        }
        do { try process.run() } catch { return .notStarted(reason: "\(error.localizedDescription)") }

        let limit = timeLimitSeconds
        return await withTaskGroup(of: Outcome.self) { group in
            group.addTask {
                for await status in ends { return .finished(status: status) }
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

    /// The last line a program wrote, bounded, as the reason of a failure.
    static func lastLine(of file: URL) -> String {
        guard let handle = try? FileHandle(forReadingFrom: file),
            let bytes = try? handle.read(upToCount: 64 * 1_024)
        else { return "" }
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        return String((lines.last ?? "").prefix(300)).trimmingCharacters(in: .whitespaces)
    }
}
