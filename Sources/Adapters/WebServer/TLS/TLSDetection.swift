import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// A connection that is TLS or plain HTTP; its first byte tells.
struct TLSDetectingChannel: ServerChildChannel {
    typealias Value = HTTP1Channel.Value

    let plain: HTTP1Channel
    let certificate: ServerCertificate
    let connectionLimiter: ConnectionLimiter

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(TLSDetector(certificate, connectionLimiter))
        }.flatMap { plain.setup(channel: channel, logger: logger) }
    }

    func handle(value: Value, logger: Logger) async { await plain.handle(value: value, logger: logger) }
}

/// Looks at a connection's first byte, adds the handler for TLS if it begins a handshake, and removes itself.
final class TLSDetector: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The type of the record that begins a handshake; no HTTP method begins with it. Source: RFC 8446, section 5.1.
    private static let handshakeRecordType: UInt8 = 22

    private let certificate: ServerCertificate
    private let connectionLimiter: ConnectionLimiter
    private var hasDecided = false

    init(_ certificate: ServerCertificate, _ connectionLimiter: ConnectionLimiter) {
        (self.certificate, self.connectionLimiter) = (certificate, connectionLimiter)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        guard !hasDecided, let first = bytes.getInteger(at: bytes.readerIndex, as: UInt8.self) else {
            return context.fireChannelRead(data)
        }
        hasDecided = true
        if first == Self.handshakeRecordType, let tls = certificate.context {
            do {
                try context.pipeline.syncOperations.addHandler(
                    NIOSSLServerHandler(context: tls), position: .after(self))
            } catch {
                return context.close(mode: .all, promise: nil)
            }
            connectionLimiter.markSecure(ObjectIdentifier(context.channel))
        }
        context.fireChannelRead(data)
        _ = context.pipeline.syncOperations.removeHandler(self)
    }
}
