import Foundation
import NetworkLinks
import Podium
import Testing

@testable import TestHelpers

/// Against a real mosquitto on loopback.
@Suite(
    .ownThreads, .serialized, .timeLimit(.minutes(10)),
    .disabled(if: Mosquitto.isMissing, "mosquitto is not installed (apt install mosquitto mosquitto-clients)")
)
struct BrokerClientTests {
    private func settings(_ broker: Mosquitto) -> MQTTSettings {
        var settings = MQTTSettings(host: "127.0.0.1", port: broker.port, name: "hall")
        settings.reconnectPause = ReconnectBackoff(first: .milliseconds(50), longest: .milliseconds(200))
        return settings
    }

    @Test func theStateIsRetainedForWhoComesLater() async throws {
        let broker = try await Mosquitto()
        let client = try MQTTClient(settings(broker))
        var state = PublishedShowState()
        client.publishState(state)
        state.newestFaultSentence = "The sound input is gone."
        state.printedMeasure = 57
        state.pieceName = "Beethoven: \"Coriolan\""
        client.publishState(state)
        #expect(await eventually { client.status.isConnected && client.status.waitingMessageCount == 0 })
        let heard = try broker.hear("baton/hall/#", count: 12)
        #expect(heard.count == 12)
        #expect(heard.contains("baton/hall/online 1"))
        #expect(heard.contains("baton/hall/measure 57"))
        #expect(heard.contains("baton/hall/tempo 1.00"))
        let position = try #require(heard.first { $0.hasPrefix("baton/hall/position ") })
        let json = try JSONSerialization.jsonObject(with: Data(position.dropFirst(20).utf8)) as? [String: Any]
        #expect(json?["measure"] as? Int == 57)
        #expect(json?["pieceName"] as? String == "Beethoven: \"Coriolan\"")
        await client.close()
        #expect(try broker.hear("baton/hall/online", count: 1) == ["baton/hall/online 0"])
    }

    /// The connection is cut in between, as when the machine dies: the broker has heard no goodbye.
    @Test func theWillIsSpokenWhenTheClientDies() async throws {
        let broker = try await Mosquitto()
        let proxy = try CuttableProxy(to: broker.port)
        var settings = settings(broker)
        settings.port = proxy.port
        let client = try MQTTClient(settings)
        #expect(await eventually { client.status.isConnected })
        #expect(try broker.hear("baton/hall/online", count: 1) == ["baton/hall/online 1"])
        proxy.close()
        #expect(await eventually { !client.status.isConnected })
        let isSpoken = await eventually {
            (try? broker.hear("baton/hall/online", count: 1)) == ["baton/hall/online 0"]
        }
        #expect(isSpoken)
        await client.close()
    }

    @Test func afterTheBrokerWasKilledEverythingIsToldAgain() async throws {
        let broker = try await Mosquitto()
        let client = try MQTTClient(settings(broker))
        var state = PublishedShowState()
        state.pieceName = "Coriolan"
        state.newestFaultSentence = "The sound input is gone."
        client.publishState(state)
        #expect(await eventually { client.status.isConnected })
        broker.kill()
        #expect(await eventually { !client.status.isConnected })
        for measure in 1...500 {
            state.printedMeasure = measure
            client.publishState(state)
        }
        client.publishFiredCue(cue: "c1", name: "Blue", kind: "osc")
        #expect(client.status.waitingMessageCount <= 12)
        #expect(client.status.droppedMessageCount == 1)
        #expect(await eventually { client.status.lastFault?.contains("No broker listens") == true })
        try await broker.start()
        #expect(await eventually { client.status.isConnected && client.status.waitingMessageCount == 0 })
        #expect(client.status.reconnects == 1)
        // The new broker knew nothing: all came from the client, the newest value only.
        let heard = try broker.hear("baton/hall/#", count: 12)
        #expect(heard.contains("baton/hall/measure 500") && heard.contains("baton/hall/online 1"))
        await client.close()
    }

    @Test func publishingNeverWaitsForABrokerThatHangs() async throws {
        let broker = try await Mosquitto()
        let client = try MQTTClient(settings(broker))
        #expect(await eventually { client.status.isConnected })
        broker.freeze()
        let payload = [UInt8](repeating: 0x41, count: 60_000)
        let took = try ContinuousClock().measure {
            for index in 0..<2_000 { try client.publish(payload, to: "load/\(index % 4)", isRetained: false) }
        }
        // A client that waited for a broker that hangs would wait for minutes.
        #expect(took < .seconds(20))
        #expect(client.status.waitingMessageCount <= 256)
        #expect(client.status.droppedMessageCount > 0)
        broker.thaw()
        #expect(await eventually { client.status.waitingMessageCount == 0 })
        await client.close()
    }

    @Test func subscriptionsHearAndOutliveTheBroker() async throws {
        let broker = try await Mosquitto()
        let client = try MQTTClient(settings(broker))
        let other = try MQTTClient(
            {
                var settings = settings(broker)
                settings.nameInTopics = "other"
                return settings
            }())
        var messages = try client.subscribe("relay/+/text").makeAsyncIterator()
        #expect(await eventually { client.status.isConnected && other.status.isConnected })
        func arrives(_ text: String) async throws -> Bool {
            let sending = Task {
                for _ in 0..<2_000 {
                    try? other.publish(Array(text.utf8), to: "relay/a/text")
                    try? other.publish(Array("no".utf8), to: "relay/a/b/text")
                    // Sent again and again: what is sent while a subscription begins is nobody's.
                    try? await Task.sleep(for: .milliseconds(50))
                }
            }
            defer { sending.cancel() }
            while let message = await messages.next() {
                #expect(message.topic == "relay/a/text")
                if message.text == text { return true }
            }
            return false
        }
        #expect(try await arrives("one"))
        broker.kill()
        #expect(await eventually { !client.status.isConnected && !other.status.isConnected })
        try await broker.start()
        #expect(try await arrives("two"))
        await client.close()
        await other.close()
        while await messages.next() != nil {}
    }

    @Test func commandsAreTakenOnlyWhereAskedForAndNeverFromWhatTheBrokerKept() async throws {
        let broker = try await Mosquitto()
        let deaf = try MQTTClient(settings(broker))
        #expect(try deaf.commands() == nil)
        let sender = try MQTTClient(
            {
                var settings = settings(broker)
                settings.nameInTopics = "sender"
                return settings
            }())
        try sender.publish(Array("panic".utf8), to: "baton/hall/command", isRetained: true)
        #expect(await eventually { sender.status.isConnected && sender.status.waitingMessageCount == 0 })
        let client = try MQTTClient(
            {
                var settings = settings(broker)
                settings.acceptsCommands = true
                return settings
            }())
        var commands = try #require(try client.commands()).makeAsyncIterator()
        #expect(await eventually { client.status.isConnected })
        let sending = Task {
            for _ in 0..<2_000 {
                try? sender.publish(Array("note \"violas late\" 57".utf8), to: "baton/hall/command")
                // Sent again and again: what is sent while a subscription begins is nobody's.
                try? await Task.sleep(for: .milliseconds(50))
            }
        }
        #expect(await commands.next() == ["note", "violas late", "57"])
        sending.cancel()
        _ = await sending.value
        // Now the broker passes it on like any other, and keeps a copy, which is nobody's command.
        try sender.publish(Array("hold".utf8), to: "baton/hall/command", isRetained: true)
        var next = await commands.next()
        while next?.first == "note" { next = await commands.next() }
        #expect(next == ["hold"])
        for client in [deaf, sender, client] { await client.close() }
    }

    @Test func aWrongPasswordIsNamed() async throws {
        let broker = try await Mosquitto(
            extra: "allow_anonymous false\npassword_file FOLDER/passwords\n",
            // hall:opus67 in the broker's own PBKDF2 form is not needed: nobody's password is right.
            files: ["passwords": ""])
        var settings = settings(broker)
        settings.user = "hall"
        settings.password = "wrong"
        let client = try MQTTClient(settings)
        #expect(await eventually { client.status.lastFault?.contains("check the user name") == true })
        #expect(!client.status.isConnected)
        await client.close()
    }

    @Test func whoeverIsNoBrokerIsNamedAndClosingDoesNotHang() async throws {
        var settings = MQTTSettings(host: "127.0.0.1", port: 1, name: "hall")
        let nobody = try MQTTClient(settings)
        #expect(
            await eventually { nobody.status.lastFault?.contains("No broker listens at 127.0.0.1:1") == true }
        )
        settings.host = "no-such-host.invalid"
        let lost = try MQTTClient(settings)
        #expect(await eventually { lost.status.lastFault?.contains("was not found") == true })
        settings.host = "127.0.0.1"
        settings.certificatesFile = "/no/such/file.pem"
        #expect(throws: MQTTFault.certificatesUnusable(file: "/no/such/file.pem")) {
            try MQTTClient(settings)
        }
        let took = await ContinuousClock().measure {
            for client in [nobody, lost] { await client.close() }
        }
        #expect(took < .seconds(20))
    }
}
