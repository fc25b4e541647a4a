import Foundation

/// Where the programs that rendering leans on are found.
public struct Workshop: Sendable {
    public var fluidSynth: URL?
    /// The Python of the environment that holds Verovio.
    public var python: URL?
    /// Where that environment is expected, found or not.
    public var pythonEnvironment: URL
    public var timemapTool: URL?
    /// The soundfonts to fall back on, in order of preference.
    public var soundfonts: [URL]

    public init(
        fluidSynth: URL?, python: URL?, pythonEnvironment: URL, timemapTool: URL?, soundfonts: [URL]
    ) {
        self.fluidSynth = fluidSynth
        self.python = python
        self.pythonEnvironment = pythonEnvironment
        self.timemapTool = timemapTool
        self.soundfonts = soundfonts
    }

    /// Looks in PATH, in BATON_VENV, and in the repository above the working directory or the program.
    public static func find(
        environment: [String: String], workingDirectory: URL, program: URL
    ) -> Workshop {
        let repository =
            [workingDirectory, program]
            .lazy.compactMap { ancestor(of: $0.resolvingSymlinksInPath(), holding: "Tools/timemap.py") }.first
        let venv =
            environment["BATON_VENV"].flatMap { $0.isEmpty ? nil : URL(fileURLWithPath: $0) }
            ?? (repository ?? workingDirectory).appendingPathComponent(".venv")
        let python = venv.appendingPathComponent("bin/python")
        return Workshop(
            fluidSynth: inPath("fluidsynth", path: environment["PATH"] ?? ""),
            python: FileManager.default.isExecutableFile(atPath: python.path) ? python : nil,
            pythonEnvironment: venv,
            timemapTool: repository?.appendingPathComponent("Tools/timemap.py"),
            soundfonts: debianSoundfonts.filter { FileManager.default.fileExists(atPath: $0.path) })
    }

    /// From fluid-soundfont-gm and timgm6mb-soundfont.
    static let debianSoundfonts = ["FluidR3_GM.sf2", "TimGM6mb.sf2"]
        .map { URL(fileURLWithPath: "/usr/share/sounds/sf2").appendingPathComponent($0) }

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
