import Foundation
import Platform
import Podium
import ShowControl
import Testing

@testable import Hosting
@testable import Performance
@testable import ShowStages
@testable import TestHelpers
@testable import WebServer

@Suite(.ownThreads) struct OutputTargetsTests {
    private let folder: ServeFolder
    private let receivers: OSCStateReceivers
    private let service: OutputTargetsService
    private let settings: ShowControlService.Settings

    init() throws {
        folder = try ServeFolder()
        var settings = ShowControlService.Settings()
        settings.serverSettings.udpEndpoints = [OSCEndpoint(host: "127.0.0.1", port: 9120)]
        settings.targets = [try OSCTarget("desk=127.0.0.1:9", receivesState: true)]
        self.settings = settings
        let receivers = try OSCStateReceivers(targets: settings.targets)
        self.receivers = receivers
        service = OutputTargetsService(
            receivers: receivers, settings: settings, cueTargets: CueTargets(oscTargets: receivers.targets),
            inbox: try ShowInbox(wakeSignal: WakeSignal(), snapshot: madeSnapshot()), dataFolder: folder.path)
    }

    private func entry(_ name: String, _ address: String) throws -> OSCTargetFile.Entry {
        try JSONDecoder().decode(
            OSCTargetFile.Entry.self, from: JSONEncoder().encode(["name": name, "address": address]))
    }

    private func refusal(_ body: () async throws -> Void) async -> Int? {
        do { try await body() } catch { return (error as? Refusal)?.response.status ?? 500 }
        return nil
    }

    private func atTheNextStart() -> [String]? {
        OSCTargetFile.addingTargets(to: settings, dataFolder: folder.path, say: { _ in })?.targets
            .map { "\($0.name)=\($0.address)" }
    }

    @Test func anAddedTargetIsThereAtOnceAndAfterTheNextStartUntilItIsRemoved() async throws {
        try await service.add(entry(" Lights ", "127.0.0.1:19"))
        try await service.add(entry("eos", "tcp:127.0.0.1:29"))
        #expect(receivers.targets.map(\.name) == ["desk", "Lights", "eos"])
        #expect(atTheNextStart() == ["desk=127.0.0.1:9", "Lights=127.0.0.1:19", "eos=tcp:127.0.0.1:29"])
        try await service.remove("Lights")
        #expect(receivers.targets.map(\.name) == ["desk", "eos"])
        #expect(atTheNextStart() == ["desk=127.0.0.1:9", "eos=tcp:127.0.0.1:29"])
        await receivers.close()
    }

    @Test(arguments: [
        ("desk", "127.0.0.1:19", 409), ("other", "127.0.0.1:9", 409), ("a=b", "127.0.0.1:19", 422),
        ("", "127.0.0.1:19", 422), ("x\ny", "127.0.0.1:19", 422), ("light", "127.0.0.1", 422),
        ("light", "127.0.0.1:0", 422), ("itself", "127.0.0.1:9120", 422), ("light", "x=127.0.0.1:19", 422),
    ]) func aTargetThatCannotBeIsRefusedAndNothingIsKept(name: String, address: String, status: Int)
        async throws
    {
        let wish = try entry(name, address)
        #expect(await refusal { try await service.add(wish) } == status)
        #expect(receivers.targets.count == 1 && folder.text("osc-targets.json") == nil)
    }

    @Test func aTargetOfTheCommandLineStaysAndAnUnknownOneIsNamed() async {
        #expect(await refusal { try await service.remove("desk") } == 409)
        #expect(await refusal { try await service.remove("nobody") } == 404)
        #expect(receivers.targets.count == 1)
    }

    @Test func aTestSaysThatNothingListensThere() async throws {
        let answer = try await service.test(
            .init(name: "Lights", kind: .osc, target: "desk", payload: "/cue/1/start"))
        #expect(String(decoding: answer.body, as: UTF8.self).contains("\"failed\":true"))
    }

    @Test(arguments: [
        (CueKind.osc, "nobody", "/go"), (.osc, "desk", "go"), (.mqtt, "x", "on"), (.note, "", ""),
    ])
    func aCueThatCannotBeSentIsNotTested(kind: CueKind, target: String, payload: String) async {
        #expect(
            await refusal {
                _ = try await service.test(.init(name: "x", kind: kind, target: target, payload: payload))
            } == 422)
    }

    @Test func aDamagedListIsKeptAndTheServerStartsWithoutIt() throws {
        try folder.write("[{", to: "osc-targets.json")
        var said: [String] = []
        let found = OSCTargetFile.addingTargets(to: settings, dataFolder: folder.path) { said.append($0) }
        #expect(found?.targets.count == 1 && said.count == 1 && said[0].contains("damaged"))
    }
}
