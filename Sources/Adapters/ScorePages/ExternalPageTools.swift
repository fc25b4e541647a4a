import Foundation
import Platform

/// The paths of the external programs that read, draw and engrave pages.
public struct ExternalPageTools: Sendable {
    public var pdfinfo: URL?
    public var pdftoppm: URL?
    public var sha256sum: URL?
    /// The Python interpreter of the environment that holds Verovio.
    public var pythonInterpreter: URL?
    /// The expected path of the Python environment that holds Verovio; it may not exist.
    public var verovioPythonEnvironment: URL
    public var engraverScript: URL?

    public init(
        pdfinfo: URL?, pdftoppm: URL?, sha256sum: URL?, pythonInterpreter: URL?,
        verovioPythonEnvironment: URL, engraverScript: URL?
    ) {
        self.pdfinfo = pdfinfo
        self.pdftoppm = pdftoppm
        self.sha256sum = sha256sum
        self.pythonInterpreter = pythonInterpreter
        self.verovioPythonEnvironment = verovioPythonEnvironment
        self.engraverScript = engraverScript
    }

    /// Searches the directories of PATH, the Python environment in BATON_VENV, and the repository that contains the
    /// working directory or the program.
    public static func findTools(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        workingDirectory: URL = URL(fileURLWithPath: FileManager.default.currentDirectoryPath),
        program: URL = URL(fileURLWithPath: "/proc/self/exe")
    ) -> ExternalPageTools {
        let places = ProgramPaths(
            repositoryScript: "Sources/Python/engrave.py", environment: environment,
            workingDirectory: workingDirectory,
            program: program)
        return ExternalPageTools(
            pdfinfo: places.findProgram("pdfinfo"), pdftoppm: places.findProgram("pdftoppm"),
            sha256sum: places.findProgram("sha256sum"), pythonInterpreter: places.pythonInterpreter,
            verovioPythonEnvironment: places.pythonEnvironment, engraverScript: places.repositoryScript)
    }
}
