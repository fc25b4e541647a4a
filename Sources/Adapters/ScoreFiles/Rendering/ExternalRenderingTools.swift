import Foundation
import Platform

/// The external programs and soundfonts that rendering needs.
public struct ExternalRenderingTools: Sendable {
    public var fluidSynth: URL?
    /// The Python interpreter of the environment that holds Verovio.
    public var pythonInterpreter: URL?
    /// The expected path of the Python environment that holds Verovio; it may not exist.
    public var verovioPythonEnvironment: URL
    public var timemapScript: URL?
    /// The default soundfonts, in order of preference.
    public var soundfonts: [URL]

    public init(
        fluidSynth: URL?, python: URL?, pythonEnvironment: URL, timemapTool: URL?, soundfonts: [URL]
    ) {
        self.fluidSynth = fluidSynth
        self.pythonInterpreter = python
        self.verovioPythonEnvironment = pythonEnvironment
        self.timemapScript = timemapTool
        self.soundfonts = soundfonts
    }

    /// Searches the directories of PATH, the Python environment in BATON_VENV, and the repository that contains the
    /// working directory or the program.
    public static func findTools(
        environment: [String: String], workingDirectory: URL, program: URL
    ) -> ExternalRenderingTools {
        let places = ProgramPaths(
            repositoryScript: "Sources/Python/timemap.py", environment: environment,
            workingDirectory: workingDirectory,
            program: program)
        return ExternalRenderingTools(
            fluidSynth: places.findProgram("fluidsynth"), python: places.pythonInterpreter,
            pythonEnvironment: places.pythonEnvironment, timemapTool: places.repositoryScript,
            soundfonts: debianSoundfonts.filter { FileManager.default.fileExists(atPath: $0.path) })
    }

    /// The soundfonts of Debian's packages fluid-soundfont-gm and timgm6mb-soundfont.
    static let debianSoundfonts = ["FluidR3_GM.sf2", "TimGM6mb.sf2"]
        .map { URL(fileURLWithPath: "/usr/share/sounds/sf2").appendingPathComponent($0) }
}
