import Foundation

/// Runs a program on untrusted input. The kernel and a time limit restrict what the program can do.
///
/// The program runs at a low priority, without standard input or core dumps, with a minimal environment, in a scratch
/// folder of its own. A shell sets the limits and then executes the program in its own process, so the limits hold
/// from the program's first instruction.
public struct LimitedProcess: Sendable {
    /// The limits within which the kernel keeps a program.
    public struct ResourceLimits: Equatable, Sendable {
        public var cpuSeconds: Int
        public var wallSeconds: Double
        public var memoryBytes: Int
        /// The size in bytes of the largest file that the program may write.
        public var largestFileBytes: Int
        /// The increase of the program's nice value, 0…19; 19 is the lowest priority.
        public var niceness: Int
        /// The number of files that the program may have open; nil for as many as this process may. A program that
        /// starts others needs as many: it inherits a descriptor of this process, whatever number that has, and cannot
        /// start anything if the number is above its own limit.
        public var openFileCount: Int?

        public init(
            cpuSeconds: Int, wallSeconds: Double, memoryBytes: Int, largestFileBytes: Int, niceness: Int,
            openFileCount: Int? = 64
        ) {
            self.cpuSeconds = cpuSeconds
            self.wallSeconds = wallSeconds
            self.memoryBytes = memoryBytes
            self.largestFileBytes = largestFileBytes
            self.niceness = niceness
            self.openFileCount = openFileCount
        }
    }

    public var executable: URL
    public var arguments: [String]
    public var resourceLimits: ResourceLimits
    /// Environment variables besides the minimal ones, which they may replace.
    public var furtherEnvironment: [String: String]

    public init(
        executable: URL, arguments: [String], resourceLimits: ResourceLimits,
        furtherEnvironment: [String: String] = [:]
    ) {
        self.furtherEnvironment = furtherEnvironment
        self.executable = executable
        self.arguments = arguments
        self.resourceLimits = resourceLimits
    }

    // POSIX counts file sizes in units of 512 bytes. A limit that is already tighter stays; the shell's complaint
    // about it is discarded.
    private static let limitingShellScript = """
        ulimit -c 0; ulimit -t "$1"; ulimit -v "$2"; ulimit -f "$3"
        [ -z "$4" ] || ulimit -n "$4"
        shift 4; exec nice -n "$@"
        """

    /// Runs the program to its end. Cancelling the task kills the program, as the time limit does.
    ///
    /// If the program does not exist, the outcome is the shell's exit status for a missing program, 127.
    public func run(in folder: URL, output: URL, errors: URL) async -> ChildProcess.Outcome {
        await process(in: folder).run(output: output, errors: errors)
    }

    /// Runs the program like ``run(in:output:errors:)`` and blocks the thread until it has ended.
    public func runBlocking(in folder: URL, output: URL, errors: URL) -> ChildProcess.Outcome {
        process(in: folder).runBlocking(output: output, errors: errors)
    }

    private func process(in folder: URL) -> ChildProcess {
        ChildProcess(
            executable: URL(fileURLWithPath: "/bin/sh"),
            arguments: [
                "-c", Self.limitingShellScript, "limits", "\(resourceLimits.cpuSeconds)",
                "\(resourceLimits.memoryBytes / 1_024)",
            ]
                + [
                    "\(resourceLimits.largestFileBytes / 512)",
                    resourceLimits.openFileCount.map(String.init) ?? "", "\(resourceLimits.niceness)",
                    executable.path,
                ] + arguments,
            timeLimitSeconds: resourceLimits.wallSeconds,
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": folder.path]
                .merging(furtherEnvironment) { $1 },
            folder: folder)
    }
}
