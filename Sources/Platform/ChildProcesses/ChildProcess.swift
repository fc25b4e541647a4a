import Foundation
import Synchronization

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
        let (ends, ended) = AsyncStream.makeStream(of: Outcome.self)
        let process: Process
        switch start(
            output, errors,
            onEnd: {
                ended.yield($0); ended.finish()
            })
        {
        case .success(let started): process = started
        case .failure(let fault): return .notStarted(reason: fault.reason)
        }
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

    /// Runs the program like ``run(output:errors:)`` and blocks the thread until it has ended, for work that is not
    /// asynchronous.
    public func runBlocking(output: URL, errors: URL) -> Outcome {
        let end = DispatchSemaphore(value: 0)
        let outcome = Mutex(Outcome.timedOut)
        let process: Process
        switch start(
            output, errors,
            onEnd: { ended in
                outcome.withLock { $0 = ended }
                end.signal()
            })
        {
        case .success(let started): process = started
        case .failure(let fault): return .notStarted(reason: fault.reason)
        }
        if end.wait(timeout: .now() + timeLimitSeconds) == .timedOut, process.isRunning {
            ProcessTree.kill(process.processIdentifier)
            return .timedOut
        }
        return outcome.withLock { $0 }
    }

    private struct StartFault: Error {
        var reason: String
    }

    /// - Parameter onEnd: called once, on a thread of Foundation.
    private func start(
        _ output: URL, _ errors: URL, onEnd: @escaping @Sendable (Outcome) -> Void
    ) -> Result<Process, StartFault> {
        let files = FileManager.default
        guard files.createFile(atPath: output.path, contents: nil),
            files.createFile(atPath: errors.path, contents: nil),
            let outputHandle = try? FileHandle(forWritingTo: output),
            let errorHandle = try? FileHandle(forWritingTo: errors)
        else { return .failure(StartFault(reason: "no room for its output in \(output.path)")) }
        // The program has its own descriptors once it runs.
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
        process.terminationHandler = {
            let status = $0.terminationStatus
            onEnd($0.terminationReason == .exit ? .finished(status: status) : .killed(signal: status))
        }
        do { try process.run() } catch {
            return .failure(StartFault(reason: "\(error.localizedDescription)"))
        }
        return .success(process)
    }
}
