import ChildProcesses
import Foundation

/// The paths of the external programs that read, draw and engrave pages.
public struct PageTools: Sendable {
    public var pdfinfo: URL?
    public var pdftoppm: URL?
    public var sha256sum: URL?
    /// The Python interpreter of the environment that holds Verovio.
    public var python: URL?
    /// The expected path of the Python environment that holds Verovio; it may not exist.
    public var pythonEnvironment: URL
    public var engraver: URL?

    public init(
        pdfinfo: URL?, pdftoppm: URL?, sha256sum: URL?, python: URL?, pythonEnvironment: URL, engraver: URL?
    ) {
        self.pdfinfo = pdfinfo
        self.pdftoppm = pdftoppm
        self.sha256sum = sha256sum
        self.python = python
        self.pythonEnvironment = pythonEnvironment
        self.engraver = engraver
    }

    /// Searches the directories of PATH, the Python environment in BATON_VENV, and the repository that contains the
    /// working directory or the program.
    public static func find(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        workingDirectory: URL = URL(fileURLWithPath: FileManager.default.currentDirectoryPath),
        program: URL = URL(fileURLWithPath: CommandLine.arguments.first ?? "baton")
    ) -> PageTools {
        let places = ProgramPaths(
            script: "Tools/engrave.py", environment: environment, workingDirectory: workingDirectory,
            program: program)
        return PageTools(
            pdfinfo: places.program("pdfinfo"), pdftoppm: places.program("pdftoppm"),
            sha256sum: places.program("sha256sum"), python: places.python,
            pythonEnvironment: places.pythonEnvironment, engraver: places.script)
    }
}
