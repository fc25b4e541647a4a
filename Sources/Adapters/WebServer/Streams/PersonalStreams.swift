import Hummingbird
import NIOCore
import Synchronization

/// All personal streams of a route: opens, counts and ends them.
public final class PersonalStreams: Sendable {
    public enum Opening: Sendable {
        case stream(PersonalStream)
        case refused(WebResponse)
    }

    let open: @Sendable (WebRequest) async -> Opening
    private let places: QuotaPlaces
    private let state = Mutex(State())

    private struct State {
        var streams: [ObjectIdentifier: (stream: PersonalStream, place: QuotaPlace)] = [:]
        var isClosed = false

        mutating func forgetThoseOver() { streams = streams.filter { !$0.value.stream.isOver } }
    }

    /// - Parameters:
    ///   - shares: the limits for streams; further ones are refused.
    ///   - open: decides whether a request gets a stream, which is served as soon as this returns.
    public init(_ shares: ResourceQuota.Shares, open: @escaping @Sendable (WebRequest) async -> Opening) {
        places = QuotaPlaces(shares)
        self.open = open
    }

    /// Number of connected streams.
    public var count: Int {
        state.withLock { state in
            state.forgetThoseOver()
            return state.streams.count
        }
    }

    /// True if nobody at all can get a stream at present.
    var isFull: Bool {
        guard places.count >= places.shares.total else { return false }
        return count >= places.shares.total
    }

    /// Ends all streams at once and refuses new ones.
    public func close() {
        let streams = state.withLock { state in
            state.isClosed = true
            return state.streams.values.map(\.stream)
        }
        for stream in streams { stream.close() }
    }

    /// Adds a stream.
    /// - Throws: if the holder, or everybody together, has too many, or if all streams were ended.
    func admit(_ stream: PersonalStream, for holder: ResourceQuota.Holder) throws(ResourceQuota.Refusal) {
        guard let place = try? places.take(holder) else {
            // A stand that reconnects takes the place of its earlier stream, which is over but not removed yet.
            state.withLock { $0.forgetThoseOver() }
            return try put(stream, places.take(holder))
        }
        try put(stream, place)
    }

    private func put(_ stream: PersonalStream, _ place: QuotaPlace) throws(ResourceQuota.Refusal) {
        let isIn = state.withLock { state in
            guard !state.isClosed else { return false }
            state.streams[ObjectIdentifier(stream)] = (stream, place)
            return true
        }
        if !isIn { throw .full }
    }

    func dismiss(_ stream: PersonalStream) {
        let held = state.withLock { $0.streams.removeValue(forKey: ObjectIdentifier(stream)) }
        held?.place.giveBack()
        stream.end()
    }
}

/// A stream's place among the others, returned at the latest when the object is released.
///
/// A browser may disconnect after it was admitted and before the first byte: the answer is then discarded unwritten.
final class PersonalStreamPlace: Sendable {
    let stream: PersonalStream
    private let streams: PersonalStreams

    /// - Parameter stream: a stream that was admitted.
    init(_ stream: PersonalStream, among streams: PersonalStreams) {
        self.stream = stream
        self.streams = streams
    }

    func giveBack() { streams.dismiss(stream) }

    deinit { giveBack() }
}

/// Sends one reader's own event stream over one connection, until either side ends it.
struct PersonalStreamResponder: Sendable {
    let place: PersonalStreamPlace
    /// Ends the stream when the reader's rights end; nil if everybody may read it.
    let mayStay: ReadPermission?

    /// The size of the socket's send buffer in bytes (the system doubles the number): large enough for many events,
    /// all of which must arrive.
    static let socketBufferBytes: CInt = 65_536

    private var stream: PersonalStream { place.stream }

    func run(_ context: WebContext, _ writer: inout any ResponseBodyWriter) async throws {
        defer { place.giveBack() }
        guard let socket = context.channel as? any SocketOptionProvider else {
            // Tests in memory have no socket; they get the available data at once.
            if stream.serve(by: nil), case .frames(let frames) = stream.take() {
                for frame in frames { try await writer.write(frame.chunk) }
            }
            return try await writer.finish(nil)
        }
        socket.unsafeSetSocketOption(level: .socket, name: .so_sndbuf, value: Self.socketBufferBytes)
            .whenFailure { _ in }
        let outlet = PersonalStreamWriter(stream, on: context.channel.eventLoop)
        // This write also sends the response head.
        try await writer.write(ByteBuffer(string: "retry: 500\n\n"))
        guard stream.serve(by: outlet) else { return try await writer.finish(nil) }
        do {
            try await outlet.serve(context.channel, while: mayStay)
        } catch {
            // The reader disconnected while it was joining; the stream ends normally.
        }
        try await writer.finish(nil)
    }
}
