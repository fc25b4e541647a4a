import Foundation

/// A program that reads what strangers made, kept within bounds by the kernel and by a clock.
///
/// It runs below other work, without input, environment or core dumps, in a scratch folder of its own. The
/// bounds are set by the shell that becomes the program, so they hold from its first instruction.
public struct LimitedProcess: Sendable {
    public struct Bounds: Equatable, Sendable {
        public var cpuSeconds: Int
        public var wallSeconds: Double
        public var memoryBytes: Int
        /// The largest file it may write.
        public var fileBytes: Int
        /// How far below other work it runs, 0…19.
        public var niceness: Int

        public init(cpuSeconds: Int, wallSeconds: Double, memoryBytes: Int, fileBytes: Int, niceness: Int) {
            self.cpuSeconds = cpuSeconds
            self.wallSeconds = wallSeconds
            self.memoryBytes = memoryBytes
            self.fileBytes = fileBytes
            self.niceness = niceness
        }
    }

    public var executable: URL
    public var arguments: [String]
    public var bounds: Bounds

    public init(executable: URL, arguments: [String], bounds: Bounds) {
        self.executable = executable
        self.arguments = arguments
        self.bounds = bounds
    }

    // POSIX counts file sizes in 512 bytes; a bound that is already tighter stays and its complaint is dropped.
    private static let script = """
        ulimit -c 0; ulimit -t "$1"; ulimit -v "$2"; ulimit -f "$3"; ulimit -n 64
        shift 3; exec nice -n "$@"
        """

    /// Runs the program to its end. Cancelling the task stops it as the clock does.
    ///
    /// A program that is missing ends with the shell's status for it, 127.
    public func run(in folder: URL, output: URL, errors: URL) async -> ChildProcess.Outcome {
        await ChildProcess(
            executable: URL(fileURLWithPath: "/bin/sh"),
            arguments: ["-c", Self.script, "limits", "\(bounds.cpuSeconds)", "\(bounds.memoryBytes / 1_024)"]
                + ["\(bounds.fileBytes / 512)", "\(bounds.niceness)", executable.path] + arguments,
            timeLimitSeconds: bounds.wallSeconds,
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": folder.path],
            folder: folder
        ).run(output: output, errors: errors)
    }
}
