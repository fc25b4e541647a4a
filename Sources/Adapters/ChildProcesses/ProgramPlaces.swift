import Foundation

/// Where the programs of others are found on this machine, and the repository's own scripts.
public struct ProgramPlaces: Sendable {
    /// A script of the repository; nil where no repository is near.
    public let script: URL?
    /// The Python environment that holds Verovio, where it is expected, found or not.
    public let pythonEnvironment: URL
    private let path: String

    /// Looks in PATH, in BATON_VENV, and in the repository above the working directory or the program.
    /// - Parameter script: by this file the repository is known, for example "Tools/engrave.py".
    public init(
        script: String, environment: [String: String], workingDirectory: URL, program: URL
    ) {
        let repository =
            [workingDirectory, program]
            .lazy.compactMap { Self.ancestor(of: $0.resolvingSymlinksInPath(), holding: script) }.first
        self.script = repository?.appendingPathComponent(script)
        pythonEnvironment =
            environment["BATON_VENV"].flatMap { $0.isEmpty ? nil : URL(fileURLWithPath: $0) }
            ?? (repository ?? workingDirectory).appendingPathComponent(".venv")
        path = environment["PATH"] ?? "/usr/bin:/bin"
    }

    /// The Python of the environment; nil where there is none.
    public var python: URL? {
        let python = pythonEnvironment.appendingPathComponent("bin/python")
        return FileManager.default.isExecutableFile(atPath: python.path) ? python : nil
    }

    /// A program by its name; nil where PATH has none.
    public func program(_ name: String) -> URL? {
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
