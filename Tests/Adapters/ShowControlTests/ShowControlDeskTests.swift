import Podium
import ShowControl
import Synchronization
import Testing

@testable import TestHelpers

@Suite(.ownThreads, .serialized, .timeLimit(.minutes(10))) struct ShowControlDeskTests {
    private func desk(
        passphrase: String? = nil, targets: [OSCTarget] = [], allowed: [String] = [],
        _ command: @escaping ShowControlService.CommandHandler = { words, _ in
            .done(words.joined(separator: " "))
        }
    ) async throws -> ShowControlService {
        var settings = ShowControlService.Settings()
        settings.serverSettings.udpEndpoints = [OSCServerTests.anyPort]
        settings.serverSettings.tcpEndpoints = [OSCServerTests.anyPort]
        settings.serverSettings.allowedSenders = allowed.compactMap(SenderAddressRange.init)
        settings.passphrase = passphrase
        settings.targets = targets
        return try await ShowControlService(settings: settings, command: command)
    }

    @Test func commandsAreDoneAndAnswered() async throws {
        let desk = try await desk { words, _ in
            words[0] == "go" ? .refused(sentence: "GO came twice.") : .done("1.5")
        }
        let probe = UDPProbe()
        try probe.send(OSCMessage("/baton/command/nudge", [.int(1)]), to: desk.udpEndpoints[0].port)
        #expect(
            try probe.receive()
                == OSCMessage(
                    "/baton/reply", [.string("/baton/command/nudge"), .string("ok"), .string("1.5")]))
        try probe.send(OSCMessage("/baton/go"), to: desk.udpEndpoints[0].port)
        #expect(
            try probe.receive()
                == OSCMessage("/baton/error", [.string("/baton/go"), .string("GO came twice.")]))
        try probe.send(OSCMessage("/baton/nonsense"), to: desk.udpEndpoints[0].port)
        #expect(try probe.receive()?.address == "/baton/error")
        try probe.send(OSCMessage("/baton/ping", [.int(7)]), to: desk.udpEndpoints[0].port)
        #expect(try probe.receive() == OSCMessage("/baton/pong", [.int(7)]))
        await desk.close()
    }

    @Test func aSubscriberGetsEverythingAtOnceThenChangesThenTheHeartbeat() async throws {
        let desk = try await desk()
        var state = PublishedShowState()
        state.pieceName = "Beethoven, Coriolan"
        desk.publishState(state)
        let probe = UDPProbe(patience: 4)
        try probe.send(OSCMessage("/baton/subscribe", [.int(30)]), to: desk.udpEndpoints[0].port)
        #expect(
            try probe.receive()
                == OSCMessage("/baton/reply", [.string("/baton/subscribe"), .string("ok"), .string("30")]))
        for message in ShowControlMessages.stateMessages(for: state) {
            #expect(try probe.receive() == message)
        }
        state.printedMeasure = 12
        desk.publishState(state)
        desk.publishFiredCue(NamedCue(id: "c1", name: "Blue"), kind: "osc")
        // A heartbeat may come between.
        var heard: [OSCMessage] = []
        while heard.last?.address != "/baton/cue/fired" { heard.append(try #require(try probe.receive())) }
        #expect(heard.contains(OSCMessage("/baton/measure", [.int(12), .int(0), .string("")])))
        heard = []
        while heard.count < 14 { heard.append(try #require(try probe.receive())) }
        #expect(heard == ShowControlMessages.stateMessages(for: state))
        try probe.send(OSCMessage("/baton/unsubscribe"), to: desk.udpEndpoints[0].port)
        while try probe.receive()?.address != "/baton/reply" {}
        #expect(desk.stateReceivers.activeSubscribers.isEmpty)
        await desk.close()
    }

    @Test func stateGoesToAnotherPortWhereOneIsNamed() async throws {
        let desk = try await desk()
        desk.publishState(PublishedShowState())
        let asking = UDPProbe()
        let listening = UDPProbe(patience: 4)
        try asking.send(
            OSCMessage("/baton/subscribe", [.int(60), .int(Int32(listening.port))]),
            to: desk.udpEndpoints[0].port)
        #expect(try asking.receive()?.address == "/baton/reply")
        #expect(try listening.receive()?.address == "/baton/piece")
        await desk.close()
    }

    @Test func nothingIsDoneBeforeThePassphrase() async throws {
        let done = Mutex(0)
        let desk = try await desk(passphrase: "opus 67") { _, _ in
            done.withLock { $0 += 1 }
            return .done("")
        }
        let probe = UDPProbe()
        func ask(_ message: OSCMessage) throws -> String? {
            try probe.send(message, to: desk.udpEndpoints[0].port)
            return try probe.receive()?.address
        }
        #expect(try ask(OSCMessage("/baton/go")) == "/baton/error")
        #expect(try ask(OSCMessage("/baton/subscribe")) == "/baton/error")
        #expect(try ask(OSCMessage("/baton/pass", [.string("opus 68")])) == "/baton/error")
        #expect(try ask(OSCMessage("/baton/ping")) == "/baton/pong")
        #expect(done.withLock { $0 } == 0)
        #expect(try ask(OSCMessage("/baton/pass", [.string("opus 67")])) == "/baton/reply")
        #expect(try ask(OSCMessage("/baton/go")) == "/baton/reply")
        #expect(done.withLock { $0 } == 1)
        await desk.close()
    }

    @Test(arguments: [
        ([String](), String?.none, false), (["0.0.0.0/0"], nil, false), (["127.0.0.0/8"], nil, true),
        (["127.0.0.1"], nil, true), ([], "opus 67", true),
    ])
    func aCommandByTCPNeedsAPassphraseOrANamedSender(allowed: [String], word: String?, isDone: Bool)
        async throws
    {
        let done = Mutex(0)
        let desk = try await desk(passphrase: word, allowed: allowed) { _, _ in
            done.withLock { $0 += 1 }
            return .done("")
        }
        desk.publishState(PublishedShowState())
        let probe = TCPProbe(port: desk.tcpEndpoints[0].port)
        if let word {
            try probe.send(OSCMessage("/baton/pass", [.string(word)]))
            #expect(try probe.receive()?.address == "/baton/reply")
        }
        try probe.send(OSCMessage("/baton/go"))
        #expect(try probe.receive()?.address == (isDone ? "/baton/reply" : "/baton/error"))
        #expect(done.withLock { $0 } == (isDone ? 1 : 0))
        #expect(
            desk.counters.unprotectedCommands == (isDone ? 0 : 1)
                && desk.counters.refusals == (isDone ? 0 : 1))
        #expect(isDone || desk.counters.lastRefusal?.contains("--osc-passphrase") == true)
        // Looking is free.
        try probe.send(OSCMessage("/baton/query"))
        #expect(try probe.receive()?.address == "/baton/piece")
        // By UDP nothing changes: a browser has none.
        if word == nil {
            let datagrams = UDPProbe()
            try datagrams.send(OSCMessage("/baton/go"), to: desk.udpEndpoints[0].port)
            #expect(try datagrams.receive()?.address == "/baton/reply")
        }
        await desk.close()
    }

    /// Two servers that send each other their state: no command and no endless conversation comes of it.
    @Test func twoDesksSubscribedToEachOtherStayCalm() async throws {
        let done = Mutex(0)
        let count: ShowControlService.CommandHandler = { _, _ in
            done.withLock { $0 += 1 }
            return .done("")
        }
        let first = try await desk(count)
        let second = try await desk(
            targets: [OSCTarget(name: "first", endpoint: first.udpEndpoints[0])], count)
        var state = PublishedShowState()
        state.panicLevel = "safe"
        second.publishState(state)
        #expect(await eventually { first.counters.receivedMessages >= 13 })
        #expect(first.counters.sentReplies == 0 && done.withLock { $0 } == 0)
        #expect(await eventually { second.stateReceivers.targetStatuses[0].sentMessages >= 13 })
        await first.close()
        await second.close()
    }
}
