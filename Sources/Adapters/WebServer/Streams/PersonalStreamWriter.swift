import NIOCore

/// Writes a personal stream to its connection, on the connection's event loop.
///
/// @unchecked: mutable state is touched only on the connection's event loop.
final class PersonalStreamWriter: StreamWriter, @unchecked Sendable {
    /// After this many connections, other work of the loop gets a turn.
    private static let atOnce = 64

    private let stream: PersonalStream
    private lazy var lossProbe = TailLossProbe(loop)

    init(_ stream: PersonalStream, on loop: any EventLoop) {
        self.stream = stream
        super.init(on: loop)
    }

    override var mostWaiting: ChannelOptions.Types.WriteBufferWaterMark { .init(low: 16_384, high: 65_536) }

    /// Schedules a write. From any thread.
    func ring() { loop.execute { self.tell() } }

    /// Schedules writes with one call of each event loop, whatever the number of connections. From any thread.
    static func ring(_ outlets: [PersonalStreamWriter]) {
        guard let first = outlets.first else { return }
        guard outlets.contains(where: { $0.loop !== first.loop }) else { return tell(outlets[...]) }
        for (_, row) in Dictionary(grouping: outlets, by: { ObjectIdentifier($0.loop) }) { tell(row[...]) }
    }

    private static func tell(_ row: ArraySlice<PersonalStreamWriter>) {
        guard let first = row.first else { return }
        first.loop.execute {
            for outlet in row.prefix(atOnce) { outlet.tell() }
            tell(row.dropFirst(atOnce))
        }
    }

    override func tell() {
        guard let context else { return }
        var hasWritten = false
        while true {
            // Data that the connection does not accept stays in the stream, where it is counted.
            guard context.channel.isWritable || stream.isTooSlow else { break }
            switch stream.take() {
            case .frames(let frames):
                for frame in frames { context.write(NIOAny(frame.chunk), promise: nil) }
                hasWritten = true
                continue
            case .nothing: break
            case .end:
                if hasWritten { context.flush() }
                return end()
            case .tooSlow:
                context.channel.close(mode: .all, promise: nil)
                return
            }
            break
        }
        guard hasWritten else { return }
        context.flush()
        lossProbe.begin(context)
    }

    override func began(_ channel: any Channel) {
        // A page turn is small and must not wait until the previous one is acknowledged.
        try? channel.syncOptions?.setOption(.tcpOption(.tcp_nodelay), value: 1)
        TailLossProbe.hurry(channel)
    }

    override func left() {
        lossProbe.end()
        stream.end()
    }
}
