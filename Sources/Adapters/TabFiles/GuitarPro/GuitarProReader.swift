import Basics
import Foundation
import Platform
import Tablature

/// Reads Guitar Pro 3, 4 and 5 through PyGuitarPro, in a process of its own with limits.
public struct GuitarProReader: Sendable {
    /// The limits of one reading. For comparison: a song of 24 kB with four tracks takes 0.6 seconds and 40 MB. The
    /// page waits for a minute.
    static let resourceLimits = LimitedProcess.ResourceLimits(
        cpuSeconds: 40, wallSeconds: 55, memoryBytes: 2_000_000_000, largestFileBytes: 100_000_000,
        niceness: 5)
    public static let mostBytes = 16_000_000

    var script: URL?
    var python: URL?
    var environment: URL

    /// Searches the Python environment in BATON_VENV, and the repository that contains the working directory or the
    /// program.
    public init() {
        let places = ProgramPaths(
            repositoryScript: "Sources/Python/guitarpro_tab.py",
            environment: ProcessInfo.processInfo.environment,
            workingDirectory: URL(fileURLWithPath: FileManager.default.currentDirectoryPath),
            program: URL(fileURLWithPath: "/proc/self/exe"))
        script = places.repositoryScript
        // A PyGuitarPro of the system is as good; without one, the script says so.
        python = places.pythonInterpreter ?? places.findProgram("python3")
        environment = places.pythonEnvironment
    }

    /// - Parameter name: names the file in errors.
    /// - Throws: ``ExplainedError``.
    public func read(_ bytes: [UInt8], name: String) async throws(ExplainedError) -> TabReading {
        guard bytes.count <= Self.mostBytes else {
            throw ExplainedError(
                "\(name) has \(bytes.count / 1_000_000) MB; Guitar Pro files of up to 16 MB are read. Split the piece."
            )
        }
        guard let script else {
            throw ExplainedError(
                "Sources/Python/guitarpro_tab.py was not found beside the program or above the working directory; "
                    + "run baton from inside its repository.")
        }
        guard let python else { throw missing }
        let scratch = try ScratchFolder(prefix: "baton-tab") { path, reason in
            ExplainedError("\(path) cannot be made: \(reason).")
        }
        let copy = scratch.fileURL("tab.gp5")
        do { try Data(bytes).write(to: copy) } catch {
            throw ExplainedError("\(copy.path) cannot be written: \(error.localizedDescription).")
        }
        let program = LimitedProcess(
            executable: python, arguments: ["-I", "-B", script.path, copy.path],
            resourceLimits: Self.resourceLimits)
        let (output, errors) = (scratch.fileURL("tab.json"), scratch.fileURL("errors.txt"))
        switch await program.run(in: scratch.url, output: output, errors: errors) {
        case .finished(status: 0): break
        case .finished(status: 3): throw missing
        case .finished(status: 1):
            throw ExplainedError(
                "\(name) is no Guitar Pro file of version 3 to 5, or it is damaged: "
                    + "\(ChildProcess.lastLine(of: errors)). Save it again in Guitar Pro.")
        case .finished(let status):
            throw ExplainedError(
                "\(name) could not be read: Sources/Python/guitarpro_tab.py ended with status \(status).")
        case .killed, .timedOut:
            throw ExplainedError("\(name) takes more time or memory than a tab may; split the piece.")
        case .notStarted(let reason): throw ExplainedError("\(name) could not be read: \(reason).")
        }
        guard let handle = try? FileHandle(forReadingFrom: output),
            let json = try? handle.read(upToCount: TabJSON.mostBytes + 1)
        else { throw ExplainedError("\(name) could not be read: PyGuitarPro printed nothing.") }
        let tab = try TabJSON.read([UInt8](json), name: name)
        return TabReading(tab: tab, remarks: RemarkCounter().remarks(on: tab))
    }

    private var missing: ExplainedError {
        ExplainedError(
            "Reading Guitar Pro 3 to 5 needs a Python environment with PyGuitarPro at \(environment.path); "
                + "run Tools/verovio-venv (installed: sudo baton-verovio), or set BATON_VENV to where one is."
        )
    }
}
