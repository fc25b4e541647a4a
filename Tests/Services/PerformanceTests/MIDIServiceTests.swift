import Basics
import MIDILinks
import Podium
import Testing

@testable import Hosting
@testable import Performance
@testable import ShowStages
@testable import TestHelpers

/// What comes in by MIDI commands the show as OSC does, and cues go out.
@Suite(.ownThreads) struct MIDIServiceTests {
    private let device: PortDevice
    private let stage: ServeStage
    private let connections: MIDIConnections
    private let service: MIDIService

    init() throws { try self.init(isActiveServer: true) }

    private init(isActiveServer: Bool) throws {
        device = try PortDevice()
        stage = try ServeStage(isActiveServer: isActiveServer)
        try stage.start()
        connections = MIDIConnections(
            try MIDISettings(
                outputs: ["lights=\(device.path)"], inputs: ["desk=\(device.path)"],
                rules: [
                    "note number=60 -> goto 3", "note number=61 -> goto 5",
                    "controller number=20 -> blackout", "controller number=21 value=5 -> goto 7",
                    "msc-go device=4 -> go", "program number=1 -> goto 2",
                ]))
        service = MIDIService(
            connections, inbox: stage.desk.inbox,
            failedCueReporter: FailedCueReporter(cueTargets: CueTargets(midiPorts: ["lights"])) { _ in })
    }

    private var state: PodiumState { stage.desk.inbox.newestSnapshot.state }
    private var refusal: String? {
        service.watchedFaults.last?.findFault(stage.desk.inbox.newestSnapshot)
    }

    /// Writes until it is heard: the port may not be open yet, and what was written before comes late.
    private func isSo(_ condition: () -> Bool, after bytes: [UInt8]) async -> Bool {
        await eventually {
            device.write(bytes)
            return await eventually(within: .milliseconds(500), condition)
        }
    }

    private func running(_ work: () async throws -> Void) async throws {
        let task = Task { [service] in try await service.run() }
        try await work()
        task.cancel()
        _ = await task.result
    }

    @Test func keysAndButtonsCommandTheShowAndTheLogNamesThePort() async throws {
        try await running {
            #expect(await isSo({ state.position.played == 2 }, after: [0x90, 60, 100]))
            #expect(
                await isSo(
                    { state.position.played == 4 && state.view == .black },
                    after: [0x90, 61, 1, 60, 0, 0xB0, 20, 127]))
            // A fader that stays in its half says nothing; what is not in the table is not obeyed.
            #expect(
                await isSo(
                    { state.position.played == 6 && state.view == .live },
                    after: [0xB0, 20, 126, 20, 3, 21, 4, 0x92, 99, 1, 0xB0, 21, 5]))
        }
        #expect(stage.log.contains("midi desk") && refusal == nil)
    }

    @Test func aCommandThatTheShowRefusesIsToldOnTheConsole() async throws {
        try await running {
            device.write([0xF0, 0x7F, 5, 2, 1, 1, 0x37, 0xF7, 0xF0, 0x7F, 4, 2, 1, 1, 0x38, 0xF7])
            #expect(await eventually { refusal?.contains("“go 8” from “desk”") == true })
        }
    }

    @Test func aServerThatStandsByObeysNothing() async throws {
        let standby = try Self(isActiveServer: false)
        try await standby.running {
            standby.device.write([0x90, 60, 100])
            #expect(await eventually { standby.refusal?.contains("goto 3") == true })
            #expect(standby.state.position.played == 0)
        }
    }

    @Test func whatWasSentAndComesBackIsNotObeyed() async throws {
        try await running {
            try connections.send("note number=60", to: "lights")
            #expect(await eventually { device.read(3) == [0x90, 60, 100] })
            device.write([0x90, 60, 100])
            #expect(await eventually { refusal?.contains("came back") == true })
            #expect(state.position.played == 0)
        }
    }

    @Test func aFloodIsCutAndTold() {
        for _ in 0..<1_000 { service.receive([0x90, 60, 100], from: connections.settings.inputs[0]) }
        #expect(refusal != nil)
    }

    @Test func aCueIsSentAsItsWordsSayAndTestedByTheSameWay() throws {
        var cue = madeCue("Lights", at: 1, kind: .midi)
        (cue.target, cue.payload) = ("lights", "msc-go cue=7 list=2")
        service.performEffect(.fireCue(cue, CueFiringDetails(isAutomatic: true)), of: try madeCourse([cue]))
        #expect(device.read(20) == [0xF0, 0x7F, 0x7F, 2, 1, 1, 0x37, 0, 0x32, 0xF7])
    }

    @Test func aPortThatIsAwayIsToldUntilItIsBack() throws {
        let fault = try #require(service.watchedFaults.first)
        #expect(fault.id == "midi-lights")
        #expect(fault.findFault(stage.desk.inbox.newestSnapshot) == nil)
        device.unplug()
        #expect(fault.findFault(stage.desk.inbox.newestSnapshot)?.contains("Connect it again") == true)
        #expect(connections.targets.first?.ok == false)
    }

    @Test(arguments: [
        ("lights", "msc-go cue=1", true), ("lights", "msc-go cue=x", false), ("lights", "", false),
        ("nobody", "msc-go", false), ("", "msc-go", false),
    ]) func aCueIsCheckedBeforeItIsKept(target: String, payload: String, isGood: Bool) {
        var cue = madeCue("Lights", at: 1, kind: .midi)
        (cue.target, cue.payload) = (target, payload)
        let reason = CueTargets(midiPorts: ["lights"]).unsendableReason(of: cue)
        #expect((reason == nil) == isGood)
        #expect(reason.map { $0.contains("“Lights”") && $0.hasSuffix(".") } ?? true)
    }

    @Test(arguments: [
        (["desk"], [String](), [String]()), (["desk=midi"], [], []), (["a=/dev/a", "a=/dev/b"], [], []),
        ([], ["desk=/dev/a"], []), ([], [], ["msc-go -> go"]), ([], ["desk=/dev/a"], ["msc-go"]),
        ([], ["desk=/dev/a"], ["msc-go -> fly"]), ([], ["desk=/dev/a"], ["chord -> go"]),
    ]) func settingsThatCannotBeUsedAreRefusedWithASentence(
        outputs: [String], inputs: [String], rules: [String]
    ) {
        let error = #expect(throws: ExplainedError.self) {
            _ = try MIDISettings(outputs: outputs, inputs: inputs, rules: rules)
        }
        #expect(error?.sentence.hasSuffix(".") == true)
    }
}
