import Hummingbird
import NIOCore
import Synchronization

/// All personal streams of one route: opens, counts and ends them.
public final class PersonalStreams: Sendable {
    public enum OpenResult: Sendable {
        case stream(PersonalStream)
        case refused(WebResponse)
    }

    let openStream: @Sendable (WebRequest) async -> OpenResult
    private let pool: SharedResourceQuota
    private let state = Mutex(State())

    private struct State {
        var streams: [ObjectIdentifier: (stream: PersonalStream, place: QuotaLease)] = [:]
        var isClosed = false

        mutating func removeEndedStreams() { streams = streams.filter { !$0.value.stream.isOver } }
    }

    /// - Parameters:
    ///   - shares: the limits for streams; further streams are refused.
    ///   - openStream: decides whether a request gets a stream. A returned stream is connected at once.
    public init(
        _ shares: ResourceQuota.Limits, openStream: @escaping @Sendable (WebRequest) async -> OpenResult
    ) {
        pool = SharedResourceQuota(shares)
        self.openStream = openStream
    }

    /// The number of streams that are not over.
    public var openStreamCount: Int {
        state.withLock { state in
            state.removeEndedStreams()
            return state.streams.count
        }
    }

    /// True if all places are taken, so that nobody can get a stream at present.
    var isFull: Bool {
        guard pool.takenCount >= pool.limits.total else { return false }
        return openStreamCount >= pool.limits.total
    }

    /// Ends all streams and refuses new ones.
    public func close() {
        let streams = state.withLock { state in
            state.isClosed = true
            return state.streams.values.map(\.stream)
        }
        for stream in streams { stream.close() }
    }

    /// Adds a stream.
    /// - Throws: ``ResourceQuota/Refusal`` if the holder or everybody together has too many streams, or if the route
    ///   was closed.
    func addStream(_ stream: PersonalStream, for holder: ResourceQuota.Holder) throws(ResourceQuota.Refusal) {
        guard let place = try? pool.takePlace(holder) else {
            // A music stand that reconnects gets the place of its earlier stream, which is over but not removed yet.
            state.withLock { $0.removeEndedStreams() }
            return try storeStream(stream, pool.takePlace(holder))
        }
        try storeStream(stream, place)
    }

    private func storeStream(_ stream: PersonalStream, _ place: QuotaLease) throws(ResourceQuota.Refusal) {
        let isIn = state.withLock { state in
            guard !state.isClosed else { return false }
            state.streams[ObjectIdentifier(stream)] = (stream, place)
            return true
        }
        if !isIn { throw .full }
    }

    func removeStream(_ stream: PersonalStream) {
        let held = state.withLock { $0.streams.removeValue(forKey: ObjectIdentifier(stream)) }
        held?.place.giveBackPlace()
        stream.end()
    }
}

/// The place that a stream occupies among the streams of its route. It is returned when the object is released, unless
/// that happened before.
///
/// A browser may disconnect after it was admitted and before the first byte. The response is then discarded, and with
/// it the place.
final class PersonalStreamLease: Sendable {
    let stream: PersonalStream
    private let streams: PersonalStreams

    /// - Parameter stream: a stream that `streams` has admitted.
    init(_ stream: PersonalStream, among streams: PersonalStreams) {
        self.stream = stream
        self.streams = streams
    }

    func giveBackPlace() { streams.removeStream(stream) }

    deinit { giveBackPlace() }
}

/// Sends one client's personal stream over its connection, until either side ends it.
struct PersonalStreamResponder: Sendable {
    let lease: PersonalStreamLease
    /// Ends the stream when its reader loses the right to read it; nil if everybody may read it.
    let readPermission: ReadPermission?

    /// The size of the socket's send buffer in bytes (the system doubles the number). It is large enough for many
    /// messages, because all of them must arrive.
    static let socketBufferBytes: CInt = 65_536

    private var stream: PersonalStream { lease.stream }

    func serveStream(_ context: WebContext, _ writer: inout any ResponseBodyWriter) async throws {
        defer { lease.giveBackPlace() }
        guard let socket = context.channel as? any SocketOptionProvider else {
            // Tests run without a socket; they get the available data at once.
            if stream.attachWriter(by: nil), case .messages(let frames) = stream.takeNextData() {
                for frame in frames { try await writer.write(frame.httpChunk) }
            }
            return try await writer.finish(nil)
        }
        socket.unsafeSetSocketOption(level: .socket, name: .so_sndbuf, value: Self.socketBufferBytes)
            .whenFailure { _ in }
        let outlet = PersonalStreamWriter(stream, on: context.channel.eventLoop)
        // This write also sends the head of the HTTP response.
        try await writer.write(ByteBuffer(string: "retry: 500\n\n"))
        guard stream.attachWriter(by: outlet) else { return try await writer.finish(nil) }
        do {
            try await outlet.writeUntilEnd(context.channel, while: readPermission)
        } catch {
            // The reader disconnected while it was joining; the stream ends normally.
        }
        try await writer.finish(nil)
    }

    /// Sends the stream over a connection that carries several streams.
    func serveStream(over carrier: StreamCarrier, _ label: StreamLabel) async {
        defer { lease.giveBackPlace() }
        let outlet = PersonalStreamWriter(stream, on: carrier.channel.eventLoop, label: label)
        guard stream.attachWriter(by: outlet) else { return }
        // An error means that the browser disconnected meanwhile; the stream ends normally.
        try? await outlet.writeUntilEnd(carrier.channel, while: readPermission)
    }
}
