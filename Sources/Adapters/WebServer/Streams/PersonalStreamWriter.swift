import NIOCore

/// Writes the messages of one personal stream to its connection.
///
/// @unchecked Sendable: its mutable state is used only on the connection's event loop.
final class PersonalStreamWriter: StreamWriter, @unchecked Sendable {
    /// The number of connections written to before other work of the event loop gets a turn.
    private static let batchSize = 64

    private let stream: PersonalStream
    private lazy var lossProbe = TailLossProbe(loop)

    init(_ stream: PersonalStream, on loop: any EventLoop, label: StreamLabel? = nil) {
        self.stream = stream
        super.init(on: loop, label: label)
    }

    override var writeBufferLimits: ChannelOptions.Types.WriteBufferWaterMark {
        .init(low: 16_384, high: 65_536)
    }

    /// Schedules a write on the connection's event loop. It may be called from any thread.
    func scheduleWrite() { loop.execute { self.writeAvailableData() } }

    /// Schedules writes to many connections, waking each event loop only once. It may be called from any thread.
    static func scheduleWrites(_ outlets: [PersonalStreamWriter]) {
        guard let first = outlets.first else { return }
        guard outlets.contains(where: { $0.loop !== first.loop }) else { return writeInBatches(outlets[...]) }
        for (_, row) in Dictionary(grouping: outlets, by: { ObjectIdentifier($0.loop) }) {
            writeInBatches(row[...])
        }
    }

    private static func writeInBatches(_ row: ArraySlice<PersonalStreamWriter>) {
        guard let first = row.first else { return }
        first.loop.execute {
            for outlet in row.prefix(batchSize) { outlet.writeAvailableData() }
            writeInBatches(row.dropFirst(batchSize))
        }
    }

    override func writeAvailableData() {
        guard let context else { return }
        var hasWritten = false
        while true {
            // Data that the connection does not accept stays in the stream, where it counts as waiting.
            guard context.channel.isWritable || stream.isTooSlow else { break }
            switch stream.takeNextData() {
            case .messages(let frames):
                for frame in frames { writeChunk(frame.httpChunk) }
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
        lossProbe.awaitAcknowledgement(context)
    }

    override func didJoinPipeline(_ channel: any Channel) {
        // A page turn is small and must not wait until the previous one is acknowledged.
        try? channel.syncOptions?.setOption(.tcpOption(.tcp_nodelay), value: 1)
        TailLossProbe.shortenRetransmissionTimers(channel)
    }

    override func didLeavePipeline() {
        lossProbe.cancelProbe()
        stream.end()
    }
}
