import Hummingbird
import NIOCore

/// Sends the events of a hub over one connection, until either side ends it.
struct EventStream: Sendable {
    let hub: EventHub
    let lease: QuotaLease
    /// Ends the stream when its reader loses the right to read it; nil if everybody may read it.
    let readPermission: ReadPermission?

    static let permissionRecheckInterval: Duration = .seconds(15)
    /// The size of the socket's send buffer in bytes (the system doubles the number). It is small, so that a listener
    /// that was away soon gets the newest state, and thousands of listeners need little memory. Most values that a slow
    /// listener misses are never encoded for it.
    static let socketBufferBytes: CInt = 16_384

    private struct ReadPermissionEnded: Error {}

    func serveEvents(_ request: Request, _ context: WebContext, _ writer: inout any ResponseBodyWriter)
        async throws
    {
        defer { lease.giveBackPlace() }
        lease.onRevocation { [channel = context.channel] in channel.close(mode: .all, promise: nil) }
        guard let socket = context.channel as? any SocketOptionProvider else {
            return try await serveEventsWithoutSocket(request, &writer)
        }
        socket.unsafeSetSocketOption(level: .socket, name: .so_sndbuf, value: Self.socketBufferBytes)
            .whenFailure { _ in }
        guard let seat = hub.addListener(on: context.channel.eventLoop) else {
            return try await writer.finish(nil)
        }
        defer { hub.removeListener(seat.group) }
        try await writer.write(seat.snapshot)
        let outlet = HubStreamWriter(hub: hub, seat: seat)
        do {
            try await outlet.writeUntilEnd(context.channel, while: readPermission)
        } catch {
            // The listener disconnected while it was joining; the stream ends normally.
        }
        try await writer.finish(nil)
    }

    /// Writes the events on a connection without a socket, in tests. Each listener then has its own task.
    private func serveEventsWithoutSocket(_ request: Request, _ writer: inout any ResponseBodyWriter)
        async throws
    {
        guard let listener = hub.addTaskListener() else { return try await writer.finish(nil) }
        defer { listener.leave() }
        let firstWriter = writer
        do {
            // Detects a listener that disconnects while there is nothing to write.
            try await request.body.consumeWithCancellationOnInboundClose { _ in
                var writer = firstWriter
                var asked = ContinuousClock.now
                try await listener.listen { frames in
                    try await writer.write(contentsOf: frames)
                    if let readPermission, .now - asked > Self.permissionRecheckInterval {
                        asked = .now
                        guard await readPermission.isAllowed() else { throw ReadPermissionEnded() }
                    }
                }
            }
        } catch {
            // The listener disconnected or may no longer read; in both cases the stream ends normally.
        }
        try await writer.finish(nil)
    }
}
