import NIOCore
import Synchronization

/// The messages for one client: all sent messages in order, and only the newest value of each slot.
///
/// While the connection lasts, no message is lost. The amount of data that waits for a slow client is limited; a client
/// beyond the limit is disconnected, reconnects and requests the messages it missed. Sending never waits and never
/// fails.
public final class PersonalStream: Sendable {
    /// The maximum size, in bytes, of the data that waits for a client. A client with more waiting data is
    /// disconnected.
    public static let mostWaitingBytes = 2 << 20
    public static let mostWaitingMessages = 5_000
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
    public func sendFirstMessages(_ frames: [EncodedStreamMessage]) {
        let outlet = state.withLock { state -> PersonalStreamWriter? in
            state.firstMessages = frames
            state.hasBegun = true
            return state.writerToWake()
        }
        outlet?.scheduleWrite()
    }

    /// Sends a message after all earlier ones.
    public func send(_ frame: EncodedStreamMessage) { enqueue(frame)?.scheduleWrite() }

    /// Sets the newest value of a slot. An earlier value that was not sent yet is dropped.
    public func replaceSlotValue(_ slot: Int, _ frame: EncodedStreamMessage) {
        enqueue(frame, slot: slot)?.scheduleWrite()
    }

    /// Sends the same message to many streams, waking each event loop only once.
    public static func send(_ frame: EncodedStreamMessage, to streams: some Sequence<PersonalStream>) {
        PersonalStreamWriter.scheduleWrites(streams.compactMap { $0.enqueue(frame) })
    }

    /// Sets the newest value of a slot in many streams, waking each event loop only once.
    public static func replaceSlotValue(
        _ slot: Int, _ frame: EncodedStreamMessage, of streams: some Sequence<PersonalStream>
    ) {
        PersonalStreamWriter.scheduleWrites(streams.compactMap { $0.enqueue(frame, slot: slot) })
    }

    /// Ends the stream after all earlier messages were sent.
    public func close() {
        let outlet = state.withLock { state -> PersonalStreamWriter? in
            state.isEnding = true
            return state.writerToWake()
        }
        outlet?.scheduleWrite()
        endUnlessConnected()
    }

    /// Ends the stream at once if no connection has begun to send it.
    private func endUnlessConnected() {
        if state.withLock({ $0.streamWriter == nil && !$0.hasConnection }) { end() }
    }

    /// True if the stream was closed, or its client has disconnected.
    public var isOver: Bool { state.withLock { $0.isOver || $0.isEnding } }

    /// True if a connection has begun to send the stream.
    public var hasConnection: Bool { state.withLock { $0.hasConnection } }

    /// The number of bytes waiting to be sent.
    public var waitingBytes: Int { state.withLock { $0.waitingBytes } }

    /// Queues a message.
    /// - Parameter slot: the slot whose value the message replaces; nil for a message that must not be left out.
    /// - Returns: the stream writer that the caller must wake; nil if none.
    func enqueue(_ frame: EncodedStreamMessage, slot: Int? = nil) -> PersonalStreamWriter? {
        state.withLock { state in
            guard !state.isOver, !state.isEnding, !state.isOverfull else { return nil }
            if let slot {
                state.slots[slot] = frame
            } else {
                state.waitingMessages.append(frame)
                state.waitingBytes += frame.byteCount
                state.isOverfull =
                    state.waitingBytes > Self.mostWaitingBytes
                    || state.waitingMessages.count - state.sentCount > Self.mostWaitingMessages
            }
            return state.writerToWake(evenIfRung: state.isOverfull)
        }
    }
}

// MARK: Sending on a connection

extension PersonalStream {
    enum NextData {
        case messages([EncodedStreamMessage])
        case nothing
        /// Everything was sent, and the stream ends.
        case end
        /// Too much data is waiting, so the client must be disconnected.
        case tooSlow
    }

    /// Connects the stream with the connection that sends it.
    /// - Parameter outlet: the connection's stream writer; nil in tests without a socket.
    /// - Returns: false if another connection sends the stream already, or if it is over.
    func attachWriter(by outlet: PersonalStreamWriter?) -> Bool {
        state.withLock { state in
            guard !state.hasConnection, !state.isOver else { return false }
            state.hasConnection = true
            state.streamWriter = outlet
            return true
        }
    }

    var isTooSlow: Bool { state.withLock { $0.isOverfull } }

    /// Takes the next data to send. After the result `nothing`, the next message wakes the stream writer.
    func takeNextData() -> NextData { state.withLock { $0.takeNextData() } }

    func end() {
        let isFirst = state.withLock { state in
            defer { state = State(isOver: true, hasConnection: state.hasConnection) }
            return !state.isOver
        }
        if isFirst { whenEnded(self) }
    }

    private struct State {
        var firstMessages: [EncodedStreamMessage] = []
        /// The waiting messages. Those before the index `sentCount` have been passed to the connection.
        var waitingMessages: [EncodedStreamMessage] = []
        var sentCount = 0
        /// The size of the waiting messages in bytes, without the stream's first messages.
        var waitingBytes = 0
        var slots: [EncodedStreamMessage?] = []
        var streamWriter: PersonalStreamWriter?
        var hasBegun = false
        var isWriterWoken = false
        var isEnding = false
        var isOverfull = false
        var isOver = false
        var hasConnection = false

        init(isOver: Bool = false, hasConnection: Bool = false) {
            self.isOver = isOver
            self.hasConnection = hasConnection
        }

        /// The stream writer to wake; nil if it was woken already, or may not write yet.
        mutating func writerToWake(evenIfRung: Bool = false) -> PersonalStreamWriter? {
            guard let streamWriter, hasBegun || isEnding, !isWriterWoken || evenIfRung else {
                return nil
            }
            isWriterWoken = true
            return streamWriter
        }

        mutating func takeNextData() -> NextData {
            if isOverfull { return .tooSlow }
            if hasBegun {
                var messagesToWrite = firstMessages
                firstMessages = []
                var size = 0
                while sentCount < waitingMessages.count, size < PersonalStream.writeChunkBytes {
                    messagesToWrite.append(waitingMessages[sentCount])
                    size += waitingMessages[sentCount].byteCount
                    sentCount += 1
                }
                waitingBytes -= size
                if sentCount == waitingMessages.count {
                    waitingMessages.removeAll(keepingCapacity: waitingMessages.capacity <= 64)
                    sentCount = 0
                    for slot in slots.indices {
                        if let frame = slots[slot] { messagesToWrite.append(frame) }
                        slots[slot] = nil
                    }
                } else if sentCount > 1_024 {
                    waitingMessages.removeFirst(sentCount)
                    sentCount = 0
                }
                if !messagesToWrite.isEmpty { return .messages(messagesToWrite) }
            }
            isWriterWoken = false
            return isEnding ? .end : .nothing
        }
    }
}
