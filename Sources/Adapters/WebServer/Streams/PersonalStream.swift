import NIOCore
import Synchronization

/// The messages for one client: all sent messages in order, and only the newest value of each slot.
///
/// While the connection lasts, no message is lost. The amount of data that waits for a slow client is limited; a client
/// beyond the limit is disconnected, reconnects and requests the messages it missed. Sending never waits and never
/// fails.
public final class PersonalStream: Sendable {
    /// The maximum size of the data waiting for a client; beyond it the client is disconnected.
    public static let mostWaitingBytes = 2 << 20
    public static let mostWaiting = 5_000
    /// The number of bytes passed to the connection at a time.
    static let writeChunkBytes = 64 << 10

    private let state = Mutex(State())
    private let whenEnded: @Sendable (PersonalStream) -> Void

    /// - Parameters:
    ///   - slots: the number of values of which the client needs only the newest.
    ///   - whenEnded: called once, when nothing more will be sent.
    public init(slots: Int, whenEnded: @escaping @Sendable (PersonalStream) -> Void = { _ in }) {
        self.whenEnded = whenEnded
        state.withLock { $0.slots = Array(repeating: nil, count: slots) }
    }

    /// Sets the first messages, whose size is not limited. Nothing is sent before this call.
    public func begin(_ frames: [StreamFrame]) {
        let outlet = state.withLock { state -> PersonalStreamWriter? in
            state.first = frames
            state.hasBegun = true
            return state.writerToWake()
        }
        outlet?.scheduleWrite()
    }

    /// Sends a message after all earlier ones.
    public func send(_ frame: StreamFrame) { enqueue(frame)?.scheduleWrite() }

    /// Sets the newest value of a slot. An earlier value that was not sent yet is dropped.
    public func replace(_ slot: Int, _ frame: StreamFrame) { enqueue(frame, slot: slot)?.scheduleWrite() }

    /// Sends the same message to many streams, waking each event loop only once.
    public static func send(_ frame: StreamFrame, to streams: some Sequence<PersonalStream>) {
        PersonalStreamWriter.scheduleWrites(streams.compactMap { $0.enqueue(frame) })
    }

    /// Sets the newest value of a slot in many streams, waking each event loop only once.
    public static func replace(_ slot: Int, _ frame: StreamFrame, of streams: some Sequence<PersonalStream>) {
        PersonalStreamWriter.scheduleWrites(streams.compactMap { $0.enqueue(frame, slot: slot) })
    }

    /// Ends the stream after all earlier messages were sent.
    public func close() {
        let outlet = state.withLock { state -> PersonalStreamWriter? in
            state.isEnding = true
            return state.writerToWake()
        }
        outlet?.scheduleWrite()
        endUnlessServed()
    }

    /// Ends the stream at once if no connection has begun to send it.
    private func endUnlessServed() {
        if state.withLock({ $0.outlet == nil && !$0.isServed }) { end() }
    }

    /// True if the stream was closed, or its client has disconnected.
    public var isOver: Bool { state.withLock { $0.isOver || $0.isEnding } }

    /// True if a connection has begun to send the stream.
    public var isServed: Bool { state.withLock { $0.isServed } }

    /// The number of bytes waiting to be sent.
    public var waitingBytes: Int { state.withLock { $0.bytes } }

    /// Queues a message.
    /// - Parameter slot: the slot whose value the message replaces; nil for a message that must not be left out.
    /// - Returns: the stream writer that the caller must wake; nil if none.
    func enqueue(_ frame: StreamFrame, slot: Int? = nil) -> PersonalStreamWriter? {
        state.withLock { state in
            guard !state.isOver, !state.isEnding, !state.isOverfull else { return nil }
            if let slot {
                state.slots[slot] = frame
            } else {
                state.waiting.append(frame)
                state.bytes += frame.byteCount
                state.isOverfull =
                    state.bytes > Self.mostWaitingBytes
                    || state.waiting.count - state.sentCount > Self.mostWaiting
            }
            return state.writerToWake(evenIfRung: state.isOverfull)
        }
    }
}

// MARK: Sending on a connection

extension PersonalStream {
    enum NextData {
        case frames([StreamFrame])
        case nothing
        /// Everything was sent, and the stream ends.
        case end
        /// Too much data is waiting, so the client must be disconnected.
        case tooSlow
    }

    /// Connects the stream with the connection that sends it.
    /// - Parameter outlet: the connection's stream writer; nil in tests without a socket.
    /// - Returns: false if another connection sends the stream already, or if it is over.
    func serve(by outlet: PersonalStreamWriter?) -> Bool {
        state.withLock { state in
            guard !state.isServed, !state.isOver else { return false }
            state.isServed = true
            state.outlet = outlet
            return true
        }
    }

    var isTooSlow: Bool { state.withLock { $0.isOverfull } }

    /// Takes the next data to send. After the result `nothing`, the next message wakes the stream writer.
    func takeNextData() -> NextData { state.withLock { $0.takeNextData() } }

    func end() {
        let isFirst = state.withLock { state in
            defer { state = State(isOver: true, isServed: state.isServed) }
            return !state.isOver
        }
        if isFirst { whenEnded(self) }
    }

    private struct State {
        var first: [StreamFrame] = []
        /// The waiting messages. Those before the index `sentCount` have been passed to the connection.
        var waiting: [StreamFrame] = []
        var sentCount = 0
        /// The size of the waiting messages in bytes, without the stream's first messages.
        var bytes = 0
        var slots: [StreamFrame?] = []
        var outlet: PersonalStreamWriter?
        var hasBegun = false
        var isWriterWoken = false
        var isEnding = false
        var isOverfull = false
        var isOver = false
        var isServed = false

        init(isOver: Bool = false, isServed: Bool = false) {
            self.isOver = isOver
            self.isServed = isServed
        }

        /// The stream writer to wake; nil if it was woken already, or may not write yet.
        mutating func writerToWake(evenIfRung: Bool = false) -> PersonalStreamWriter? {
            guard let outlet, hasBegun || isEnding, !isWriterWoken || evenIfRung else { return nil }
            isWriterWoken = true
            return outlet
        }

        mutating func takeNextData() -> NextData {
            if isOverfull { return .tooSlow }
            if hasBegun {
                var writeChunkBytes = first
                first = []
                var size = 0
                while sentCount < waiting.count, size < PersonalStream.writeChunkBytes {
                    writeChunkBytes.append(waiting[sentCount])
                    size += waiting[sentCount].byteCount
                    sentCount += 1
                }
                bytes -= size
                if sentCount == waiting.count {
                    waiting.removeAll(keepingCapacity: waiting.capacity <= 64)
                    sentCount = 0
                    for slot in slots.indices {
                        if let frame = slots[slot] { writeChunkBytes.append(frame) }
                        slots[slot] = nil
                    }
                } else if sentCount > 1_024 {
                    waiting.removeFirst(sentCount)
                    sentCount = 0
                }
                if !writeChunkBytes.isEmpty { return .frames(writeChunkBytes) }
            }
            isWriterWoken = false
            return isEnding ? .end : .nothing
        }
    }
}
