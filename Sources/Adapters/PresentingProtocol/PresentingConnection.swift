import NIOCore
import Synchronization

/// The connection of one presenter, to which messages may be sent from any thread.
public final class PresentingConnection: Sendable {
    /// Identifies the connection, also among those before a restart.
    public let name: String
    /// The numeric address of the other machine.
    public let address: String
    private let channel: any Channel
    private let hasConfirmedEnd = Atomic(false)
    private let registration = Mutex<(@Sendable () -> Bool)?>(nil)

    init(_ channel: any Channel) {
        self.channel = channel
        name = String(UInt64.random(in: 0 ... .max), radix: 36)
        address = channel.remoteAddress?.ipAddress ?? "unknown"
    }

    /// Sends a message without waiting. A client that does not read is disconnected.
    /// - Parameter id: the presenter's number; 255 if there is none yet.
    public func send(_ message: PresentingMessage, id: UInt8) {
        guard channel.isWritable else { return close() }
        channel.writeAndFlush(ByteBuffer(bytes: message.bytes(id: id)), promise: nil)
    }

    /// Says that the presenter is unregistered, once: as the answer, or unasked to somebody who was removed.
    public func confirmUnregistration(id: UInt8) {
        guard !hasConfirmedEnd.exchange(true, ordering: .relaxed) else { return }
        send(.unregisterResponse, id: id)
    }

    /// Gives the connection the place of a presenter, after the code was right.
    /// - Returns: false if there is none, or the connection has been ended for others.
    public func takePresentersPlace() -> Bool { registration.withLock(\.self)?() ?? true }

    func onRegistration(_ take: @escaping @Sendable () -> Bool) { registration.withLock { $0 = take } }

    /// Closes the connection after what was sent.
    public func close() { channel.close(promise: nil) }
}

/// The parts that a connection receives, in order.
public struct PresentingReader {
    private var buffers: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private var decoder: PresentingDecoder

    init(_ stream: NIOAsyncChannelInboundStream<ByteBuffer>, limits: PresentingLimits) {
        buffers = stream.makeAsyncIterator()
        decoder = PresentingDecoder(limits: limits)
    }

    /// Waits for the next part. While nobody asks for parts, the other machine has to wait.
    /// - Returns: nil after the end of the connection.
    /// - Throws: ``PresentingFault``, or an error of the connection.
    public mutating func next() async throws -> PresentingDecoder.Part? {
        while true {
            if let part = try decoder.next() { return part }
            guard let buffer = try await buffers.next() else { return nil }
            decoder.append(Array(buffer: buffer))
        }
    }
}
