import NIOCore

/// Writes a hub's events directly to one connection.
///
/// The chunks are encoded once for all listeners. A connection that accepts no more data is skipped until it does,
/// and then gets the newest values.
///
/// @unchecked: mutable state is touched only on the connection's event loop.
final class HubStreamWriter: StreamWriter, @unchecked Sendable {
    /// The listener's index in its row.
    var index = 0
    private let hub: EventHub
    private let row: ListenerGroup
    private var seen: UInt64

    init(hub: EventHub, seat: EventHub.ListenerStart) {
        self.hub = hub
        row = seat.row
        seen = seat.seen
        super.init(on: seat.row.loop)
    }

    /// Writes the unseen events.
    /// - Parameter known: the events that another listener just got, reused if they are the same.
    /// - Returns: the events that this listener got.
    func tell(_ known: EventHub.News?) -> EventHub.News? {
        guard let context, context.channel.isWritable else { return known }
        let news = known.flatMap { $0.after == seen ? $0 : nil } ?? hub.news(after: seen)
        seen = news.upTo
        if let chunk = news.chunk { context.writeAndFlush(NIOAny(chunk), promise: nil) }
        return news
    }

    /// Writes everything published since the snapshot, or since the connection accepted no more data.
    override func tell() { _ = tell(nil) }

    override func began(_ channel: any Channel) { row.add(self) }

    override func left() { row.remove(self) }
}
