import NIOCore
import NIOHTTP1

/// The first handler in a connection's pipeline. It registers the connection with the ``ConnectionLimiter``, counts its
/// requests, and refuses requests that do not name exactly one host.
///
/// This server and a proxy could interpret a request with two hosts differently, and a request without a host has no
/// address (RFC 9112, section 3.2). HTTP/1.0 requests need no host.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let connectionLimiter: ConnectionLimiter
    private var id: ObjectIdentifier?
    private var hasRefused = false

    init(_ limiter: ConnectionLimiter) { self.connectionLimiter = limiter }

    func handlerAdded(context: ChannelHandlerContext) {
        id = ObjectIdentifier(context.channel)
        // Refuses connections that were accepted before the ``AcceptFilter`` was installed.
        if !connectionLimiter.admitConnection(context.channel) {
            context.channel.close(mode: .all, promise: nil)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasRefused else { return }
        if case .head(let head) = unwrapInboundIn(data) {
            guard Self.namesOneHost(head) else { return refuseRequest(context, head) }
            if let id { connectionLimiter.changeRequestCount(1, of: id) }
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data), let id { connectionLimiter.changeRequestCount(-1, of: id) }
        context.write(data, promise: promise)
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

    init(_ limiter: ConnectionLimiter) { self.connectionLimiter = limiter }

    func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        do {
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(ConnectionGuard(connectionLimiter), position: .after(decoder))
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
