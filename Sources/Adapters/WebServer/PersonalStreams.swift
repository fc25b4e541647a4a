import Hummingbird
import NIOCore
import Synchronization

/// All personal streams of a route: who gets one, how many there are, and their common end.
public final class PersonalStreams: Sendable {
    public enum Opening: Sendable {
        case stream(PersonalStream)
        case refused(WebAnswer)
    }

    let open: @Sendable (WebRequest) async -> Opening
    private let places: AllottedPlaces
    private let state = Mutex(State())

    private struct State {
        var streams: [ObjectIdentifier: (stream: PersonalStream, place: AllottedPlace)] = [:]
        var isClosed = false

        mutating func forgetThoseOver() { streams = streams.filter { !$0.value.stream.isOver } }
    }

    /// - Parameters:
    ///   - shares: more than these are refused.
    ///   - open: says who gets a stream; it is served as soon as this returns.
    public init(_ shares: Allotment.Shares, open: @escaping @Sendable (WebRequest) async -> Opening) {
        places = AllottedPlaces(shares)
        self.open = open
    }

    /// How many are connected.
    public var count: Int {
        state.withLock { state in
            state.forgetThoseOver()
            return state.streams.count
        }
    }

    /// Nobody at all gets one at present.
    var isFull: Bool {
        guard places.count >= places.shares.total else { return false }
        return count >= places.shares.total
    }

    /// Ends all streams at once and lets nobody join any more.
    public func close() {
        let streams = state.withLock { state in
            state.isClosed = true
            return state.streams.values.map(\.stream)
        }
        for stream in streams { stream.close() }
    }

    /// - Throws: where the holder, or everybody together, has too many, or all were ended.
    func admit(_ stream: PersonalStream, for holder: Allotment.Holder) throws(Allotment.Refusal) {
        guard let place = try? places.take(holder) else {
            // A stand that comes back takes the place of its stream of before, which is over but not gone yet.
            state.withLock { $0.forgetThoseOver() }
            return try put(stream, places.take(holder))
        }
        try put(stream, place)
    }

    private func put(_ stream: PersonalStream, _ place: AllottedPlace) throws(Allotment.Refusal) {
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

/// A stream's place among the others, given back at the latest when nobody will write the stream any more.
///
/// A browser may go between being let in and the first byte: the answer is then thrown away unwritten.
final class StreamPlace: Sendable {
    let stream: PersonalStream
    private let streams: PersonalStreams

    /// - Parameter stream: one that was admitted.
    init(_ stream: PersonalStream, among streams: PersonalStreams) {
        self.stream = stream
        self.streams = streams
    }

    func giveBack() { streams.dismiss(stream) }

    deinit { giveBack() }
}

/// A personal stream on one connection, until one side ends it.
struct PersonalService: Sendable {
    let place: StreamPlace
    /// Ends it when the reader's rights end; nil where everybody may.
    let mayStay: StayRule?

    /// What the system holds for a reader, doubled by it; a room's events are small and must all arrive.
    static let socketBufferBytes: CInt = 65_536

    private var stream: PersonalStream { place.stream }

    func run(_ context: WebContext, _ writer: inout any ResponseBodyWriter) async throws {
        defer { place.giveBack() }
        guard let socket = context.channel as? any SocketOptionProvider else {
            // Tests in memory have no socket; they get what there is at once.
            if stream.serve(by: nil), case .frames(let frames) = stream.take() {
                for frame in frames { try await writer.write(frame.chunk) }
            }
            return try await writer.finish(nil)
        }
        socket.unsafeSetSocketOption(level: .socket, name: .so_sndbuf, value: Self.socketBufferBytes)
            .whenFailure { _ in }
        let outlet = StreamOutlet(stream, on: context.channel.eventLoop)
        // The head leaves with it.
        try await writer.write(ByteBuffer(string: "retry: 500\n\n"))
        guard stream.serve(by: outlet) else { return try await writer.finish(nil) }
        do {
            try await outlet.serve(context.channel, while: mayStay)
        } catch {
            // The reader went away while it was joining; the stream ends like any other.
        }
        try await writer.finish(nil)
    }
}
