import NIOCore
import Synchronization

/// Sends the newest state to any number of listening clients (listeners), without waiting for any of them.
///
/// The state consists of named *sections*, and only the newest value of each section counts. A slow listener misses
/// intermediate values but never the newest, and costs no more memory than a fast one: the hub stores only the number
/// of the last event that each listener received. *Transient* events, such as a notice, are not part of the state. They
/// are sent once to the present listeners; a slow listener gets at most the newest sixteen.
///
/// A new listener gets all sections in one event named `snapshot`, and from then on each change, with ascending ids.
///
/// Publishing costs one lock, one encoding, and one call of each event loop, however many listeners there are. The
/// event loops write to the connections (`ListenerGroup`).
public final class EventHub: Sendable {
    /// The maximum number of sections; exceeding it is a programming error.
    static let mostSections = 64
    static let mostTransientEvents = 16

    private let state: Mutex<State>
    let listenerLimit: Int
    /// The limits for listeners. The code that opens a stream takes a place here first.
    let listenerPool: QuotaPool

    /// - Parameter shares: the limits for listeners; further listeners are refused.
    public init(_ shares: ResourceQuota.Shares) {
        state = Mutex(State())
        listenerLimit = shares.total
        listenerPool = QuotaPool(shares)
    }

    /// - Parameter listenerLimit: the maximum number of listeners; further ones are refused.
    public convenience init(listenerLimit: Int = .max) {
        self.init(ResourceQuota.Shares(total: listenerLimit))
    }

    /// Sets the value of a section and sends it to all listeners.
    /// - Parameter json: one JSON value.
    public func publish(_ section: String, _ json: [UInt8]) {
        changeAndNotify { state in
            let place = state.sectionIndex(of: section)
            state.sections[place].json = json
            state.sections[place].frame = EventFrame(id: state.sequence, event: section, json: json)
        }
    }

    /// Sets the value of a section without sending it to present listeners, who have it already. New listeners get it
    /// with their snapshot.
    public func setForSnapshots(_ section: String, _ json: [UInt8]) {
        state.withLock { state in
            guard !state.isClosed else { return }
            let place = state.sectionIndex(of: section)
            state.sections[place].json = json
            state.cachedSnapshot = nil
        }
    }

    /// Sends an event to the present listeners only. It is not part of the state, so new listeners never get it.
    public func sendTransient(_ event: String, _ json: [UInt8]) {
        changeAndNotify { state in
            if state.transientEvents.count == Self.mostTransientEvents { state.transientEvents.removeFirst() }
            state.transientEvents.append(EventFrame(id: state.sequence, event: event, json: json))
        }
    }

    /// Sends a heartbeat to all listeners. It replaces an earlier heartbeat that was not sent yet.
    public func beat(atMilliseconds now: Int64) {
        changeAndNotify { state in
            state.beat = EventFrame(id: state.sequence, event: "beat", json: Array("{\"at\":\(now)}".utf8))
        }
    }

    private func changeAndNotify(_ change: (inout State) -> Void) {
        let (doorbells, rows) = state.withLock { state in
            guard !state.isClosed else { return State.ListenersToWake([], []) }
            state.sequence += 1
            change(&state)
            return state.takeListenersToWake()
        }
        for doorbell in doorbells { doorbell.yield() }
        for row in rows { row.scheduleWrite(self) }
    }

    /// Ends all streams at once and refuses new listeners.
    public func close() {
        let (doorbells, rows) = state.withLock { state in
            state.isClosed = true
            defer { (state.listeners, state.groups) = ([], []) }
            return (state.listeners.map(\.wakeUps), state.groups)
        }
        for doorbell in doorbells { doorbell.finish() }
        for row in rows { row.close() }
    }

    public var listenerCount: Int {
        state.withLock { state in state.groups.reduce(state.listeners.count) { $0 + $1.listenerCount } }
    }

    /// The number of events published so far, which is also the id of the newest event.
    public var sequence: UInt64 { state.withLock { $0.sequence } }

    /// The newest value of a section as JSON; nil if it has none yet.
    public func newest(_ section: String) -> [UInt8]? {
        state.withLock { state in state.sectionIndices[section].flatMap { state.sections[$0].json } }
    }
}

// MARK: Listeners served by their event loop

extension EventHub {
    /// The data that a new listener gets first, and the group of listeners it belongs to.
    struct ListenerStart: Sendable {
        let group: ListenerGroup
        /// The snapshot: one event with all sections, as they were after the event number `lastSeenID`.
        let snapshot: ByteBuffer
        let lastSeenID: UInt64
    }

    /// The events that were published after a given one.
    struct UnseenEvents: Sendable {
        let after: UInt64
        let upTo: UInt64
        /// The events as one chunk of an HTTP body (RFC 9112, section 7.1); nil if there are none.
        let chunk: ByteBuffer?
    }

    /// Adds a listener whose connection runs on this event loop.
    ///
    /// The caller must call ``removeListener(_:)`` when the listener has gone.
    /// - Returns: nil if the hub is closed or full.
    func addListener(on loop: any EventLoop) -> ListenerStart? {
        state.withLock { state in
            guard !state.isClosed, state.count < listenerLimit else { return nil }
            let row = state.group(of: loop)
            row.listenerCount += 1
            return ListenerStart(group: row, snapshot: state.snapshot(), lastSeenID: state.sequence)
        }
    }

    func removeListener(_ row: ListenerGroup) { state.withLock { _ in row.listenerCount -= 1 } }

    /// Records that the group's event loop has started to write, so that the next event wakes it again.
    func acknowledgeWakeUp(_ row: ListenerGroup) { state.withLock { _ in row.isWakeUpPending = false } }

    func unseenEvents(after seen: UInt64) -> UnseenEvents {
        state.withLock { state in
            if let told = state.cachedUnseenEvents, told.after == seen, told.upTo == state.sequence {
                return told
            }
            let frames = state.frames(after: seen)
            let news = UnseenEvents(after: seen, upTo: state.sequence, chunk: EventFrame.chunk(of: frames))
            state.cachedUnseenEvents = news
            return news
        }
    }
}

// MARK: Listeners served by their own task

extension EventHub {
    /// Adds a listener that has its own task. It gets the snapshot first.
    /// - Returns: nil if the hub is closed or full.
    func addTaskListener() -> EventListener? {
        let (stream, doorbell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let place = state.withLock { state -> EventListener.Registration? in
            guard !state.isClosed, state.count < listenerLimit else { return nil }
            let place = EventListener.Registration(
                index: state.listeners.count, wakeUps: doorbell, snapshot: state.snapshot(),
                lastSeenID: state.sequence)
            state.listeners.append(place)
            return place
        }
        guard let place else { return nil }
        doorbell.yield()
        return EventListener(hub: self, registration: place, wakeUps: stream)
    }

    /// The events that a listener has not received yet, oldest first; empty if there are none. They count as received
    /// afterwards.
    func takeUnseenEvents(_ place: EventListener.Registration) -> [ByteBuffer] {
        state.withLock { state in
            place.isWoken = false
            if let first = place.snapshot {
                place.snapshot = nil
                // The snapshot contains everything published before it was made, so only later events follow.
                return [first]
            }
            defer { place.lastSeenID = max(place.lastSeenID, state.sequence) }
            return state.frames(after: place.lastSeenID).map(\.bytes)
        }
    }

    func removeListener(_ place: EventListener.Registration) {
        state.withLock { state in
            guard place.index < state.listeners.count, state.listeners[place.index] === place else { return }
            state.listeners.swapAt(place.index, state.listeners.count - 1)
            state.listeners[place.index].index = place.index
            state.listeners.removeLast()
            place.lastSeenID = .max
        }
        place.wakeUps.finish()
    }
}

extension EventHub {
    struct Section {
        let name: String
        var json: [UInt8]?
        var frame: EventFrame?
    }

    struct State {
        typealias ListenersToWake = (doorbells: [AsyncStream<Void>.Continuation], rows: [ListenerGroup])

        var sequence: UInt64 = 0
        var sections: [Section] = []
        var sectionIndices: [String: Int] = [:]
        /// The newest transient events, oldest first.
        var transientEvents: [EventFrame] = []
        var beat: EventFrame?
        var listeners: [EventListener.Registration] = []
        /// The groups of listeners, one for each event loop that has had listeners.
        var groups: [ListenerGroup] = []
        var isClosed = false
        fileprivate var cachedSnapshot: (sequence: UInt64, bytes: ByteBuffer)?
        fileprivate var cachedUnseenEvents: UnseenEvents?

        var count: Int { groups.reduce(listeners.count) { $0 + $1.listenerCount } }

        mutating func sectionIndex(of name: String) -> Int {
            if let place = sectionIndices[name] { return place }
            precondition(sections.count < EventHub.mostSections, "“\(name)” is one section too many")
            sections.append(Section(name: name))
            sectionIndices[name] = sections.count - 1
            cachedSnapshot = nil
            return sections.count - 1
        }

        mutating func group(of loop: any EventLoop) -> ListenerGroup {
            if let row = groups.first(where: { $0.loop === loop }) { return row }
            groups.append(ListenerGroup(loop: loop))
            return groups[groups.count - 1]
        }

        /// The groups and listeners that must be woken for a new event. Those that were woken and have not taken their
        /// events yet are left out.
        func takeListenersToWake() -> ListenersToWake {
            var waiting: ListenersToWake = ([], [])
            for listener in listeners where !listener.isWoken {
                listener.isWoken = true
                waiting.doorbells.append(listener.wakeUps)
            }
            for row in groups where row.listenerCount > 0 && !row.isWakeUpPending {
                row.isWakeUpPending = true
                waiting.rows.append(row)
            }
            return waiting
        }

        /// The events with higher numbers than the given one, oldest first. Of each section only the newest value is
        /// included.
        func frames(after seen: UInt64) -> [EventFrame] {
            guard seen < sequence else { return [] }
            var frames = transientEvents.filter { $0.id > seen }
            for section in sections {
                if let frame = section.frame, frame.id > seen { frames.append(frame) }
            }
            if let beat, beat.id > seen { frames.append(beat) }
            if frames.count > 1 { frames.sort { $0.id < $1.id } }
            return frames
        }

        /// All sections in one event. It is encoded once for all listeners that join before the next change.
        mutating func snapshot() -> ByteBuffer {
            if let cachedSnapshot, cachedSnapshot.sequence == sequence { return cachedSnapshot.bytes }
            var json: [UInt8] = [UInt8(ascii: "{")]
            for section in sections {
                guard let value = section.json else { continue }
                if json.count > 1 { json.append(UInt8(ascii: ",")) }
                json += Array("\"\(section.name)\":".utf8)
                json += value
            }
            json.append(UInt8(ascii: "}"))
            var bytes = ByteBuffer(string: "retry: 500\n")
            bytes.writeImmutableBuffer(EventFrame(id: sequence, event: "snapshot", json: json).bytes)
            cachedSnapshot = (sequence, bytes)
            return bytes
        }
    }
}
