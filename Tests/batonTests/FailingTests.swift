import ArgumentParser
import Basics
import Foundation
import ShowLog
import Sound
import Testing

@testable import Hosting
@testable import Preparation
@testable import baton

@Suite struct FailingTests {
    @Test(arguments: [
        (["prepare"], "prepare"), (["render"], "render"), (["evaluate", "--nonsense"], "evaluate"),
        (["follow"], "follow"), (["replay"], "replay"), (["watch", "--seconds", "-1"], "watch"),
        (["serve", "--nonsense"], "serve"), (["relay"], "relay"), (["user", "add"], "user add"),
        (["content", "import"], "content import"), (["devices", "--nonsense"], "devices"),
        (["benchmark", "--minutes", "x"], "benchmark"), (["nonsense"], ""),
    ])
    func whatTheParserRefusesIsToldUnderTheCommandsName(words: [String], name: String) throws {
        let error = try #require(throws: (any Error).self) { try BatonCommand.parseAsRoot(words) }
        let complaint = try #require(BatonCommand.parserError(error, about: words))
        #expect(complaint.command == name)
        #expect(!complaint.sentence.hasPrefix("Error"))
        #expect(
            complaint.sentence.contains(name.isEmpty ? "See 'baton --help'" : "See 'baton \(name) --help'"))
    }

    @Test func askingForHelpIsNoComplaint() throws {
        #expect(throws: Never.self) { try BatonCommand.parseAsRoot(["prepare", "--help"]) }
        #expect(BatonCommand.parserError(CleanExit.message("Usage: …"), about: ["prepare"]) == nil)
    }

    @Test func whatMakesNoSenseIs64AndWhatFails1() async {
        func status(_ error: any Error) async -> ExitCode? {
            do { try await printingErrors(as: "test") { throw error } } catch { return error as? ExitCode }
            return nil
        }
        #expect(await status(ValidationError("--jobs is at least 1.")) == ExitCode(64))
        #expect(await status(ExplainedError("It fails.")) == ExitCode(1))
        #expect(await status(PreparationError(["One.", "Two."])) == ExitCode(1))
        #expect(await status(ExitCode(130)) == ExitCode(130))
    }

    @Test func aDataFolderThatCannotBeMadeIsToldInWordsOfOurOwn() throws {
        let file = NSTemporaryDirectory() + "/no-folder-\(UUID().uuidString)"
        try Data().write(to: URL(filePath: file))
        defer { try? FileManager.default.removeItem(atPath: file) }
        for (path, reason) in [(file, "File exists"), (file + "/below", "Not a directory")] {
            let fault = #expect(throws: ShowLogFault.self) { try ServerDataFolder.makeFolder(path) }
            let sentence = try #require(fault?.sentence)
            #expect(sentence.hasPrefix("The folder \(path) cannot be made or used: \(reason)"), "\(sentence)")
            #expect(!sentence.contains("operation") && !sentence.contains(".;"))
        }
    }

    @Test func aRecordingCutShortIsTheOnlyFault() async throws {
        let folder = NSTemporaryDirectory() + "/cut-short-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/cut.wav"
        let writer = try SoundFileWriter(path: path, rate: SampleRate(hertz: 8_000), channels: 1)
        try writer.write((0..<80_000).map { Float(sin(Double($0) / 5)) / 3 })
        try writer.close()
        let whole = try Data(contentsOf: URL(filePath: path))
        try whole.prefix(whole.count / 2).write(to: URL(filePath: path))
        let rows = (0..<10).map { "\($0 + 1),\($0)\n" }.joined()
        try Data(("measure,time\n" + rows).utf8).write(to: URL(filePath: folder + "/m.csv"))
        let words = [
            "prepare", "cut-short", "--recording", path, "--measures", folder + "/m.csv", "--name",
            "Nobody, Cut: Short", "--check-only",
        ]
        let command = try #require(try BatonCommand.parseAsRoot(words) as? PrepareCommand)
        let console = PreparationConsole()
        let failure = await #expect(throws: PreparationError.self) {
            _ = try await CheckedRecording(
                request: command.preparationRequest, console: console,
                cleanup: PreparationCleanup(console: console))
        }
        #expect(failure?.sentences.count == 1)
        #expect(failure?.sentences[0].contains("cut short: it ends at 5.0 s of 10.0 s") == true)
    }
}
