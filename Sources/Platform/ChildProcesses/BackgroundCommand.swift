import Foundation

/// A command that works for minutes or hours beside a running show: in a process of its own with the lowest priority
/// and limited memory, so that it takes no processor time that the show needs, and an error in it does not end the
/// server.
public struct BackgroundCommand: Sendable {
    /// Listening to the longest recording and aligning it takes less than an eighth of this time on a slow machine.
    static let resourceLimits = LimitedProcess.ResourceLimits(
        cpuSeconds: 8 * 3_600, wallSeconds: 8 * 3_600, memoryBytes: 8 << 30, largestFileBytes: 4 << 30,
        niceness: 19, openFileCount: nil)
    private static let pollingInterval = Duration.milliseconds(200)

    /// The end of a command.
    public struct End: Sendable {
        public var outcome: ChildProcess.Outcome
        /// The reason of a failure, for people: the last line of the command's standard error, or its exit status.
        public var failureReason: String
    }

    /// The program. Its path is absolute, because the command has its own working directory.
    public var program: URL
    public var arguments: [String]

    public init(program: URL, arguments: [String]) {
        self.program = program
        self.arguments = arguments
    }

    /// Runs the command to its end. Cancelling the task kills it, as the time limit does.
    /// - Parameters:
    ///   - folder: the absolute path of the command's working directory. Its output and whatever it makes for itself
    ///     lie there.
    ///   - receiveLine: called with each complete line of standard output, in order, soon after it was written. All
    ///     calls have ended when this returns.
    public func run(
        in folder: String, receiveLine: @escaping @Sendable (String) async -> Void
    ) async -> End {
        let place = URL(fileURLWithPath: folder)
        let (output, errors) = (place.appending(path: "output"), place.appending(path: "errors"))
        let process = LimitedProcess(
            executable: program, arguments: arguments, resourceLimits: Self.resourceLimits,
            furtherEnvironment: Self.makeEnvironment(scratch: folder))
        let reader = Task {
            var lines = LineReader(file: output)
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.pollingInterval)
                for line in lines.readNewLines() { await receiveLine(line) }
            }
            for line in lines.readNewLines() { await receiveLine(line) }
        }
        let outcome = await process.run(in: place, output: output, errors: errors)
        reader.cancel()
        await reader.value
        return End(outcome: outcome, failureReason: outcome.failureReason(errors: errors))
    }

    /// PATH and BATON_VENV lead to the programs that render scores.
    private static func makeEnvironment(scratch: String) -> [String: String] {
        let own = ProcessInfo.processInfo.environment
        var environment = ["TMPDIR": scratch]
        for name in ["PATH", "BATON_VENV"] { environment[name] = own[name] }
        return environment
    }

    /// Reads the complete lines of a file that grows.
    private struct LineReader {
        let file: URL
        private var offset: UInt64 = 0

        init(file: URL) { self.file = file }

        mutating func readNewLines() -> [String] {
            guard let handle = try? FileHandle(forReadingFrom: file) else { return [] }
            defer { try? handle.close() }
            guard (try? handle.seek(toOffset: offset)) != nil, let added = try? handle.readToEnd(),
                let end = added.lastIndex(of: UInt8(ascii: "\n"))
            else { return [] }
            let complete = added[...end]
            offset += UInt64(complete.count)
            return complete.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
