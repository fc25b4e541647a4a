import NIOCore
import Synchronization

/// Gives the large responses being sent on one event loop their turns: a chunk each, few at a time.
///
/// The same loop reads commands and sends packets and events, so a turn lasts at most a millisecond, and the loop does
/// everything else before the next one.
///
/// @unchecked Sendable: its mutable state is used only on the event loop.
final class BodyTransmitter: @unchecked Sendable {
    /// The pause between two turns, in which the loop does other work.
    private static let pause: TimeAmount = .microseconds(500)
    private static let longestTurn: TimeAmount = .milliseconds(1)
    /// The number of chunks that are read or being read, and not written yet.
    private static let mostChunksInWork = 8

    let loop: any EventLoop
    private let rate: SendingRate
    private let readerCheckInterval: TimeAmount
    private var waitingWriters = TurnOrder<BodyWriter>()
    private var chunksInWork = 0
    private var isTurnScheduled = false
    /// Everything being sent, whether it waits for its turn or for its reader.
    private var writers: [ObjectIdentifier: BodyWriter] = [:]
    private var isReaderCheckScheduled = false

    /// - Parameter stallTimeLimit: the time after which a reader that accepts nothing is disconnected.
    init(loop: any EventLoop, rate: SendingRate, stallTimeLimit: Duration) {
        self.loop = loop
        self.rate = rate
        readerCheckInterval = TimeAmount(min(.seconds(1), stallTimeLimit / 4))
    }

    func addWriter(_ writer: BodyWriter) {
        writers[ObjectIdentifier(writer)] = writer
        scheduleReaderCheck()
        requestTurn(writer)
    }

    func removeWriter(_ writer: BodyWriter) { writers[ObjectIdentifier(writer)] = nil }

    /// Called by a writer whose reader accepts more.
    func requestTurn(_ writer: BodyWriter) {
        waitingWriters.append(writer, of: writer.holder)
        if !isTurnScheduled { scheduleTurn(in: .zero) }
    }

    private func scheduleTurn(in time: TimeAmount) {
        isTurnScheduled = true
        // A scheduled task lets the loop read from its connections first, unlike one that is executed at once.
        loop.assumeIsolated().scheduleTask(in: time) { self.takeTurn() }
    }

    private func takeTurn() {
        let end = NIODeadline.now() + Self.longestTurn
        while !waitingWriters.isEmpty, chunksInWork < Self.mostChunksInWork, NIODeadline.now() < end,
            rate.take(OutgoingBody.chunkBytes), let writer = waitingWriters.takeFirst()
        {
            chunksInWork += 1
            writer.writeNextChunk { self.chunksInWork -= 1 }
        }
        isTurnScheduled = false
        if !waitingWriters.isEmpty { scheduleTurn(in: Self.pause) }
    }

    private func scheduleReaderCheck() {
        guard !isReaderCheckScheduled, !writers.isEmpty else { return }
        isReaderCheckScheduled = true
        loop.assumeIsolated().scheduleTask(in: readerCheckInterval) {
            self.isReaderCheckScheduled = false
            for writer in self.writers.values { writer.disconnectIfTooSlow() }
            self.scheduleReaderCheck()
        }
    }
}

/// The ``BodyTransmitter`` of each event loop.
final class BodyTransmitters: Sendable {
    private let rate = SendingRate()
    private let stallTimeLimit: Duration
    private let transmitters = Mutex<[ObjectIdentifier: BodyTransmitter]>([:])

    init(stallTimeLimit: Duration) { self.stallTimeLimit = stallTimeLimit }

    /// Sends a body on its connection, from the event loop, until everything is sent.
    /// - Throws: ``BodyWriter/Interrupted`` if the client disconnects before or is too slow.
    func send(_ reader: BodyReader, for holder: ResourceQuota.Holder, on channel: any Channel) async throws {
        let loop = channel.eventLoop
        let transmitter = transmitters.withLock { transmitters in
            if let known = transmitters[ObjectIdentifier(loop)] { return known }
            let new = BodyTransmitter(loop: loop, rate: rate, stallTimeLimit: stallTimeLimit)
            transmitters[ObjectIdentifier(loop)] = new
            return new
        }
        let writer = BodyWriter(reader, for: holder, by: transmitter, stallTimeLimit: stallTimeLimit)
        try await writer.writeUntilEnd(channel)
        guard writer.isComplete else { throw BodyWriter.Interrupted() }
    }
}
