import NIOCore

/// Writes a hub's events straight to one connection.
///
/// The chunks it writes are framed once for all listeners. A connection that takes nothing more is passed over until
/// it does, and then gets what is newest.
///
/// @unchecked: everything that changes is touched only on the connection's event loop.
final class EventOutlet: Outlet, @unchecked Sendable {
    /// Where it stands in its row.
    var index = 0
    private let hub: EventHub
    private let row: EventRow
    private var seen: UInt64

    init(hub: EventHub, seat: EventHub.Seat) {
        self.hub = hub
        row = seat.row
        seen = seat.seen
        super.init(on: seat.row.loop)
    }

    /// - Parameter known: what others were told just now.
    /// - Returns: what this one was told.
    func tell(_ known: EventHub.News?) -> EventHub.News? {
        guard let context, context.channel.isWritable else { return known }
        let news = known.flatMap { $0.after == seen ? $0 : nil } ?? hub.news(after: seen)
        seen = news.upTo
        if let chunk = news.chunk { context.writeAndFlush(NIOAny(chunk), promise: nil) }
        return news
    }

    /// What was published since the snapshot, or since the connection took no more.
    override func tell() { _ = tell(nil) }

    override func began(_ channel: any Channel) { row.add(self) }

    override func left() { row.remove(self) }
}
