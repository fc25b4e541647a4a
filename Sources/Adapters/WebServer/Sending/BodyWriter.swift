import Glibc
import NIOCore

/// Sends one large response from the event loop: the next chunk is read when the system has taken the previous one.
///
/// @unchecked Sendable: its mutable state is used only on the connection's event loop, and after its end.
final class BodyWriter: StreamWriter, @unchecked Sendable {
    /// The client disconnected, was too slow, or the file could not be read to its end.
    struct Interrupted: Error {}

    /// The size of the socket's send buffer in bytes (the system doubles the number). It is enough for 2.5 MB/s over a
    /// network with a round trip of 50 ms.
    private static let socketBufferBytes: CInt = 131_072
    /// The number of bytes that the system takes beyond those that are on their way to the client.
    private static let mostUnsentBytes: CInt = 32_768
    /// TCP_NOTSENT_LOWAT; the C library's headers lack it. Source: tcp(7).
    private static let unsentLimitOption: CInt = 25

    let holder: ResourceQuota.Holder
    private let transmitter: BodyTransmitter
    private var reader: BodyReader
    private var pace: ReaderPace
    /// The time of the write that the system has not taken completely; nil if there is none.
    private var pendingSince: NIODeadline?
    private(set) var isComplete = false

    /// - Parameter holder: the visitor for whom the body is sent.
    init(
        _ reader: BodyReader, for holder: ResourceQuota.Holder, by transmitter: BodyTransmitter,
        stallTimeLimit: Duration
    ) {
        self.holder = holder
        self.transmitter = transmitter
        self.reader = reader
        pace = ReaderPace(stallTimeLimit: stallTimeLimit)
        super.init(on: transmitter.loop)
    }

    override var writeBufferLimits: ChannelOptions.Types.WriteBufferWaterMark { ConnectionBuffers.waterMark }

    // Some clients close their direction as soon as they have sent the request.
    override var endsWhenInputCloses: Bool { false }

    override func didJoinPipeline(_ channel: any Channel) {
        if let socket = channel as? any SocketOptionProvider {
            socket.unsafeSetSocketOption(level: .socket, name: .so_sndbuf, value: Self.socketBufferBytes)
                .whenFailure { _ in }
            socket.unsafeSetSocketOption(
                level: .tcp, name: NIOBSDSocket.Option(rawValue: Self.unsentLimitOption),
                value: Self.mostUnsentBytes
            ).whenFailure { _ in }
        }
        transmitter.addWriter(self)
    }

    override func didLeavePipeline() { transmitter.removeWriter(self) }

    /// Reads the next chunk and writes it.
    /// - Parameter done: called when the chunk was passed to the connection, or when there is none.
    func writeNextChunk(then done: @escaping () -> Void) {
        guard context != nil, let chunk = reader.takeNextChunk() else { return done() }
        switch chunk {
        case .ready(let buffer):
            write(buffer)
            done()
        case .onDisk(let file, let offset, let count):
            FileReadThreads.read(file, at: offset, count: count, on: loop).assumeIsolated().whenComplete {
                switch $0 {
                case .success(let buffer): self.write(buffer)
                case .failure: self.context?.channel.close(mode: .all, promise: nil)
                }
                done()
            }
        }
    }

    private func write(_ chunk: ByteBuffer) {
        guard let context else { return }
        let began = NIODeadline.now()
        pendingSince = began
        let promise = loop.makePromise(of: Void.self)
        context.writeAndFlush(NIOAny(chunk), promise: promise)
        promise.futureResult.assumeIsolated().whenSuccess {
            self.pendingSince = nil
            self.pace.countAcceptedChunk(
                chunk.readableBytes, afterWaiting: Duration(NIODeadline.now() - began))
            guard self.context != nil else { return }
            if self.reader.remainingBytes > 0 { return self.transmitter.requestTurn(self) }
            self.isComplete = true
            self.end()
        }
    }

    func disconnectIfTooSlow() {
        let pending = pendingSince.map { Duration(NIODeadline.now() - $0) } ?? .zero
        if pace.isTooSlow(pendingFor: pending) { context?.channel.close(mode: .all, promise: nil) }
    }
}
