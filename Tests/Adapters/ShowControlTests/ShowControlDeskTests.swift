import Podium
import ShowControl
import Synchronization
import Testing

@testable import TestHelpers

@Suite(.ownThreads, .serialized, .timeLimit(.minutes(10))) struct ShowControlDeskTests {
    private func desk(
        passphrase: String? = nil, targets: [OSCTarget] = [],
        _ command: @escaping ShowControlService.CommandHandler = { words, _ in
            .done(words.joined(separator: " "))
        }
    ) async throws -> ShowControlService {
        var settings = ShowControlService.Settings()
        settings.server.udp = [OSCServerTests.anyPort]
        settings.server.tcp = [OSCServerTests.anyPort]
        settings.passphrase = passphrase
        settings.targets = targets
        return try await ShowControlService(settings: settings, command: command)
    }

    @Test func commandsAreDoneAndAnswered() async throws {
        let desk = try await desk { words, _ in
            words[0] == "go" ? .refused(sentence: "GO came twice.") : .done("1.5")
        }
        let probe = UDPProbe()
        try probe.send(OSCMessage("/baton/command/nudge", [.int(1)]), to: desk.udp[0].port)
        #expect(
            try probe.receive()
                == OSCMessage(
                    "/baton/reply", [.string("/baton/command/nudge"), .string("ok"), .string("1.5")]))
        try probe.send(OSCMessage("/baton/go"), to: desk.udp[0].port)
        #expect(
            try probe.receive()
                == OSCMessage("/baton/error", [.string("/baton/go"), .string("GO came twice.")]))
        try probe.send(OSCMessage("/baton/nonsense"), to: desk.udp[0].port)
        #expect(try probe.receive()?.address == "/baton/error")
        try probe.send(OSCMessage("/baton/ping", [.int(7)]), to: desk.udp[0].port)
        #expect(try probe.receive() == OSCMessage("/baton/pong", [.int(7)]))
        await desk.close()
    }

    @Test func aSubscriberGetsEverythingAtOnceThenChangesThenTheHeartbeat() async throws {
        let desk = try await desk()
        var state = PublishedShowState()
        state.pieceName = "Beethoven, Coriolan"
        desk.publish(state)
        let probe = UDPProbe(patience: 4)
        try probe.send(OSCMessage("/baton/subscribe", [.int(30)]), to: desk.udp[0].port)
        #expect(
            try probe.receive()
                == OSCMessage("/baton/reply", [.string("/baton/subscribe"), .string("ok"), .string("30")]))
        for message in ShowControlMessages.messages(for: state) { #expect(try probe.receive() == message) }
        state.printedMeasure = 12
        desk.publish(state)
        desk.publishFiredCue(CueName(id: "c1", name: "Blue"), kind: "osc")
        // A heartbeat may come between.
        var heard: [OSCMessage] = []
        while heard.last?.address != "/baton/cue/fired" { heard.append(try #require(try probe.receive())) }
        #expect(heard.contains(OSCMessage("/baton/measure", [.int(12), .int(0), .string("")])))
        heard = []
        while heard.count < 13 { heard.append(try #require(try probe.receive())) }
        #expect(heard == ShowControlMessages.messages(for: state))
        try probe.send(OSCMessage("/baton/unsubscribe"), to: desk.udp[0].port)
        while try probe.receive()?.address != "/baton/reply" {}
        #expect(desk.subscribers.subscribers.isEmpty)
        await desk.close()
    }

    @Test func stateGoesToAnotherPortWhereOneIsNamed() async throws {
        let desk = try await desk()
        desk.publish(PublishedShowState())
        let asking = UDPProbe()
        let listening = UDPProbe(patience: 4)
        try asking.send(
            OSCMessage("/baton/subscribe", [.int(60), .int(Int32(listening.port))]), to: desk.udp[0].port)
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
            try probe.send(message, to: desk.udp[0].port)
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

    /// Two servers that send each other their state: no command and no endless conversation comes of it.
    @Test func twoDesksSubscribedToEachOtherStayCalm() async throws {
        let done = Mutex(0)
        let count: ShowControlService.CommandHandler = { _, _ in
            done.withLock { $0 += 1 }
            return .done("")
        }
        let first = try await desk(count)
        let second = try await desk(targets: [OSCTarget(name: "first", endpoint: first.udp[0])], count)
        var state = PublishedShowState()
        state.panic = "safe"
        second.publish(state)
        #expect(await eventually { first.counters.messages >= 13 })
        #expect(first.counters.replies == 0 && done.withLock { $0 } == 0)
        #expect(await eventually { second.subscribers.targets[0].sent >= 13 })
        await first.close()
        await second.close()
    }
}
