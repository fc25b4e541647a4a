import Basics
import Synchronization
import Testing

@testable import ShowControl
@testable import TestHelpers

@Suite(.ownThreads, .serialized, .timeLimit(.minutes(10))) struct OSCSubscribersTests {
    private func server(_ subscribers: OSCStateReceivers) async throws -> OSCServer {
        var settings = OSCServerSettings()
        settings.udpEndpoints = [OSCServerTests.anyPort]
        settings.tcpEndpoints = [OSCServerTests.anyPort]
        let server = try await OSCServer(settings: settings) { _, peer in
            _ = subscribers.subscribe(peer, seconds: 60)
            return [OSCMessage("/done")]
        }
        subscribers.attachServer(server)
        return server
    }

    @Test func subscribersHearUntilTheirLeaseEnds() async throws {
        let clock = Mutex(Duration.zero)
        let subscribers = try OSCStateReceivers(currentTime: { clock.withLock { $0 } })
        let server = try await server(subscribers)
        let datagrams = UDPProbe()
        let stream = TCPProbe(port: server.tcpEndpoints[0].port)
        try datagrams.send(OSCMessage("/subscribe"), to: server.udpEndpoints[0].port)
        try stream.send(OSCMessage("/subscribe"))
        #expect(try datagrams.receive()?.address == "/done")
        #expect(try stream.receive()?.address == "/done")
        let state = OSCMessage("/baton/state", [.string("following")])
        try subscribers.sendToAllReceivers(state)
        #expect(try datagrams.receive() == state)
        #expect(try stream.receive() == state)
        #expect(subscribers.activeSubscribers.count == 2)
        clock.withLock { $0 = .seconds(60) }
        try subscribers.sendToAllReceivers(state)
        try datagrams.send(OSCMessage("/subscribe"), to: server.udpEndpoints[0].port)
        #expect(try datagrams.receive()?.address == "/done")
        #expect(subscribers.activeSubscribers.map(\.isUDP) == [true])
        await server.close()
        await subscribers.close()
    }

    @Test func aSubscriptionEndsWithItsConnection() async throws {
        let subscribers = try OSCStateReceivers()
        let server = try await server(subscribers)
        do {
            let stream = TCPProbe(port: server.tcpEndpoints[0].port)
            try stream.send(OSCMessage("/subscribe"))
            #expect(try stream.receive()?.address == "/done")
            #expect(subscribers.activeSubscribers.count == 1)
        }
        #expect(await eventually { subscribers.activeSubscribers.isEmpty })
        await server.close()
        await subscribers.close()
    }

    @Test func fixedTargetsGetTheStateAndCuesReachThemByName() async throws {
        let desk = UDPProbe()
        let cuesOnly = UDPProbe()
        let subscribers = try OSCStateReceivers(targets: [
            OSCTarget(name: "desk", endpoint: OSCEndpoint(host: "localhost", port: desk.port)),
            OSCTarget(
                name: "qlab", endpoint: OSCEndpoint(host: "127.0.0.1", port: cuesOnly.port),
                receivesState: false
            ),
        ])
        try subscribers.sendToAllReceivers(OSCMessage("/baton/measure", [.int(1), .int(0), .string("A")]))
        #expect(try desk.receive()?.address == "/baton/measure")
        try subscribers.sendToTarget(OSCMessage(text: "/cue/7/start"), to: "qlab")
        #expect(try cuesOnly.receive() == OSCMessage("/cue/7/start"))
        Probes.setPatience(0.3, of: cuesOnly.descriptor)
        #expect(try cuesOnly.receive() == nil)
        // As cue lists of before name it.
        try subscribers.sendToTarget(OSCMessage("/go"), to: "127.0.0.1:\(cuesOnly.port)")
        #expect(try cuesOnly.receive()?.address == "/go")
        let areSent = await eventually { subscribers.targetStatuses.map(\.sentMessages) == [1, 2] }
        #expect(areSent)
        #expect(subscribers.targetStatuses.allSatisfy { $0.hasNoRecentFailure })
        #expect(
            throws: ExplainedError(
                "There is no target “nobody”; name one that is configured, or configure it.")
        ) {
            try subscribers.sendToTarget(OSCMessage("/go"), to: "nobody")
        }
        await subscribers.close()
    }

    @Test func nothingIsSentToAnAddressThatIsNoTarget() async throws {
        let stranger = UDPProbe()
        let subscribers = try OSCStateReceivers()
        let address = "127.0.0.1:\(stranger.port)"
        #expect(
            throws: ExplainedError(
                "There is no target “\(address.prefix(60))”; name one that is configured, or configure it.")
        ) {
            try subscribers.sendToTarget(OSCMessage("/go"), to: address)
        }
        #expect(subscribers.targetStatuses.isEmpty)
        Probes.setPatience(0.3, of: stranger.descriptor)
        #expect(try stranger.receive() == nil)
        await subscribers.close()
    }

    @Test(arguments: [
        ("127.0.0.1:9120", "127.0.0.1:9120", true), ("localhost:9120", "127.0.0.1:9120", true),
        ("127.0.0.9:9120", "127.0.0.1:9120", true), ("0.0.0.0:9120", "127.0.0.1:9120", true),
        ("127.0.0.1:9120", "0.0.0.0:9120", true), ("10.9.8.7:9120", "0.0.0.0:9120", true),
        ("[::ffff:127.0.0.1]:9120", "0.0.0.0:9120", true), ("10.9.8.7:9120", "10.9.8.7:9120", true),
        ("127.0.0.1:9121", "127.0.0.1:9120", false), ("192.0.2.1:9120", "0.0.0.0:9120", false),
        ("10.9.8.7:9120", "127.0.0.1:9120", false),
    ])
    func aTargetThatLeadsBackHereIsKnown(target: String, listening: String, leadsBack: Bool) throws {
        let there = try OSCEndpoint(target)
        #expect(
            try there.deliversPackets(to: OSCEndpoint(listening), own: ["10.9.8.7", "127.0.0.1"]) == leadsBack
        )
        var settings = ShowControlService.Settings()
        settings.serverSettings.udpEndpoints = [try OSCEndpoint("127.0.0.1:9120")]
        settings.targets = [OSCTarget(name: "echo", endpoint: try OSCEndpoint("127.0.0.1:9120"))]
        #expect(
            throws: ExplainedError(
                "The target “echo” is this server itself, which listens on 127.0.0.1:9120: its cues would "
                    + "command it. Give the address of another program.")
        ) {
            try settings.refuseTargetsAtThisServer()
        }
    }

    @Test func aDeadTargetIsCountedWithASentenceAndHeardAgainLater() async throws {
        let port = Probes.deadPort()
        let subscribers = try OSCStateReceivers(targets: [
            OSCTarget(name: "dead", endpoint: OSCEndpoint(host: "127.0.0.1", port: port)),
            OSCTarget(name: "nowhere", endpoint: OSCEndpoint(host: "no-such-host.invalid", port: 9)),
        ])
        let message = OSCMessage("/baton/state", [.string("lost")])
        let areKnown = await eventually {
            try? subscribers.sendToAllReceivers(message)
            return subscribers.targetStatuses.allSatisfy { !$0.hasNoRecentFailure && $0.failedMessages > 0 }
        }
        #expect(areKnown)
        let faults = subscribers.targetStatuses.map { $0.lastFailure ?? "" }
        #expect(faults[0].hasPrefix("Nothing listened when we tried to send to 127.0.0.1:\(port)"))
        #expect(faults[1].contains("no-such-host.invalid"))
        await subscribers.close()
    }

    @Test func publishingNeverWaits() async throws {
        let subscribers = try OSCStateReceivers(
            targets: (0..<32).map {
                OSCTarget(name: "\($0)", endpoint: OSCEndpoint(host: "127.0.0.1", port: 1 + $0))
            })
        let message = OSCMessage("/baton/fraction", [.float(0.5)])
        let took = try ContinuousClock().measure {
            for _ in 0..<200 { try subscribers.sendToAllReceivers(message) }
        }
        // A server that waited for 32 missing targets would wait longer than the show lasts.
        #expect(took < .seconds(20))
        await subscribers.close()
    }

    @Test func aPingTellsAnAnswerFromSilenceAndFromNobody() async throws {
        let silent = UDPProbe()
        let answering = try await OSCServer(
            settings: {
                var settings = OSCServerSettings()
                settings.udpEndpoints = [OSCServerTests.anyPort]
                settings.tcpEndpoints = []
                return settings
            }()
        ) { message, _ in [OSCMessage("/baton/pong", message.arguments)] }
        let dead = Probes.deadPort()
        let addresses = [
            "127.0.0.1:\(answering.udpEndpoints[0].port)", "127.0.0.1:\(silent.port)", "127.0.0.1:\(dead)",
            "no-such-host.invalid:9",
        ]
        let subscribers = try OSCStateReceivers(
            targets: addresses.map {
                OSCTarget(name: $0, endpoint: try OSCEndpoint($0), receivesState: false)
            })
        let patience = Duration.seconds(20)
        let answered = await subscribers.pingTarget(
            "127.0.0.1:\(answering.udpEndpoints[0].port)", within: patience)
        guard case .answered(let after) = answered else {
            Issue.record("\(answered)")
            return
        }
        #expect(after < patience)
        let quiet = await subscribers.pingTarget("127.0.0.1:\(silent.port)", within: .milliseconds(100))
        #expect(quiet == .unconfirmed)
        #expect(try silent.receive()?.address == "/baton/ping")
        guard case .failed = await subscribers.pingTarget("127.0.0.1:\(dead)", within: patience) else {
            Issue.record("a dead port answered")
            return
        }
        guard
            case .failed(let error) = await subscribers.pingTarget(
                "no-such-host.invalid:9", within: patience),
            error.sentence.contains("The name 'no-such-host.invalid' was not found on the network")
        else {
            Issue.record("an unknown host answered")
            return
        }
        await answering.close()
        await subscribers.close()
    }

    @Test(arguments: [("eos=tcp:", OSCStreamFraming.lengthPrefix), ("desk=slip:", .slip)])
    func aTargetOverTCPGetsEachPacketInItsFrameAndConnectsAgain(
        prefix: String, framing: OSCStreamFraming
    ) async throws {
        var settings = OSCServerSettings()
        settings.udpEndpoints = []
        settings.tcpEndpoints = [OSCServerTests.anyPort]
        let heard = Mutex<[String]>([])
        let first = try await OSCServer(settings: settings) { message, _ in
            heard.withLock { $0.append(message.address) }
            return [OSCMessage("/baton/pong", message.arguments)]
        }
        let port = first.tcpEndpoints[0].port
        let target = try OSCTarget("\(prefix)127.0.0.1:\(port)", receivesState: false)
        #expect(target.streamFraming == framing)
        #expect(target.endpoint == OSCEndpoint(host: "127.0.0.1", port: port))
        let subscribers = try OSCStateReceivers(targets: [target])
        guard case .answered = await subscribers.pingTarget(target.name, within: .seconds(20)) else {
            Issue.record("the target did not answer")
            return
        }
        #expect(heard.withLock { $0 } == ["/baton/ping"])
        await first.close()
        settings.tcpEndpoints = [OSCEndpoint(host: "127.0.0.1", port: port)]
        let second = try await OSCServer(settings: settings) { message, _ in
            [OSCMessage("/baton/pong", message.arguments)]
        }
        let answersAgain = await eventually {
            if case .answered = await subscribers.pingTarget(target.name, within: .seconds(1)) { return true }
            return false
        }
        #expect(answersAgain)
        await subscribers.close()
        await second.close()
    }

    @Test func aTargetWithoutAPrefixGetsDatagrams() throws {
        let target = try OSCTarget("localhost:8000", receivesState: true)
        #expect(target.streamFraming == nil)
        #expect(target.name == "localhost:8000")
        #expect(throws: ShowControlError.notHostAndPort("eos")) {
            try OSCTarget("desk=tcp:eos", receivesState: true)
        }
    }
}
