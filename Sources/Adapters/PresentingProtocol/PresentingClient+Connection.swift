import Glibc
import NIOCore
import NIOPosix

/// One connection of the client: made, used in both directions, ended.
extension PresentingClient {
    /// The wait for the answer to the registration.
    private static let answerTime = Duration.seconds(10)
    /// The bytes of a file that are read and sent at once.
    private static let chunkLength = 32_768

    /// One connection, from its beginning to its end.
    /// - Returns: the reason for its end.
    func serve(_ endpoint: Endpoint) async -> Fault {
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

    func connect(_ endpoint: Endpoint) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
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

    func send(_ file: SlidesFile, _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>) async throws {
        var sent = 0
        while sent < file.byteCount {
            let offset = sent
            let bytes = try await NIOThreadPool.singleton.runIfActive {
                file.bytes(at: offset, count: min(Self.chunkLength, file.byteCount - offset))
            }
            // The announced length cannot be taken back, so a file that became shorter ends the connection.
            guard !bytes.isEmpty else { throw Fault.closed }
            try await outbound.write(ByteBuffer(bytes: bytes))
            let percentBefore = sent * 100 / file.byteCount
            sent += bytes.count
            if sent * 100 / file.byteCount > percentBefore {
                report(.sent(byteCount: sent, of: file.byteCount))
            }
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
                        defer { (state.id, state.endpoint) = (id, endpoint) }
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
