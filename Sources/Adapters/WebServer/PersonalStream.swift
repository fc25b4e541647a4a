import NIOCore
import Synchronization

/// What one connection is told: everything that is sent, in order, and of some things only the newest.
///
/// Reliable while it lives: nothing is left out. What waits for a slow reader is bounded; a reader beyond the
/// bound is closed, and comes back to ask for what it missed. Sending never waits and never fails.
public final class PersonalStream: Sendable {
    /// A reader with more than this before it is closed.
    public static let mostWaitingBytes = 2 << 20
    public static let mostWaiting = 5_000
    /// Bytes handed to the connection in one go.
    static let handful = 64 << 10

    private let state = Mutex(State())
    private let whenEnded: @Sendable (PersonalStream) -> Void

    /// - Parameters:
    ///   - slots: how many things there are of which only the newest counts.
    ///   - whenEnded: called once, when nothing is told any more.
    public init(slots: Int, whenEnded: @escaping @Sendable (PersonalStream) -> Void = { _ in }) {
        self.whenEnded = whenEnded
        state.withLock { $0.slots = Array(repeating: nil, count: slots) }
    }

    /// Tells what comes before everything else, however large; nothing leaves before it is called.
    public func begin(_ frames: [StreamFrame]) {
        let outlet = state.withLock { state -> StreamOutlet? in
            state.first = frames
            state.hasBegun = true
            return state.bell()
        }
        outlet?.ring()
    }

    /// Tells one message, behind all that were sent before.
    public func send(_ frame: StreamFrame) { put(frame)?.ring() }

    /// Tells the newest of something; one that still waits is forgotten.
    public func replace(_ slot: Int, _ frame: StreamFrame) { put(frame, slot: slot)?.ring() }

    /// Tells many the same message, with one call of each event loop.
    public static func send(_ frame: StreamFrame, to streams: some Sequence<PersonalStream>) {
        StreamOutlet.ring(streams.compactMap { $0.put(frame) })
    }

    /// Tells many the newest of something.
    public static func replace(_ slot: Int, _ frame: StreamFrame, of streams: some Sequence<PersonalStream>) {
        StreamOutlet.ring(streams.compactMap { $0.put(frame, slot: slot) })
    }

    /// Ends it when what was sent has left.
    public func close() {
        let outlet = state.withLock { state -> StreamOutlet? in
            state.isEnding = true
            return state.bell()
        }
        outlet?.ring()
        endUnlessServed()
    }

    /// Nobody writes it and nobody will.
    private func endUnlessServed() {
        if state.withLock({ $0.outlet == nil && !$0.isServed }) { end() }
    }

    /// Closed, or its reader has gone.
    public var isOver: Bool { state.withLock { $0.isOver || $0.isEnding } }

    /// A connection writes it.
    public var isServed: Bool { state.withLock { $0.isServed } }

    /// Bytes that wait.
    public var waitingBytes: Int { state.withLock { $0.bytes } }

    /// - Returns: whom to ring then.
    func put(_ frame: StreamFrame, slot: Int? = nil) -> StreamOutlet? {
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
        /// All has left.
        case end
        /// The reader is too slow.
        case tooSlow
    }

    /// - Returns: false where another connection has it, or it is over.
    func serve(by outlet: StreamOutlet?) -> Bool {
        state.withLock { state in
            guard !state.isServed, !state.isOver else { return false }
            state.isServed = true
            state.outlet = outlet
            return true
        }
    }

    var isTooSlow: Bool { state.withLock { $0.isOverfull } }

    /// The next handful; after `nothing` the next message rings.
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
        /// Those before `taken` have left.
        var waiting: [StreamFrame] = []
        var taken = 0
        /// Of those that wait, without the first.
        var bytes = 0
        var slots: [StreamFrame?] = []
        var outlet: StreamOutlet?
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

        /// Whom to ring; nil where it knows, or must not write yet.
        mutating func bell(evenIfRung: Bool = false) -> StreamOutlet? {
            guard let outlet, hasBegun || isEnding, !isRung || evenIfRung else { return nil }
            isRung = true
            return outlet
        }

        mutating func take() -> Taken {
            if isOverfull { return .tooSlow }
            if hasBegun {
                var handful = first
                first = []
                var size = 0
                while taken < waiting.count, size < PersonalStream.handful {
                    handful.append(waiting[taken])
                    size += waiting[taken].byteCount
                    taken += 1
                }
                bytes -= size
                if taken == waiting.count {
                    waiting.removeAll(keepingCapacity: waiting.capacity <= 64)
                    taken = 0
                    for slot in slots.indices {
                        if let frame = slots[slot] { handful.append(frame) }
                        slots[slot] = nil
                    }
                } else if taken > 1_024 {
                    waiting.removeFirst(taken)
                    taken = 0
                }
                if !handful.isEmpty { return .frames(handful) }
            }
            isRung = false
            return isEnding ? .end : .nothing
        }
    }
}
