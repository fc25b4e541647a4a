import NIOCore
import Synchronization

/// The connections over which browsers read several event streams at once.
///
/// A browser opens at most six connections to one server over HTTP/1.1. If each open page held one for its stream, the
/// seventh page would not load and no command would leave. So the pages of a browser share one connection, its
/// *carrier*: `GET /api/streams?carrier=ID`, with an id that the browser makes. A stream is then requested at its own
/// address with `carrier=ID.NUMBER` in the query. That request is checked and counted like any other, but its response
/// is short, and the events go over the carrier.
final class StreamCarriers: Sendable {
    static let path = "/api/streams"
    static let mostStreamsPerCarrier = 64
    /// The shortest id of a carrier: whoever knows the id may add streams. Pages send 32 hexadecimal digits.
    static let shortestID = 32
    static let longestID = 64

    /// The carriers' own events: a snapshot, which tells the browser that the carrier is ready, and heartbeats.
    let hub = EventHub()
    private let carriersByID = Mutex<[String: StreamCarrier]>([:])

    init() {}

    var routes: [WebRoute] {
        [
            .carrier(self).openToOtherServer,
            WebRoute(.post, Self.path + "/end", .anybody, bodyLimitBytes: 0) { request in
                guard let place = CarriedPlace(request.queryParameters["carrier"]) else { return .badCarrier }
                self.find(place.carrierID)?.endStream(place.number)
                return .succeeded
            }.openToOtherServer,
        ]
    }

    func find(_ id: String) -> StreamCarrier? { carriersByID.withLock { $0[id] } }

    /// Makes a connection a carrier until ``close(_:)``.
    /// - Returns: nil if the id is in use.
    func open(_ id: String, on channel: any Channel) -> StreamCarrier? {
        carriersByID.withLock { carriers in
            guard carriers[id] == nil else { return nil }
            let carrier = StreamCarrier(id: id, channel: channel)
            carriers[id] = carrier
            return carrier
        }
    }

    /// Ends the streams of a carrier.
    func close(_ carrier: StreamCarrier) {
        carriersByID.withLock { carriers in
            if carriers[carrier.id] === carrier { carriers[carrier.id] = nil }
        }
        carrier.close()
    }

    static func isID(_ text: some StringProtocol) -> Bool {
        (shortestID...longestID).contains(text.utf8.count) && text.allSatisfy { $0.isASCII && $0.isHexDigit }
    }
}

/// The place of a stream on a carrier, as a request names it: `ID.NUMBER`.
struct CarriedPlace: Equatable {
    let carrierID: String
    let number: Int

    /// - Returns: nil if the text names no place.
    init?(_ text: String?) {
        guard let parts = text?.split(separator: ".", omittingEmptySubsequences: false), parts.count == 2,
            StreamCarriers.isID(parts[0]), parts[1].utf8.count <= 9, let number = Int(parts[1]), number > 0
        else { return nil }
        carrierID = String(parts[0])
        self.number = number
    }
}

/// The lines that tell the browser to which stream of a carrier the following events belong, as chunks of an HTTP
/// body. In an event stream, fields with other names than the standard's are ignored.
struct StreamLabel: Sendable {
    let begin: ByteBuffer
    let end: ByteBuffer

    init(_ number: Int) {
        begin = Self.makeHTTPChunk("stream: \(number)\n\n")
        end = Self.makeHTTPChunk("ended: \(number)\n\n")
    }

    private static func makeHTTPChunk(_ text: String) -> ByteBuffer {
        ByteBuffer(string: String(text.utf8.count, radix: 16) + "\r\n" + text + "\r\n")
    }
}

/// One connection that carries the streams of a browser's pages.
final class StreamCarrier: Sendable {
    let id: String
    let channel: any Channel
    private let state = Mutex(State())

    private struct State {
        var tasksByNumber: [Int: Task<Void, Never>] = [:]
        var isClosed = false
    }

    fileprivate init(id: String, channel: any Channel) {
        self.id = id
        self.channel = channel
    }

    /// Starts a stream on this connection.
    /// - Parameter serve: writes the stream until it ends or the task is cancelled.
    /// - Returns: false if the carrier is closed or has too many streams, or the number is in use.
    func startStream(_ number: Int, _ serve: @escaping @Sendable (StreamCarrier, StreamLabel) async -> Void)
        -> Bool
    {
        state.withLock { state in
            guard !state.isClosed, state.tasksByNumber[number] == nil,
                state.tasksByNumber.count < StreamCarriers.mostStreamsPerCarrier
            else { return false }
            state.tasksByNumber[number] = Task {
                await serve(self, StreamLabel(number))
                self.state.withLock { $0.tasksByNumber[number] = nil }
            }
            return true
        }
    }

    func endStream(_ number: Int) { state.withLock { $0.tasksByNumber[number] }?.cancel() }

    fileprivate func close() {
        let tasks = state.withLock { state in
            state.isClosed = true
            return state.tasksByNumber.values
        }
        for task in tasks { task.cancel() }
    }
}

extension WebResponse {
    static let badCarrier = refused(
        400, "bad-carrier", "This names no shared connection of a browser; reload the page.")
    static let noCarrier = refused(
        409, "no-carrier", "The shared connection of this browser has ended; the page opens another.")
}
