import Basics
import Foundation
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import Platform
import Synchronization
import Testing

@testable import Catalogue
@testable import Console
@testable import Hosting
@testable import Performance
@testable import ShowStages
@testable import SignIn
@testable import TestHelpers
@testable import WebServer
@testable import baton

/// `baton ctl` beside an open console of the same account.
@Suite(.ownThreads) struct ServeCtlSessionTests {
    private static let passphrase = "four plain words here"

    /// An open console that reads its stream.
    private final class Console: Sendable {
        let isOver = Mutex(false)
        let text = Mutex("")

        var beats: Int { text.withLock { $0.ranges(of: "event: beat").count } }

        func open(_ port: Int, _ token: String) async throws -> any Channel {
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Reader(self))
                    }
                }.connect(host: "127.0.0.1", port: port).get()
            try await channel.writeAndFlush(
                ByteBuffer(
                    string: "GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
                        + "Cookie: baton_session=\(token)\r\n\r\n"))
            return channel
        }

        private final class Reader: ChannelInboundHandler {
            typealias InboundIn = ByteBuffer
            private let console: Console

            init(_ console: Console) { self.console = console }

            func channelRead(context: ChannelHandlerContext, data: NIOAny) {
                let words = String(buffer: unwrapInboundIn(data))
                console.text.withLock { $0 += words }
            }

            func channelInactive(context: ChannelHandlerContext) { console.isOver.withLock { $0 = true } }
        }
    }

    private func until(_ holds: () -> Bool) async throws {
        #expect(await eventually(holds))
    }

    /// - Parameter work: gets the port, the catalogue, the console and the token it is signed in by.
    private func live(
        _ work:
            @Sendable @escaping (Int, CatalogueStore, CatalogueAccounts, Console, String) async throws -> Void
    ) async throws {
        let folder = try ServeFolder()
        let catalogue = try CatalogueStore(path: folder.path + "/catalogue.sqlite")
        let hasher = PasswordHasher(cost: .least)
        let hash = try await hasher.hash(Passphrase(tried: Self.passphrase))
        try await catalogue.addAccount(named: "theo", role: .technician, passwordHash: hash)
        let accounts = CatalogueAccounts(catalogue: catalogue, hasher: hasher)
        let stage = try ServeStage()
        try stage.start()
        let server = try WebServer(
            settings: WebSettings(port: 0), accounts: accounts,
            routes: ConsoleRoutes(desk: stage.consoleDesk { Array("{}".utf8) }, events: EventHub()).routes)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            group.addTask {
                _ = await eventually { server.boundPort != nil }
                let port = server.boundPort ?? 0
                let console = Console()
                let result: Result<Void, any Error>
                do {
                    let outcome = await accounts.signIn(
                        name: "theo", password: Self.passphrase, inUse: [], first: false)
                    guard case .signedIn(_, let token) = outcome else { throw CancellationError() }
                    let channel = try await console.open(port, token)
                    try await until { console.beats > 0 }
                    result = .success(try await work(port, catalogue, accounts, console, token))
                    try? await channel.close()
                } catch {
                    result = .failure(error)
                }
                await server.stop()
                try result.get()
            }
            try await group.waitForAll()
        }
        stage.stop()
        withExtendedLifetime(folder) {}
    }

    @Test func twentyFiveCallsLeaveTheConsoleSignedInAndNothingBehind() async throws {
        try await live { port, catalogue, accounts, console, token in
            for number in 0..<25 {
                let client = try ConsoleClient(server: "http://127.0.0.1:\(port)")
                try await client.withSignIn(as: "theo", Self.passphrase) {
                    _ = try await client.sendCommand(["note", "call \(number)"])
                }
            }
            let id = try await catalogue.account(named: "theo").id
            #expect(try await catalogue.signInCount(of: id) == 1)
            #expect(await accounts.findPerson(token: token) != nil)
            let beats = console.beats
            try await until { console.beats > beats }
            #expect(!console.isOver.withLock { $0 })
        }
    }

    @Test func programsThatLeaveTheirSignInsBehindDoNotEndTheConsolesEither() async throws {
        try await live { port, catalogue, accounts, console, token in
            for _ in 0..<25 {
                try await ConsoleClient(server: "http://127.0.0.1:\(port)").signIn("theo", Self.passphrase)
            }
            let id = try await catalogue.account(named: "theo").id
            #expect(try await catalogue.signInCount(of: id) == SignInLimits.mostPerAccount + 1)
            #expect(await accounts.findPerson(token: token) != nil)
            #expect(!console.isOver.withLock { $0 })
        }
    }

    @Test func aCallThatFailsSignsOutToo() async throws {
        try await live { port, catalogue, _, _, _ in
            let client = try ConsoleClient(server: "http://127.0.0.1:\(port)")
            await #expect(throws: ExplainedError.self) {
                try await client.withSignIn(as: "theo", Self.passphrase) {
                    _ = try await client.sendCommand(["choose", "2"])
                }
            }
            let id = try await catalogue.account(named: "theo").id
            #expect(try await catalogue.signInCount(of: id) == 1)
        }
    }
}
