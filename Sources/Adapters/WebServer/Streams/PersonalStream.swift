import NIOCore
import Synchronization

/// The messages for one connection: all sent messages in order, and the newest value of each slot.
///
/// Reliable while the connection lasts: no message is left out. The data waiting for a slow reader is limited; a
/// reader beyond the limit is disconnected, reconnects and asks for what it missed. Sending never waits and never
/// fails.
public final class PersonalStream: Sendable {
    /// A reader with more waiting data than this is disconnected.
    public static let mostWaitingBytes = 2 << 20
    public static let mostWaiting = 5_000
    /// Bytes passed to the connection at a time.
    static let writeChunkBytes = 64 << 10

    private let state = Mutex(State())
    private let whenEnded: @Sendable (PersonalStream) -> Void

    /// - Parameters:
    ///   - slots: number of values of which only the newest counts.
    ///   - whenEnded: called once, when nothing more will be sent.
    public init(slots: Int, whenEnded: @escaping @Sendable (PersonalStream) -> Void = { _ in }) {
        self.whenEnded = whenEnded
        state.withLock { $0.slots = Array(repeating: nil, count: slots) }
    }

    /// Sets the first messages, of any size; nothing is sent before this call.
    public func begin(_ frames: [StreamFrame]) {
        let outlet = state.withLock { state -> PersonalStreamWriter? in
            state.first = frames
            state.hasBegun = true
            return state.bell()
        }
        outlet?.ring()
    }

    /// Sends one message after all earlier ones.
    public func send(_ frame: StreamFrame) { put(frame)?.ring() }

    /// Sets the newest value of a slot; an earlier one that still waits is dropped.
    public func replace(_ slot: Int, _ frame: StreamFrame) { put(frame, slot: slot)?.ring() }

    /// Sends the same message to many streams, with one call of each event loop.
    public static func send(_ frame: StreamFrame, to streams: some Sequence<PersonalStream>) {
        PersonalStreamWriter.ring(streams.compactMap { $0.put(frame) })
    }

    /// Sets the newest value of a slot in many streams.
    public static func replace(_ slot: Int, _ frame: StreamFrame, of streams: some Sequence<PersonalStream>) {
        PersonalStreamWriter.ring(streams.compactMap { $0.put(frame, slot: slot) })
    }

    /// Ends the stream once all earlier messages are sent.
    public func close() {
        let outlet = state.withLock { state -> PersonalStreamWriter? in
            state.isEnding = true
            return state.bell()
        }
        outlet?.ring()
        endUnlessServed()
    }

    /// Ends the stream at once if no connection serves it.
    private func endUnlessServed() {
        if state.withLock({ $0.outlet == nil && !$0.isServed }) { end() }
    }

    /// True if the stream was closed, or its reader has disconnected.
    public var isOver: Bool { state.withLock { $0.isOver || $0.isEnding } }

    /// True if a connection serves the stream.
    public var isServed: Bool { state.withLock { $0.isServed } }

    /// Number of bytes waiting to be sent.
    public var waitingBytes: Int { state.withLock { $0.bytes } }

    /// Queues a message.
    /// - Returns: the stream writer to wake; nil if none is needed.
    func put(_ frame: StreamFrame, slot: Int? = nil) -> PersonalStreamWriter? {
        state.withLock { state in
            guard !state.isOver, !state.isEnding, !state.isOverfull else { return nil }
            if let slot {
                state.slots[slot] = frame
            } else {
                state.waiting.append(frame)
                state.bytes += frame.byteCount
                state.isOverfull =
                    state.bytes > Self.mostWaitingBytes
                    || state.waiting.count - state.taken > Self.mostWaiting
            }
            return state.bell(evenIfRung: state.isOverfull)
        }
    }
}

// MARK: The connection's side

extension PersonalStream {
    enum Taken {
        case frames([StreamFrame])
        case nothing
        /// Everything was sent.
        case end
        /// The reader is too slow.
        case tooSlow
    }

    /// Begins to serve the stream on a connection.
    /// - Returns: false if another connection serves it, or if it is over.
    func serve(by outlet: PersonalStreamWriter?) -> Bool {
        state.withLock { state in
            guard !state.isServed, !state.isOver else { return false }
            state.isServed = true
            state.outlet = outlet
            return true
        }
    }

    var isTooSlow: Bool { state.withLock { $0.isOverfull } }

    /// Takes the next data to send; after `nothing`, the next message calls the outlet.
    func take() -> Taken { state.withLock { $0.take() } }

    func end() {
        let isFirst = state.withLock { state in
            defer { state = State(isOver: true, isServed: state.isServed) }
            return !state.isOver
        }
        if isFirst { whenEnded(self) }
    }

    private struct State {
        var first: [StreamFrame] = []
        /// Waiting messages; those before index `taken` have been sent.
        var waiting: [StreamFrame] = []
        var taken = 0
        /// Bytes of the waiting messages, without the first messages of the stream.
        var bytes = 0
        var slots: [StreamFrame?] = []
        var outlet: PersonalStreamWriter?
        var hasBegun = false
        var isRung = false
        var isEnding = false
        var isOverfull = false
        var isOver = false
        var isServed = false

        init(isOver: Bool = false, isServed: Bool = false) {
            self.isOver = isOver
            self.isServed = isServed
        }

        /// The stream writer to wake; nil if it was woken already or must not write yet.
        mutating func bell(evenIfRung: Bool = false) -> PersonalStreamWriter? {
            guard let outlet, hasBegun || isEnding, !isRung || evenIfRung else { return nil }
            isRung = true
            return outlet
        }

        mutating func take() -> Taken {
            if isOverfull { return .tooSlow }
            if hasBegun {
                var writeChunkBytes = first
                first = []
                var size = 0
                while taken < waiting.count, size < PersonalStream.writeChunkBytes {
                    writeChunkBytes.append(waiting[taken])
                    size += waiting[taken].byteCount
                    taken += 1
                }
                bytes -= size
                if taken == waiting.count {
                    waiting.removeAll(keepingCapacity: waiting.capacity <= 64)
                    taken = 0
                    for slot in slots.indices {
                        if let frame = slots[slot] { writeChunkBytes.append(frame) }
                        slots[slot] = nil
                    }
                } else if taken > 1_024 {
                    waiting.removeFirst(taken)
                    taken = 0
                }
                if !writeChunkBytes.isEmpty { return .frames(writeChunkBytes) }
            }
            isRung = false
            return isEnding ? .end : .nothing
        }
    }
}
