import Foundation
import Podium
import ShowControl
import Testing
import WebServer

@testable import Console
@testable import Hosting
@testable import Performance
@testable import ShowStages
@testable import TestHelpers

/// An action that could not be written down is not acknowledged as done.
@Suite(.ownThreads) struct ServeFullDiskTests {
    /// A stage whose log finds no place any more: its folder has gone, and the next line wants a new file.
    private func stageWithoutDisk() async throws -> ServeStage {
        let stage = try ServeStage()
        try stage.start()
        try await stage.give("goto 2").expectDone()
        let writer = stage.show.recorder.writer
        writer.requestNewFile()
        try FileManager.default.removeItem(atPath: writer.showFolder)
        return stage
    }

    @Test func aCommandThatCouldNotBeWrittenIsDoneButNotAcknowledged() async throws {
        let stage = try await stageWithoutDisk()
        let answer = try await stage.give("goto 3")
        guard case .doneButNotSaved(let epoch, _) = answer else {
            Issue.record("acknowledged: \(answer)")
            return
        }
        let state = stage.desk.inbox.newestSnapshot.state
        #expect(state.position.played == 2 && epoch == state.epoch)
        #expect(answer.sentence?.contains("do not repeat it") == true)
        #expect(
            answer.sentence?.contains("log-0002.jsonl") == true && answer.sentence?.hasSuffix(".") == true)
        #expect(
            await stage.wait {
                stage.desk.inbox.newestSnapshot.openFaults.contains { $0.id == ShowEngine.logFaultID }
            })
    }

    @Test func aRefusalIsARefusalAllTheSame() async throws {
        let stage = try await stageWithoutDisk()
        _ = try await stage.give("goto 3")
        guard case .refused = try await stage.give("choose 1") else {
            Issue.record("not refused")
            return
        }
    }

    @Test func withRoomAgainEverythingIsWrittenAndAcknowledged() async throws {
        let stage = try await stageWithoutDisk()
        _ = try await stage.give("goto 3")
        let folder = stage.show.recorder.writer.showFolder
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try await stage.give("goto 4").expectDone()
        let log = try String(contentsOfFile: folder + "/log-0002.jsonl", encoding: .utf8)
        #expect(log.contains(#"["goto","3"]"#) && log.contains(#"["goto","4"]"#))
    }

    @Test func theConsoleIsAnswered507WithTheEpoch() async throws {
        struct Answer: Decodable {
            var error: String
            var code: String
            var epoch: String
        }
        let stage = try await stageWithoutDisk()
        let desk = stage.consoleDesk()
        let answer = await desk.executeCommand(
            CommandRequest(name: "take"), by: WebPerson(id: "1", name: "anna", role: .technician))
        #expect(answer.status == 507)
        let said = try JSONDecoder().decode(Answer.self, from: Data(answer.body))
        #expect(said.code == "not-written" && said.error.contains("do not repeat it"))
        #expect(said.epoch == stage.desk.inbox.newestSnapshot.state.epoch.description)
    }

    @Test func showControlIsAnsweredWithAnError() async throws {
        let stage = try await stageWithoutDisk()
        let commands = ShowControlCommands(showInbox: stage.desk.inbox)
        let peer = OSCPeer(address: "127.0.0.1", port: 9, transport: .udp)
        guard case .refused(let sentence) = await commands.executeCommand(["goto", "3"], from: peer) else {
            Issue.record("acknowledged")
            return
        }
        #expect(sentence.contains("do not repeat it"))
    }
}
