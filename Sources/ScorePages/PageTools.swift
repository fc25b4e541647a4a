import Foundation

/// Where the programs that make pages are found.
public struct PageTools: Sendable {
    public var pdfinfo: URL?
    public var pdftoppm: URL?
    public var sha256sum: URL?
    /// The Python of the environment that holds Verovio.
    public var python: URL?
    /// Where that environment is expected, found or not.
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

    /// Looks in PATH, in BATON_VENV, and in the repository above the working directory or the program.
    public static func find(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        workingDirectory: URL = URL(fileURLWithPath: FileManager.default.currentDirectoryPath),
        program: URL = URL(fileURLWithPath: CommandLine.arguments.first ?? "baton")
    ) -> PageTools {
        let repository =
            [workingDirectory, program]
            .lazy.compactMap { ancestor(of: $0.resolvingSymlinksInPath(), holding: "Tools/engrave.py") }.first
        let venv =
            environment["BATON_VENV"].flatMap { $0.isEmpty ? nil : URL(fileURLWithPath: $0) }
            ?? (repository ?? workingDirectory).appendingPathComponent(".venv")
        let python = venv.appendingPathComponent("bin/python")
        let path = environment["PATH"] ?? "/usr/bin:/bin"
        return PageTools(
            pdfinfo: inPath("pdfinfo", path: path), pdftoppm: inPath("pdftoppm", path: path),
            sha256sum: inPath("sha256sum", path: path),
            python: FileManager.default.isExecutableFile(atPath: python.path) ? python : nil,
            pythonEnvironment: venv, engraver: repository?.appendingPathComponent("Tools/engrave.py"))
    }

    private static func inPath(_ name: String, path: String) -> URL? {
        path.split(separator: ":")
            .map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    private static func ancestor(of start: URL, holding path: String) -> URL? {
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
