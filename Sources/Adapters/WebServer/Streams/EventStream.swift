import Hummingbird
import NIOCore

/// Sends the events of a hub over one connection, until either side ends it.
struct EventStream: Sendable {
    let hub: EventHub
    let lease: QuotaLease
    /// Ends the stream when its reader loses the right to read it; nil if everybody may read it.
    let readPermission: ReadPermission?
    /// Set if the connection is to carry other streams too: where it is registered, and its id.
    var carriage: (carriers: StreamCarriers, id: String)?

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
        // A browser may add streams as soon as it has the snapshot.
        let carrier = carriage.flatMap { $0.carriers.open($0.id, on: context.channel) }
        if carriage != nil, carrier == nil { return try await writer.finish(nil) }
        do {
            defer { if let carrier { carriage?.carriers.close(carrier) } }
            try await writer.write(seat.snapshot)
            let outlet = HubStreamWriter(hub: hub, seat: seat, label: carrier.map { _ in StreamLabel(0) })
            // An error means that the listener disconnected while it was joining; the stream ends normally.
            try? await outlet.writeUntilEnd(context.channel, while: readPermission)
        }
        try await writer.finish(nil)
    }

    /// Sends the events over a connection that carries several streams.
    func serveEvents(over carrier: StreamCarrier, _ label: StreamLabel) async {
        defer { lease.giveBackPlace() }
        guard let seat = hub.addListener(on: carrier.channel.eventLoop) else { return }
        defer { hub.removeListener(seat.group) }
        let first = EncodedServerSentEvent.makeHTTPChunk(of: [seat.snapshot])
        let outlet = HubStreamWriter(hub: hub, seat: seat, firstChunk: first, label: label)
        // An error means that the browser disconnected meanwhile; the stream ends normally.
        try? await outlet.writeUntilEnd(carrier.channel, while: readPermission)
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
