import NIOCore
import NIOHTTP1

/// The first handler in a connection's pipeline. It registers the connection with the ``ConnectionLimiter``, counts its
/// requests, lets them begin one after another at the ``RequestGate``, and refuses requests that do not name exactly
/// one host.
///
/// This server and a proxy could interpret a request with two hosts differently, and a request without a host has no
/// address (RFC 9112, section 3.2). HTTP/1.0 requests need no host.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler, GatedConnection {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let connectionLimiter: ConnectionLimiter
    private let gate: RequestGate
    private var context: ChannelHandlerContext?
    private var id: ObjectIdentifier?
    private var hasRefused = false
    /// True from the beginning of a request to the end of its response.
    private var isServing = false
    /// True while the first of the held parts waits at the gate.
    private var isWaiting = false
    /// The parts of requests that may not begin yet. Nothing more is read meanwhile.
    private var heldParts: CircularBuffer<HTTPServerRequestPart> = []
    private var isReadPending = false
    /// True if the client closed its direction after the held parts.
    private var isInputClosed = false

    init(_ limiter: ConnectionLimiter, gate: RequestGate) {
        connectionLimiter = limiter
        self.gate = gate
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        id = ObjectIdentifier(context.channel)
        // Refuses connections that were accepted before the ``AcceptFilter`` was installed.
        if !connectionLimiter.admitConnection(context.channel) {
            context.channel.close(mode: .all, promise: nil)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        gate.endBeginning(of: self)
        self.context = nil
        heldParts.removeAll()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasRefused else { return }
        let part = unwrapInboundIn(data)
        if heldParts.isEmpty, mayPass(part, context) {
            context.fireChannelRead(data)
        } else if !hasRefused {
            heldParts.append(part)
        }
    }

    func read(context: ChannelHandlerContext) {
        if heldParts.isEmpty { context.read() } else { isReadPending = true }
    }

    /// True if the part belongs to a request that has begun, or begins one now.
    private func mayPass(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) -> Bool {
        guard case .head(let head) = part else { return true }
        guard !isServing else { return false }
        guard Self.namesOneHost(head) else {
            refuseRequest(context, head)
            return false
        }
        let holder = id.flatMap { connectionLimiter.changeRequestCount(1, of: $0) }
        isServing = true
        isWaiting = !gate.admitRequest(of: self, for: holder)
        return !isWaiting
    }

    func beginWaitingRequest() -> Bool {
        isWaiting = false
        guard let context, let head = heldParts.popFirst() else { return false }
        context.fireChannelRead(wrapInboundOut(head))
        passHeldParts(context)
        return true
    }

    /// Passes on the held parts up to the next request that may not begin.
    private func passHeldParts(_ context: ChannelHandlerContext) {
        while !isWaiting, !hasRefused, let part = heldParts.first, mayPass(part, context) {
            heldParts.removeFirst()
            context.fireChannelRead(wrapInboundOut(part))
        }
        context.fireChannelReadComplete()
        guard heldParts.isEmpty else { return }
        if isInputClosed { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
        if isReadPending { context.read() }
        (isInputClosed, isReadPending) = (false, false)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent, !heldParts.isEmpty {
            isInputClosed = true
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        if case .head = part { gate.endBeginning(of: self) }
        context.write(data, promise: promise)
        guard case .end = part else { return }
        if let id { connectionLimiter.changeRequestCount(-1, of: id) }
        isServing = false
        if !heldParts.isEmpty { passHeldParts(context) }
    }

    static func namesOneHost(_ head: HTTPRequestHead) -> Bool {
        let hosts = head.headers["Host"]
        if hosts.isEmpty { return (head.version.major, head.version.minor) < (1, 1) }
        return hosts.count == 1
            && hosts[0].utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !charactersForbiddenInHost.contains($0) }
    }

    /// Characters that no host contains; they indicate a list, a path or a user name.
    private static let charactersForbiddenInHost = Set(",/\\@?#\"<>".utf8)

    private func refuseRequest(_ context: ChannelHandlerContext, _ head: HTTPRequestHead) {
        hasRefused = true
        let answer = WebResponse.refused(
            400, "bad-host", "The request must name exactly one host, in the header Host.")
        let fields: HTTPHeaders = [
            "Content-Type": answer.contentType, "Content-Length": String(answer.body.count),
            "Connection": "close",
        ]
        let response = HTTPResponseHead(version: head.version, status: .badRequest, headers: fields)
        let body = context.channel.allocator.buffer(bytes: head.method == .HEAD ? [] : answer.body)
        context.write(wrapOutboundOut(.head(response)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
            channel.close(mode: .all, promise: nil)
        }
    }
}

/// Inserts the ``ConnectionGuard`` into a connection's pipeline, directly after the HTTP decoder, where requests are
/// still unchanged.
///
/// The HTTP library can only add handlers after its own.
final class ConnectionGuardInstaller: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny
    typealias InboundOut = NIOAny

    private let connectionLimiter: ConnectionLimiter
    private let gates: RequestGates

    init(_ limiter: ConnectionLimiter, gates: RequestGates) {
        connectionLimiter = limiter
        self.gates = gates
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        do {
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            let guardian = ConnectionGuard(connectionLimiter, gate: gates.gate(of: context.eventLoop))
            try pipeline.addHandler(guardian, position: .after(decoder))
        } catch {
            // Without its guard the connection would not be counted, so it is closed.
            context.channel.close(mode: .all, promise: nil)
        }
    }
}

/// The first handler of the listening socket. It closes connections beyond the limits before a pipeline is built for
/// them.
final class AcceptFilter: ChannelInboundHandler, Sendable {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel

    private let connectionLimiter: ConnectionLimiter

    init(_ limiter: ConnectionLimiter) { self.connectionLimiter = limiter }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let channel = unwrapInboundIn(data)
        guard connectionLimiter.admitConnection(channel) else {
            return channel.close(mode: .all, promise: nil)
        }
        context.fireChannelRead(data)
    }
}
