import Foundation
import Platform
import Testing

@Suite struct ProgramPlacesTests {
    private let nowhere = URL(fileURLWithPath: "/nowhere/baton")

    private func places(_ environment: [String: String], from folder: URL) -> ProgramPaths {
        ProgramPaths(
            repositoryScript: "Sources/Python/engrave.py", environment: environment, workingDirectory: folder,
            program: nowhere)
    }

    @Test func theRepositoryIsFoundAboveTheWorkingDirectory() {
        let found = places([:], from: URL(fileURLWithPath: #filePath).deletingLastPathComponent())
        #expect(found.repositoryScript?.path.hasSuffix("/Sources/Python/engrave.py") == true)
        #expect(found.pythonEnvironment.lastPathComponent == ".venv")
        #expect(
            found.repositoryScript?.path
                == found.pythonEnvironment.deletingLastPathComponent().path + "/Sources/Python/engrave.py")
    }

    @Test func awayFromTheRepositoryThereIsNoScriptAndTheEnvironmentIsExpectedHere() {
        let found = places([:], from: URL(fileURLWithPath: "/nowhere"))
        #expect(found.repositoryScript == nil)
        #expect(found.pythonInterpreter == nil)
        #expect(found.pythonEnvironment.path == "/nowhere/.venv")
    }

    @Test func anInstalledProgramFindsItsScriptsInShare() throws {
        let prefix = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            .resolvingSymlinksInPath()
        defer { try? FileManager.default.removeItem(at: prefix) }
        let script = prefix.appending(path: "share/baton/Sources/Python/engrave.py")
        try FileManager.default.createDirectory(
            at: script.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data().write(to: script)
        let found = ProgramPaths(
            repositoryScript: "Sources/Python/engrave.py", environment: [:],
            workingDirectory: URL(fileURLWithPath: "/nowhere"),
            program: prefix.appending(path: "bin/baton"))
        #expect(found.repositoryScript?.path == script.path)
        #expect(found.pythonEnvironment.path == prefix.path + "/local/lib/baton/venv")
    }

    @Test func theEnvironmentThatIsNamedWins() {
        let folder = URL(fileURLWithPath: "/nowhere")
        #expect(places(["BATON_VENV": "/elsewhere"], from: folder).pythonEnvironment.path == "/elsewhere")
        #expect(places(["BATON_VENV": ""], from: folder).pythonEnvironment.path == "/nowhere/.venv")
    }

    @Test func programsAreFoundInPathAlone() {
        let folder = URL(fileURLWithPath: "/nowhere")
        #expect(places(["PATH": "/nowhere:/bin"], from: folder).findProgram("sh")?.path == "/bin/sh")
        #expect(places(["PATH": "/nowhere"], from: folder).findProgram("sh") == nil)
    }
}
