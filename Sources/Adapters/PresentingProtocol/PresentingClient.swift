import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// A speaker's program: registers with a server, carries requests to it, and comes back after a lost connection.
public final class PresentingClient: Sendable {
    public typealias Request = PresentingConversation.Request
    public typealias Outcome = PresentingConversation.Outcome

    public struct Endpoint: Hashable, Sendable {
        public var address: String
        public var port: Int

        public init(address: String, port: Int) { (self.address, self.port) = (address, port) }
    }

    /// What happens to the speaker without being an answer.
    public enum Event: Hashable, Sendable {
        /// `isAgain` is true after a lost connection, if the server has kept the number.
        case registered(id: UInt8, at: Endpoint, isAgain: Bool)
        case floorGranted
        case floorWithdrawn
        /// So many bytes of the slides have left this program.
        case sent(byteCount: Int, of: Int)
        /// The connection is lost; the client tries to come back.
        case disconnected
        /// The server has had no connection for so long that it has given number and floor to others.
        case numberLost
    }

    /// The reason why the client ends.
    public enum Fault: Error, Hashable, Sendable {
        /// No server answers; the text is the system's reason.
        case unreachable(reason: String)
        /// The server ended the connection without an answer to the registration.
        case closed
        /// The server refuses the name: a wrong code if it closed the connection, else it has no number left.
        case refused(isCodeWrong: Bool)
        /// It is no server for speakers.
        case wrongServer(PresentingFault)
        /// The moderator has removed the speaker, or another program on this machine has taken the name.
        case removed
        /// The server was away for longer than ``PresentingClient/patience``.
        case stayedAway
    }

    /// The servers: the main one, and perhaps its backup.
    public let endpoints: [Endpoint]
    /// The time without a server after which the client ends; nil if it tries for ever.
    public let patience: Duration?
    private let name: String
    private let limits: PresentingLimits
    private let report: @Sendable (Event) -> Void
    private let state = Mutex(State())

    private struct State {
        var conversation: PresentingConversation?
        var outgoing: AsyncStream<Outgoing>.Continuation?
        var answers: [Int: CheckedContinuation<Outcome, Never>] = [:]
        var lastTicket = 0
        var isLeaving = false
        /// The number that the server gave last.
        var id: UInt8?
    }

    private enum Outgoing: Sendable {
        case bytes([UInt8])
        case file(SlidesFile)
    }

    /// The time for which a server keeps number and floor.
    public static let keptTime = Duration.seconds(60)
    /// The wait for a server that does not answer to the connection, or to the registration.
    private static let answerTime = Duration.seconds(10)
    private static let chunkLength = 32_768

    /// - Parameters:
    ///   - name: the name with the moderator's code, as `Anna #k7-summer`.
    ///   - report: called in the order of the events, from any thread; must not wait.
    public init(
        endpoints: [Endpoint], name: String, patience: Duration? = nil,
        limits: PresentingLimits = PresentingLimits(), report: @escaping @Sendable (Event) -> Void
    ) {
        precondition(!endpoints.isEmpty, "a client needs a server")
        (self.endpoints, self.name, self.patience) = (endpoints, name, patience)
        (self.limits, self.report) = (limits, report)
    }

    /// Asks the server for something, and waits for its answer.
    public func perform(_ request: Request) async -> Outcome {
        await withCheckedContinuation { answer in
            let refusal: Outcome? = state.withLock { state in
                guard state.conversation?.isRegistered == true, let outgoing = state.outgoing else {
                    return .notConnected
                }
                guard state.conversation?.hasRoom == true else { return .tooManyWaiting }
                state.lastTicket += 1
                state.answers[state.lastTicket] = answer
                if case .unregister = request { state.isLeaving = true }
                outgoing.yield(.bytes(state.conversation!.ask(request, ticket: state.lastTicket)))
                if case .slides(let file) = request { outgoing.yield(.file(file)) }
                return nil
            }
            if let refusal { answer.resume(returning: refusal) }
        }
    }

    /// Connects, and comes back after each lost connection, until the speaker has unregistered or the task is cancelled.
    /// - Throws: ``Fault``.
    public func run() async throws {
        var lostAt: ContinuousClock.Instant?
        var (attempt, pause) = (0, Duration.milliseconds(250))
        var hasReportedLoss = false
        while true {
            let (before, begin) = (state.withLock { $0.id }, ContinuousClock.now)
            let fault = await serve(endpoints[attempt % endpoints.count])
            if state.withLock({ $0.isLeaving }) || Task.isCancelled { return }
            if fault == .removed { throw fault }
            attempt += 1
            let wasRegistered = state.withLock { state in
                defer { state.conversation = nil }
                return state.conversation?.isRegistered == true
            }
            if wasRegistered {
                (lostAt, hasReportedLoss) = (.now, false)
                if begin.duration(to: .now) > .seconds(5) { pause = .milliseconds(250) }
                report(.disconnected)
                attempt -= 1
            } else if before == nil {
                // The first time every server is asked once.
                guard attempt < endpoints.count else { throw fault }
                continue
            }
            let away = lostAt.map { $0.duration(to: .now) } ?? .zero
            if let patience, away >= patience { throw Fault.stayedAway }
            if away >= Self.keptTime, !hasReportedLoss {
                hasReportedLoss = true
                report(.numberLost)
            }
            try? await Task.sleep(for: pause)
            if Task.isCancelled { return }
            pause = min(pause * 2, .seconds(2))
        }
    }

    /// One connection, from its beginning to its end.
    /// - Returns: the reason for its end.
    private func serve(_ endpoint: Endpoint) async -> Fault {
        let line: NIOAsyncChannel<ByteBuffer, ByteBuffer>
        do { line = try await connect(endpoint) } catch {
            return .unreachable(reason: Self.reason(error))
        }
        let (stream, outgoing) = AsyncStream.makeStream(of: Outgoing.self)
        let conversation = PresentingConversation(name: name)
        outgoing.yield(.bytes(conversation.beginning))
        state.withLock { ($0.conversation, $0.outgoing) = (conversation, outgoing) }
        defer { giveUpAnswers() }
        let ending: Fault?
        do {
            ending = try await line.executeThenClose { inbound, outbound in
                try await withThrowingTaskGroup(of: Fault?.self) { group in
                    group.addTask { [self] in
                        try await send(stream, outbound)
                        return nil
                    }
                    group.addTask { [self] in
                        try await Task.sleep(for: Self.answerTime)
                        return state.withLock { $0.conversation?.isRegistered == true } ? nil : .closed
                    }
                    group.addTask { [self, limits] in
                        var reader = PresentingReader(inbound, limits: limits)
                        return try await receive(&reader, line.channel, from: endpoint)
                    }
                    defer { group.cancelAll() }
                    while let ended = try await group.next() { if let ended { return ended } }
                    return nil
                }
            }
        } catch let fault as PresentingFault {
            return .wrongServer(fault)
        } catch { return .closed }
        return ending ?? .closed
    }

    private static func reason(_ error: any Error) -> String {
        guard let error = error as? NIOConnectionError else { return "\(error)" }
        if error.dnsAError != nil || error.dnsAAAAError != nil { return "nobody knows this name" }
        guard let system = error.connectionErrors.first?.error as? IOError else { return "no answer" }
        return String(cString: strerror(system.errnoCode))
    }

    private func connect(_ endpoint: Endpoint) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(.seconds(5))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            // A server that has vanished is noticed after twenty seconds, also while nothing is sent.
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .channelOption(.tcpOption(NIOBSDSocket.Option(rawValue: TCP_KEEPIDLE)), value: 5)
            .channelOption(.tcpOption(NIOBSDSocket.Option(rawValue: TCP_KEEPINTVL)), value: 5)
            .channelOption(.tcpOption(NIOBSDSocket.Option(rawValue: TCP_KEEPCNT)), value: 3)
            .channelOption(.tcpOption(NIOBSDSocket.Option(rawValue: TCP_USER_TIMEOUT)), value: 20_000)
            .connect(host: endpoint.address, port: endpoint.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
    }

    private func send(
        _ stream: AsyncStream<Outgoing>, _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) async throws {
        for await item in stream {
            switch item {
            case .bytes(let bytes): try await outbound.write(ByteBuffer(bytes: bytes))
            case .file(let file): try await send(file, outbound)
            }
        }
    }

    private func send(_ file: SlidesFile, _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>) async throws
    {
        var sent = 0
        while sent < file.byteCount {
            let offset = sent
            let bytes = try await NIOThreadPool.singleton.runIfActive {
                file.bytes(at: offset, count: min(Self.chunkLength, file.byteCount - offset))
            }
            // The announced length cannot be taken back, so a file that became shorter ends the connection.
            guard !bytes.isEmpty else { throw Fault.closed }
            try await outbound.write(ByteBuffer(bytes: bytes))
            sent += bytes.count
            report(.sent(byteCount: sent, of: file.byteCount))
        }
    }

    /// Reads until the connection ends.
    /// - Returns: the reason.
    private func receive(
        _ reader: inout PresentingReader, _ channel: any Channel, from endpoint: Endpoint
    ) async throws -> Fault {
        var ending = Fault.closed
        while let part = try await reader.next() {
            let news = try state.withLock { state throws(PresentingFault) in
                try state.conversation?.receive(part) ?? []
            }
            for item in news {
                switch item {
                case .registered(let id):
                    let before = state.withLock { state in
                        defer { state.id = id }
                        return state.id
                    }
                    report(.registered(id: id, at: endpoint, isAgain: id == before))
                case .registrationRefused: return try await refusal(&reader, channel)
                case .floorGranted: report(.floorGranted)
                case .floorWithdrawn: report(.floorWithdrawn)
                case .unregistered: ending = .removed
                case .answered(let ticket, let outcome):
                    state.withLock { $0.answers.removeValue(forKey: ticket) }?.resume(returning: outcome)
                }
            }
        }
        return ending
    }

    /// After a wrong code the server ends the connection at once; after another refusal it does not.
    private func refusal(_ reader: inout PresentingReader, _ channel: any Channel) async throws -> Fault {
        let begin = ContinuousClock.now
        let closing = channel.eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
        defer { closing.cancel() }
        while try await reader.next() != nil {}
        return .refused(isCodeWrong: begin.duration(to: .now) < .milliseconds(900))
    }

    /// Ends the requests that a lost connection leaves without an answer.
    private func giveUpAnswers() {
        let answers = state.withLock { state in
            defer { state.answers = [:] }
            state.outgoing?.finish()
            state.outgoing = nil
            return state.answers
        }
        for answer in answers.values { answer.resume(returning: .connectionLost) }
    }
}
