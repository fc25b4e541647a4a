import Basics
import NIOCore
import Podium
import Synchronization
import Testing

@testable import BackupLink
@testable import TestHelpers

@Suite(.ownThreads, .serialized) struct LinkAskingTests {
    private static func handlers(
        _ answer: (@Sendable ([UInt8]) async -> [UInt8])?
    ) -> BackupLinkHandlers { BackupLinkHandlers(heartbeat: { _ in }, answer: answer) }

    /// Both ends, once they know each other.
    private static func pair(
        _ answer: (@Sendable ([UInt8]) async -> [UInt8])?, limits: BackupLinkLimits = BackupLinkLimits()
    ) async throws -> (BackupLinkServer, BackupLinkClient) {
        let server = try await BackupLinkServer(
            address: "127.0.0.1", port: 0, key: OneServer.key, identity: OneServer.identity,
            handlers: handlers(answer), limits: limits)
        let client = try await BackupLinkClient(
            address: "127.0.0.1", port: server.port, key: OneServer.key, identity: OneServer.identity,
            handlers: handlers { $0.reversed() }, limits: limits)
        let met = await eventually {
            server.sendHeartbeat(.of("main"))
            client.sendHeartbeat(.of("backup"))
            return client.status.isOtherServerHeard && client.status.isConnected
                && server.status.isOtherServerHeard
        }
        #expect(met)
        return (server, client)
    }

    @Test func bothEndsAskAndAreAnswered() async throws {
        let (server, client) = try await Self.pair { [0x0A, 0x20] + $0 }
        #expect(try await client.askOtherServer([1, 2, 0x0A]) == [0x0A, 0x20, 1, 2, 0x0A])
        #expect(try await server.askOtherServer([1, 2, 3]) == [3, 2, 1])
        let long = [UInt8](repeating: 7, count: BackupLinkLimits.mostQuestionBytes)
        #expect(try await client.askOtherServer(long).count == long.count + 2)
        await #expect(
            throws: ExplainedError("A question of \(long.count + 1) bytes is too long for the link.")
        ) {
            try await client.askOtherServer(long + [1])
        }
        await client.close()
        await server.close()
    }

    @Test func answersComeToTheirQuestionsWhateverTheOrder() async throws {
        let isAnswered = Mutex(false)
        let (server, client) = try await Self.pair { question in
            if question == [1] { _ = await eventually { isAnswered.withLock { $0 } } }
            return question
        }
        async let slow = client.askOtherServer([1])
        #expect(try await client.askOtherServer([2]) == [2])
        isAnswered.withLock { $0 = true }
        #expect(try await slow == [1])
        await client.close()
        await server.close()
    }

    @Test func aVersionThatAnswersNothingIsNotAsked() async throws {
        let (server, client) = try await Self.pair(nil)
        await #expect(
            throws: ExplainedError(
                "The other server runs baton 1.0, which answers no questions about its content; install "
                    + "the same version on both.")
        ) {
            try await client.askOtherServer([1])
        }
        #expect(client.status.isConnected)
        await client.close()
        await server.close()
    }

    @Test func aQuestionEndsWithTheConnectionAndWithTime() async throws {
        var limits = BackupLinkLimits()
        limits.answerTimeout = .milliseconds(30)
        let isHeld = Mutex(true)
        let (server, client) = try await Self.pair(
            { question in
                _ = await eventually { !isHeld.withLock { $0 } }
                return question
            }, limits: limits)
        await #expect(
            throws: ExplainedError(
                "The other server did not answer within 0 s; look at its load and at the network.")
        ) {
            try await client.askOtherServer([1])
        }
        isHeld.withLock { $0 = false }
        await server.close()
        await #expect(throws: ExplainedError.self) { try await client.askOtherServer([1]) }
        await client.close()
    }

    @Test func anAnswerThatIsTooLongIsNoneAndTheConnectionStays() async throws {
        let (server, client) = try await Self.pair {
            [UInt8](repeating: 7, count: $0 == [1] ? BackupLinkLimits.mostAnswerBytes + 1 : 1)
        }
        #expect(try await client.askOtherServer([1]) == [])
        #expect(try await client.askOtherServer([2]) == [7])
        #expect(client.status.counters.authenticatedConnections == 1)
        await client.close()
        await server.close()
    }

    @Test func whoAsksMoreThanIsAnsweredKeepsTheConnection() async throws {
        var limits = BackupLinkLimits()
        limits.mostConcurrentQuestions = 1
        limits.answerTimeout = .milliseconds(100)
        let isHeld = Mutex(true)
        let asked = Mutex(0)
        let (server, client) = try await Self.pair(
            { question in
                asked.withLock { $0 += 1 }
                _ = await eventually { !isHeld.withLock { $0 } }
                return question
            }, limits: limits)
        await #expect(
            throws: ExplainedError(
                "The other server did not answer within 0 s; look at its load and at the network.")
        ) {
            try await client.askOtherServer([1])
        }
        #expect(await eventually { asked.withLock { $0 } == 1 })
        await #expect(
            throws: ExplainedError(
                "The other server did not answer within 0 s; look at its load and at the network.")
        ) {
            try await client.askOtherServer([2])
        }
        #expect(asked.withLock { $0 } == 1)
        isHeld.withLock { $0 = false }
        #expect(await eventually { (try? await client.askOtherServer([3])) == [3] })
        #expect(client.status.counters.authenticatedConnections == 1)
        await client.close()
        await server.close()
    }

    @Test func framesOfQuestionsAreBounded() {
        let most = BackupLinkFrame.ask(
            number: 3, question: [UInt8](repeating: 0x0A, count: BackupLinkLimits.mostQuestionBytes))
        #expect(BackupLinkFrame(bytes: most.bytes[...]) == most && !most.bytes.contains(0x0A))
        let more = BackupLinkFrame.ask(
            number: 3, question: [UInt8](repeating: 0, count: BackupLinkLimits.mostQuestionBytes + 1))
        #expect(BackupLinkFrame(bytes: more.bytes[...]) == nil)
        #expect(BackupLinkFrame(bytes: Array("ask 3 !".utf8)[...]) == nil)
        #expect(BackupLinkFrame(bytes: Array("answer x AA==".utf8)[...]) == nil)
    }
}
