import Basics
import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// The connected socket for one target, of UDP or TCP. On a connected socket, the system reports if nobody listens at the
/// target. A TCP connection that has ended is opened again with the next message.
final class OSCTargetConnection: Sendable {
    static let retryDelay = Duration.seconds(1)
    static let faultDisplayTime = Duration.seconds(5)
    private static let connectTimeout = TimeAmount.seconds(3)
    /// The most messages that are kept while the socket opens. Opening takes as long as a host name look-up.
    static let maximumQueuedMessages = 64

    let target: OSCTarget
    private let state: Mutex<State>
    private let eventLoop: any EventLoop

    private struct State {
        var status: OSCTargetStatus
        var openChannel: (any Channel)?
        var isOpening = false
        var isClosed = false
        var queuedMessages: [[UInt8]] = []
        var earliestRetry: ContinuousClock.Instant?
        var lastFailure: (error: ExplainedError, at: ContinuousClock.Instant)?
        var waitingPings: [UInt64: CheckedContinuation<OSCPingOutcome, Never>] = [:]
        var lastPingNumber: UInt64 = 0
    }

    init(_ target: OSCTarget) {
        self.target = target
        eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        state = Mutex(State(status: OSCTargetStatus(target: target)))
    }

    var status: OSCTargetStatus {
        state.withLock { state in
            var status = state.status
            status.lastFailure = state.lastFailure.flatMap { failure in
                failure.at.duration(to: .now) < Self.faultDisplayTime ? failure.error.sentence : nil
            }
            return status
        }
    }

    /// Sends without waiting; the result shows in the status.
    /// - Returns: false if the message was dropped because the socket could not be opened a moment ago.
    @discardableResult func sendBytes(_ bytes: [UInt8]) -> Bool {
        let (channel, opens, isTaken) = state.withLock { state -> ((any Channel)?, Bool, Bool) in
            if let channel = state.openChannel, channel.isActive { return (channel, false, true) }
            guard !state.isClosed, state.earliestRetry.map({ $0 <= .now }) ?? true,
                state.queuedMessages.count < Self.maximumQueuedMessages
            else {
                state.status.failedMessages += 1
                return (nil, false, false)
            }
            state.queuedMessages.append(bytes)
            defer { state.isOpening = true }
            return (nil, !state.isOpening, true)
        }
        if let channel { writeBytes(bytes, to: channel) } else if opens { openSocket() }
        return isTaken
    }

    /// Opens the socket ahead of the first message, so that a wrong name shows early.
    func openSocket() {
        state.withLock { $0.isOpening = true }
        let endpoint = target.endpoint
        let resolved = NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) {
            try SocketAddress.makeAddressResolvingHost(endpoint.host, port: endpoint.port)
        }
        resolved.flatMap { address in self.connect(to: address) }
            .whenComplete { result in self.handleOpenResult(result) }
    }

    private func connect(to address: SocketAddress) -> EventLoopFuture<any Channel> {
        let prepare: @Sendable (any Channel) -> EventLoopFuture<Void> = { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(TargetReplyHandler(connection: self))
            }
        }
        guard target.streamFraming != nil else {
            return DatagramBootstrap(group: eventLoop).channelInitializer(prepare).connect(to: address)
        }
        return ClientBootstrap(group: eventLoop)
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .connectTimeout(Self.connectTimeout)
            .channelInitializer(prepare)
            .connect(to: address)
    }

    private func handleOpenResult(_ result: Result<any Channel, any Error>) {
        switch result {
        case .success(let channel):
            let held = state.withLock { state in
                state.isOpening = false
                guard !state.isClosed else { return [[UInt8]]?.none }
                state.openChannel = channel
                defer { state.queuedMessages = [] }
                return state.queuedMessages
            }
            guard let held else {
                channel.close(promise: nil)
                return
            }
            for bytes in held { writeBytes(bytes, to: channel) }
        case .failure(let error):
            recordFailure(wrapNetworkError(error), messages: nil)
        }
    }

    private func writeBytes(_ bytes: [UInt8], to channel: any Channel) {
        guard channel.isWritable else {
            recordFailure(
                ExplainedError(
                    "The network failed to send to \(target.endpoint): the network takes no more."),
                messages: 1)
            return
        }
        let frame = target.streamFraming?.makeFrame(bytes) ?? bytes
        channel.writeAndFlush(ByteBuffer(bytes: frame)).whenComplete { result in
            switch result {
            case .success: self.state.withLock { $0.status.sentMessages += 1 }
            case .failure(let error): self.recordFailure(self.wrapNetworkError(error), messages: 1)
            }
        }
    }

    private func wrapNetworkError(_ error: any Error) -> ExplainedError {
        // If nobody listens, the system reports this error once and closes the socket; messages that are still to be
        // sent fail only with the error that the socket is closed.
        if let error = error as? ChannelError, error == .ioOnClosedChannel || error == .alreadyClosed {
            return ShowControlError.systemError(action: "send to \(target.endpoint)", errno: ECONNREFUSED)
        }
        if case .connectTimeout? = error as? ChannelError {
            return ShowControlError.systemError(action: "send to \(target.endpoint)", errno: ETIMEDOUT)
        }
        return ShowControlError.wrappingSystemError(
            error, action: "send to \(target.endpoint)", endpoint: target.endpoint)
    }

    /// Records a failure to send this number of messages. If `messages` is nil, the socket did not open, and all kept
    /// messages are lost.
    private func recordFailure(_ error: ExplainedError, messages: UInt64?) {
        let pings = state.withLock { state in
            if messages == nil {
                state.status.failedMessages += UInt64(state.queuedMessages.count)
                state.queuedMessages = []
                state.isOpening = false
                state.earliestRetry = .now + Self.retryDelay
            }
            state.status.failedMessages += messages ?? 0
            state.lastFailure = (error, .now)
            defer { state.waitingPings = [:] }
            return state.waitingPings.values
        }
        for ping in pings { ping.resume(returning: .failed(error)) }
    }

    // MARK: Hearing back

    fileprivate func didReceiveReply() {
        state.withLock { state in
            state.status.hasAnswered = true
            state.lastFailure = nil
        }
        finishPings(.answered(after: .zero))
    }

    fileprivate func didReceiveError(_ error: any Error) {
        recordFailure(wrapNetworkError(error), messages: 1)
    }

    fileprivate func didDisconnect() { state.withLock { $0.openChannel = nil } }

    private func finishPings(_ outcome: OSCPingOutcome) {
        let pings = state.withLock { state in
            defer { state.waitingPings = [:] }
            return state.waitingPings.values
        }
        for ping in pings { ping.resume(returning: outcome) }
    }

    /// Sends "/baton/ping" and waits until any packet comes back.
    func ping(within limit: Duration) async -> OSCPingOutcome {
        let message = OSCMessage("/baton/ping", [.int(Int32(target.endpoint.port))])
        guard let bytes = try? message.encodedBytes() else { return .unconfirmed }
        let started = ContinuousClock.now
        let outcome = await withCheckedContinuation { continuation in
            let number = state.withLock { state in
                state.lastPingNumber += 1
                state.waitingPings[state.lastPingNumber] = continuation
                return state.lastPingNumber
            }
            eventLoop.scheduleTask(in: .nanoseconds(Int64(limit / .nanoseconds(1)))) {
                self.state.withLock { $0.waitingPings.removeValue(forKey: number) }?.resume(
                    returning: .unconfirmed)
            }
            guard !sendBytes(bytes), let failure = state.withLock({ $0.lastFailure }) else { return }
            // The message was dropped after a known failure, so no answer can come back.
            finishPings(.failed(failure.error))
        }
        guard case .answered = outcome else { return outcome }
        return .answered(after: started.duration(to: .now))
    }

    func close() async {
        let channel = state.withLock { state in
            state.isClosed = true
            defer { state.openChannel = nil }
            return state.openChannel
        }
        try? await channel?.close()
        finishPings(.unconfirmed)
    }
}

/// Receives a target's answers, of which none is read, and the system's report that nobody listens there.
private final class TargetReplyHandler: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private let connection: OSCTargetConnection

    init(connection: OSCTargetConnection) { self.connection = connection }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { connection.didReceiveReply() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { connection.didReceiveError(error) }

    func channelInactive(context: ChannelHandlerContext) { connection.didDisconnect() }
}
