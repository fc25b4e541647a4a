import Basics
import NIOCore
import NIOPosix
import Podium
import Testing

@testable import BackupLink
@testable import TestHelpers

@Suite(.ownThreads, .serialized) struct BackupLinkTests {
    @Test func heartbeatsGoBothWays() async throws {
        let (main, backup) = (OneServer(), OneServer())
        let server = try await main.listen()
        let client = try await backup.dial(server.port)
        let met = await eventually {
            server.sendHeartbeat(.of("main", term: 3))
            client.sendHeartbeat(.of("backup", term: 2))
            return main.heard.count > 3 && backup.heard.count > 3
        }
        #expect(met)
        #expect(main.heard.last == .of("backup", term: 2) && backup.heard.last == .of("main", term: 3))
        #expect(server.status.isOtherServerHeard && client.status.isOtherServerHeard)
        #expect(server.status.otherServer == OneServer.identity && server.status.warnings.isEmpty)
        #expect(server.status.counters.replayedDatagrams == 0 && client.status.counters.forgedMessages == 0)
        await client.close()
        await server.close()
    }

    @Test func aServerThatRestartsIsHeardAgain() async throws {
        let (main, backup) = (OneServer(), OneServer())
        var server = try await main.listen()
        let client = try await backup.dial(server.port)
        client.setCopyingOtherLog(true)
        let port = server.port
        for round in 1...3 as ClosedRange<UInt32> {
            let met = await eventually {
                server.sendHeartbeat(.of("main", term: round))
                client.sendHeartbeat(.of("backup"))
                return backup.heard.last?.term == round && server.status.isOtherServerHeard
                    && client.status.isConnected
            }
            #expect(met, "round \(round)")
            await server.close()
            server = try await main.listen(port: port)
        }
        await client.close()
        await server.close()
    }

    /// A connection that a server closes itself, or that is silent for too long, says nothing about the other server.
    @Test func theEndOfTheOthersProgramIsToldAndNothingElse() async throws {
        let (main, backup) = (OneServer(), OneServer())
        let server = try await main.listen()
        let client = try await backup.dial(server.port)
        #expect(await eventually { server.status.isConnected && client.status.isConnected })
        await client.close()
        #expect(await eventually { main.state.withLock { $0.closings } == 1 })
        #expect(backup.state.withLock { $0.closings } == 0)
        // This one is closed by the main server, because it sends nothing.
        var limits = BackupLinkLimits()
        limits.longestSilence = .milliseconds(200)
        limits.keepAliveInterval = .milliseconds(50)
        await server.close()
        let impatient = try await main.listen(limits: limits)
        let silent = try await backup.dial(impatient.port)
        let told = backup.state.withLock { $0.closings }
        #expect(await eventually { backup.state.withLock { $0.closings } > told })
        #expect(main.state.withLock { $0.closings } == 1)
        await silent.close()
        await impatient.close()
    }

    @Test func differencesBetweenTheTwoAreWarnedAbout() async throws {
        let (main, backup) = (OneServer(), OneServer())
        let server = try await main.listen()
        let other = LinkedServerIdentity(version: "1.1", show: "Evening", showDigest: "def")
        let client = try await backup.dial(server.port, identity: other)
        _ = await eventually {
            client.sendHeartbeat(.of("backup"))
            return server.status.otherServer != nil
        }
        #expect(
            server.status.warnings
                == [.otherVersion(ours: "1.0", theirs: "1.1"), .otherContent(show: "Evening")])
        await client.close()
        await server.close()
    }

    /// Cue lists are edited while both run: what differed a moment ago may be equal now, without a restart.
    @Test func aDifferenceThatIsGoneIsNotWarnedAboutAnyMore() async throws {
        let (main, backup) = (OneServer(), OneServer())
        let server = try await main.listen()
        let client = try await backup.dial(server.port)
        func eventuallyWarned(_ isWarned: Bool) async -> Bool {
            await eventually {
                client.sendHeartbeat(.of("backup"))
                server.sendHeartbeat(.of("main"))
                return server.status.otherServer != nil && client.status.otherServer != nil
                    && server.status.warnings.isEmpty != isWarned
                    && client.status.warnings.isEmpty != isWarned
            }
        }
        #expect(await eventuallyWarned(false))
        var edited = OneServer.identity
        edited.showDigest = "edited"
        edited.console = "http://*:8080"
        server.identify(as: edited)
        #expect(await eventuallyWarned(true))
        client.identify(as: edited)
        #expect(await eventuallyWarned(false))
        #expect(
            client.status.otherServer?.console == "http://*:8080" && client.status.otherAddress == "127.0.0.1"
        )
        await client.close()
        await server.close()
    }

    @Test func theLogArrivesWholeAndInOrderAndGoesOn() async throws {
        let (main, backup) = (OneServer(), OneServer())
        for sequence in 1...100 as ClosedRange<UInt64> { _ = main.write(sequence) }
        let server = try await main.listen()
        let client = try await backup.dial(server.port)
        client.setCopyingOtherLog(true)
        for sequence in 101...200 as ClosedRange<UInt64> { server.addLogLine(main.write(sequence)) }
        #expect(await eventually { backup.log.count == 200 })
        #expect(areSame(backup, main))
        #expect(await eventually { server.status.isLogCopiedByOtherServer && server.status.logLagLines == 0 })
        await client.close()
        #expect(await eventually { !server.status.isLogCopiedByOtherServer })
        await server.close()
    }

    @Test func aNewShowOfALongLineArrives() async throws {
        let (main, backup) = (OneServer(), OneServer())
        let server = try await main.listen()
        let client = try await backup.dial(server.port)
        client.setCopyingOtherLog(true)
        server.addLogLine(main.write(1, String(repeating: "x", count: 256 << 10)))
        server.addLogLine(main.write(2))
        #expect(await eventually { backup.log.count == 2 })
        #expect(areSame(backup, main))
        await client.close()
        await server.close()
    }

    /// Each connection ends some bytes later than the one before: in a proof, in a frame, between two.
    @Test func aCutAnywhereLosesAndRepeatsNothing() async throws {
        var quick = BackupLinkLimits()
        quick.firstReconnectPause = .milliseconds(1)
        quick.longestReconnectPause = .milliseconds(1)
        quick.recentLinesBytes = 200
        let (main, backup) = (OneServer(), OneServer())
        let server = try await main.listen(limits: quick)
        let cutter = try await CableCutter(to: server.port, firstBytes: 1, moreBytes: 7)
        let client = try await backup.dial(cutter.port, limits: quick)
        client.setCopyingOtherLog(true)
        for sequence in 1...150 as ClosedRange<UInt64> { server.addLogLine(main.write(sequence)) }
        #expect(await eventually { backup.log.count >= 150 })
        #expect(areSame(backup, main))
        #expect(cutter.connections > 30 && client.status.counters.authenticatedConnections > 3)
        #expect(backup.state.withLock { $0.begunAgain } == 0)
        await client.close()
        await server.close()
        await cutter.close()
    }

    @Test func followingAgainOnTheSameConnectionLosesAndRepeatsNothing() async throws {
        let (main, backup) = (OneServer(), OneServer())
        let server = try await main.listen()
        let client = try await backup.dial(server.port)
        for sequence in 1...300 as ClosedRange<UInt64> {
            server.addLogLine(main.write(sequence))
            if sequence % 10 == 0 { client.setCopyingOtherLog(sequence % 20 == 0) }
        }
        client.setCopyingOtherLog(true)
        #expect(await eventually { backup.log.count >= 300 })
        #expect(areSame(backup, main))
        await client.close()
        await server.close()
    }

    @Test func aLogThatIsNotTheBeginningOfTheOthersIsBegunAgain() async throws {
        for (own, text) in [(3, "another line 3"), (30, nil)] as [(UInt64, String?)] {
            let (main, backup) = (OneServer(), OneServer())
            for sequence in 1...20 as ClosedRange<UInt64> { _ = main.write(sequence) }
            _ = backup.write(own, text)
            let server = try await main.listen()
            let client = try await backup.dial(server.port)
            client.setCopyingOtherLog(true)
            #expect(await eventually { backup.log == main.log })
            #expect(backup.state.withLock { $0.begunAgain } == 1)
            await client.close()
            await server.close()
        }
    }

    @Test func afterATakeoverTheLogFlowsTheOtherWay() async throws {
        let (main, backup) = (OneServer(), OneServer())
        let server = try await main.listen()
        let client = try await backup.dial(server.port)
        client.setCopyingOtherLog(true)
        for sequence in 1...10 as ClosedRange<UInt64> { server.addLogLine(main.write(sequence)) }
        #expect(await eventually { backup.log.count == 10 })
        client.setCopyingOtherLog(false)
        server.setCopyingOtherLog(true)
        for sequence in 11...20 as ClosedRange<UInt64> { client.addLogLine(backup.write(sequence)) }
        #expect(await eventually { main.log.count == 20 })
        #expect(areSame(main, backup))
        await client.close()
        await server.close()
    }

    @Test func aFollowerThatTakesNothingIsCutOffAndCostsNoMemory() async throws {
        var limits = BackupLinkLimits()
        limits.mostUnsentBytes = 1 << 16
        limits.recentLinesBytes = 1 << 16
        limits.keepAliveInterval = .milliseconds(50)
        limits.longestLogFollowerStall = .milliseconds(200)
        let main = OneServer()
        let server = try await main.listen(limits: limits)
        let lazy = try await LazyFollower(port: server.port)
        for sequence in 1...400 as ClosedRange<UInt64> {
            server.addLogLine(main.write(sequence, String(repeating: "y", count: 64 << 10)))
        }
        #expect(await eventually { server.status.counters.disconnectedSlowLogFollowers == 1 })
        #expect(server.status.counters.linesSent < 400)
        await lazy.close()
        await server.close()
    }

    @Test func strangersAreCountedAndGetNothing() async throws {
        let main = OneServer()
        let server = try await main.listen()
        let stranger = OneServer()
        let client = try await stranger.dial(server.port, key: BackupLinkKey(bytes: [1, 2, 3]))
        client.setCopyingOtherLog(true)
        server.addLogLine(main.write(1))
        let counted = await eventually {
            client.sendHeartbeat(.of("stranger", term: 99))
            server.sendHeartbeat(.of("main"))
            return server.status.counters.forgedMessages >= 2
        }
        #expect(counted)
        #expect(main.heard.isEmpty && stranger.heard.isEmpty && stranger.log.isEmpty)
        #expect(!server.status.isConnected && !server.status.isOtherServerHeard)
        await client.close()
        await server.close()
    }

    @Test func whateverComesAsADatagramIsRefusedAndCounted() async throws {
        let main = OneServer()
        let server = try await main.listen()
        let rogue = try await DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: server.port)
        func send(_ bytes: [UInt8]) async throws {
            try await rogue.writeAndFlush(
                AddressedEnvelope(remoteAddress: address, data: ByteBuffer(bytes: bytes)))
        }
        // Recorded from another run of the same pair.
        var old = BackupDatagramAuthenticator(key: OneServer.key, ownSession: 77)
        try await send([])
        try await send(Array("hello".utf8))
        try await send([UInt8](repeating: 0x42, count: 1_201))
        try await send([UInt8](repeating: 0x42, count: 60_000))
        let said = BackupHeartbeatMessage(heartbeat: .of("main", term: 9), identity: OneServer.identity)
        let recorded = sealed(&old, .heartbeat, try said.bytes, to: 12_345)
        for _ in 0..<100 { try await send(recorded) }
        try await send(recorded.dropLast() + [recorded.last! ^ 1])
        let counted = await eventually {
            let counters = server.status.counters
            return counters.oversizedMessages == 2 && counters.malformedMessages == 2
                && counters.forgedMessages == 1
        }
        #expect(counted, "\(server.status.counters)")
        #expect(main.heard.isEmpty)
        try await rogue.close()
        await server.close()
    }

    @Test func aPortInUseIsASentence() async throws {
        let main = OneServer()
        let server = try await main.listen()
        await #expect(
            throws: ExplainedError(
                "Port \(server.port) of 127.0.0.1 is taken by another program; end it, or give the link "
                    + "another port.")
        ) {
            try await main.listen(port: server.port)
        }
        await #expect(
            throws: ExplainedError(
                "'192.0.2.1' is not an address of this machine; give one that 'ip a' lists.")
        ) {
            try await BackupLinkServer(
                address: "192.0.2.1", port: 0, key: OneServer.key, identity: OneServer.identity,
                handlers: main.handlers)
        }
        await server.close()
    }
}
