import Foundation

/// Runs a program to its end, with a time limit, and writes its output to files.
public struct ChildProcess: Sendable {
    /// The end of a program.
    public enum Outcome: Equatable, Sendable {
        case finished(status: Int32)
        /// A signal ended the program: it crashed, or the kernel enforced a limit.
        case killed(signal: Int32)
        case timedOut
        case notStarted(reason: String)
    }

    public var executable: URL
    public var arguments: [String]
    public var timeLimitSeconds: Double
    /// The program's environment variables; nil uses the variables of this process.
    public var environment: [String: String]?
    /// The program's working directory; nil uses the working directory of this process.
    public var workingFolder: URL?

    public init(
        executable: URL, arguments: [String], timeLimitSeconds: Double,
        environment: [String: String]? = nil, folder: URL? = nil
    ) {
        self.executable = executable
        self.arguments = arguments
        self.timeLimitSeconds = timeLimitSeconds
        self.environment = environment
        self.workingFolder = folder
    }

    /// Runs the program with empty standard input. Cancelling the task kills the program and the programs that
    /// it runs, as the time limit does.
    ///
    /// Output goes to files, not pipes, so that a program that writes much never blocks on its reader.
    public func run(output: URL, errors: URL) async -> Outcome {
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
        if let environment { process.environment = environment }
        if let workingFolder { process.currentDirectoryURL = workingFolder }
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

        let limit = timeLimitSeconds
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
            if process.isRunning { ProcessTree.kill(process.processIdentifier) }
            return first
        }
    }
}
