import Foundation

/// Finds the external programs on this machine, and the repository's own scripts.
///
/// The package for Debian installs the scripts in `share/baton` beside the program's folder.
public struct ProgramPaths: Sendable {
    /// The Python environment of a program that is installed below `/usr`, where packages install nothing themselves.
    static let installedPythonEnvironment = "local/lib/baton/venv"

    /// The path of the repository's script; nil if neither the working directory nor the program lies in a repository,
    /// and the program is not installed.
    public let repositoryScript: URL?
    /// The path where the Python environment with Verovio should be; it may not exist.
    public let pythonEnvironment: URL
    private let searchPath: String

    /// Searches PATH, BATON_VENV, and the repository in which the working directory or the program lies.
    /// - Parameter repositoryScript: the path inside the repository by which the repository is recognised, for example
    ///   "Sources/Python/engrave.py".
    public init(
        repositoryScript: String, environment: [String: String], workingDirectory: URL, program: URL
    ) {
        let repository =
            [workingDirectory, program]
            .lazy.compactMap {
                Self.ancestorFolder(of: $0.resolvingSymlinksInPath(), holding: repositoryScript)
            }.first
        let prefix = program.resolvingSymlinksInPath().deletingLastPathComponent().deletingLastPathComponent()
        let installed = prefix.appendingPathComponent("share/baton").appendingPathComponent(repositoryScript)
        let isInstalled = repository == nil && FileManager.default.fileExists(atPath: installed.path)
        self.repositoryScript =
            isInstalled ? installed : repository?.appendingPathComponent(repositoryScript)
        pythonEnvironment =
            environment["BATON_VENV"].flatMap { $0.isEmpty ? nil : URL(fileURLWithPath: $0) }
            ?? (isInstalled
                ? prefix.appendingPathComponent(Self.installedPythonEnvironment)
                : (repository ?? workingDirectory).appendingPathComponent(".venv"))
        searchPath = environment["PATH"] ?? "/usr/bin:/bin"
    }

    /// The path of the environment's Python interpreter; nil if it does not exist.
    public var pythonInterpreter: URL? {
        let python = pythonEnvironment.appendingPathComponent("bin/python")
        return FileManager.default.isExecutableFile(atPath: python.path) ? python : nil
    }

    /// Returns the path of a program by its name; nil if the program is not in PATH.
    public func findProgram(_ name: String) -> URL? {
        searchPath.split(separator: ":")
            .map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    private static func ancestorFolder(of start: URL, holding path: String) -> URL? {
        var folder = start.standardizedFileURL
        for _ in 0..<64 {
            if FileManager.default.fileExists(atPath: folder.appendingPathComponent(path).path) {
                return folder
            }
            let parent = folder.deletingLastPathComponent()
            guard parent.path != folder.path else { return nil }
            folder = parent
        }
        return nil
    }
}
