import NIOCore

/// Writes a hub's events to one connection, directly on its event loop.
///
/// Each chunk is encoded once for all listeners. A connection that accepts no more data is skipped; when it accepts
/// data again, it gets the newest values.
///
/// @unchecked Sendable: its mutable state is used only on the connection's event loop.
final class HubStreamWriter: StreamWriter, @unchecked Sendable {
    /// The position of this writer in its group's list of writers.
    var indexInGroup = 0
    private let hub: EventHub
    private let group: ListenerGroup
    private var lastSeenID: UInt64
    /// The snapshot as a chunk of the HTTP body; nil once it was written.
    private var firstChunk: ByteBuffer?

    /// - Parameter firstChunk: the snapshot as a chunk of the HTTP body; nil if it was sent before.
    init(
        hub: EventHub, seat: EventHub.ListenerStart, firstChunk: ByteBuffer? = nil, label: StreamLabel? = nil
    ) {
        self.hub = hub
        group = seat.group
        lastSeenID = seat.lastSeenID
        self.firstChunk = firstChunk
        super.init(on: seat.group.loop, label: label)
    }

    /// Writes the events that this listener has not received yet.
    /// - Parameter known: the events that another listener has just received. They are used again if this listener
    ///   lacks the same events.
    /// - Returns: the events that were written, or `known` if the connection accepts no data.
    func writeUnseenEvents(_ known: EventHub.UnseenEvents?) -> EventHub.UnseenEvents? {
        guard let context, context.channel.isWritable else { return known }
        let news =
            known.flatMap { $0.afterID == lastSeenID ? $0 : nil } ?? hub.unseenEvents(after: lastSeenID)
        lastSeenID = news.throughID
        if let chunk = news.httpChunk {
            writeChunk(chunk)
            context.flush()
        }
        return news
    }

    /// Writes everything published since the snapshot, or since the connection stopped accepting data.
    override func writeAvailableData() { _ = writeUnseenEvents(nil) }

    override func didJoinPipeline(_ channel: any Channel) {
        if let firstChunk {
            writeChunk(firstChunk)
            context?.flush()
        }
        firstChunk = nil
        group.addWriter(self)
    }

    override func didLeavePipeline() { group.removeWriter(self) }
}
