import NIOCore
import Synchronization

/// Sends the newest state to any number of listening clients (listeners), without waiting for any of them.
///
/// The state consists of named *sections*, and only the newest value of each section counts. A slow listener misses
/// intermediate values but never the newest. It costs no more memory than a fast one, because the hub stores only the
/// number of the last event that each listener received. *Transient* events, such as a notice, are not part of the
/// state. They are sent once to the present listeners; a slow listener gets at most the newest sixteen.
///
/// A new listener gets all sections in one event named `snapshot`, and from then on each change, with ascending ids.
///
/// Publishing costs one lock, one encoding, and one call of each event loop, however many listeners there are. The
/// event loops write to the connections (`ListenerGroup`).
public final class EventHub: Sendable {
    /// The maximum number of sections; exceeding it is a programming error.
    static let mostStateSections = 64
    static let mostTransientEvents = 16

    private let state: Mutex<State>
    let listenerLimit: Int
    /// The limits for listeners. The code that opens a stream takes a place here first.
    let listenerPool: SharedResourceQuota

    /// - Parameter shares: the limits for listeners; further listeners are refused.
    public init(_ shares: ResourceQuota.Limits) {
        state = Mutex(State())
        listenerLimit = shares.total
        listenerPool = SharedResourceQuota(shares)
    }

    /// - Parameter listenerLimit: the maximum number of listeners; further ones are refused.
    public convenience init(listenerLimit: Int = .max) {
        self.init(ResourceQuota.Limits(total: listenerLimit))
    }

    /// Sets the value of a section and sends it to all listeners.
    /// - Parameter json: one JSON value.
    public func publishStateSection(_ section: String, _ json: [UInt8]) {
        changeAndNotify { state in
            let place = state.stateSectionIndex(of: section)
            state.stateSections[place].json = json
            state.stateSections[place].encodedEvent = EncodedServerSentEvent(
                id: state.newestEventID, event: section, json: json)
        }
    }

    /// Sets the value of a section without sending it to present listeners, who have it already. New listeners get it
    /// with their snapshot.
    public func setStateSectionForNewListeners(_ section: String, _ json: [UInt8]) {
        state.withLock { state in
            guard !state.isClosed else { return }
            let place = state.stateSectionIndex(of: section)
            state.stateSections[place].json = json
            state.cachedSnapshot = nil
        }
    }

    /// Sends an event to the present listeners only. It is not part of the state, so new listeners never get it.
    public func sendTransient(_ event: String, _ json: [UInt8]) {
        changeAndNotify { state in
            if state.transientEvents.count == Self.mostTransientEvents { state.transientEvents.removeFirst() }
            state.transientEvents.append(
                EncodedServerSentEvent(id: state.newestEventID, event: event, json: json))
        }
    }

    /// Sends a heartbeat to all listeners. It replaces an earlier heartbeat that was not sent yet.
    public func sendHeartbeat(atMilliseconds now: Int64) {
        changeAndNotify { state in
            state.heartbeat = EncodedServerSentEvent(
                id: state.newestEventID, event: "beat", json: Array("{\"at\":\(now)}".utf8))
        }
    }

    private func changeAndNotify(_ change: (inout State) -> Void) {
        let (doorbells, rows) = state.withLock { state in
            guard !state.isClosed else { return State.ListenersToWake([], []) }
            state.newestEventID += 1
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
        for row in rows { row.endStreams() }
    }

    public var listenerCount: Int {
        state.withLock { state in state.groups.reduce(state.listeners.count) { $0 + $1.listenerCount } }
    }

    /// The number of events published so far, which is also the id of the newest event.
    public var newestEventID: UInt64 { state.withLock { $0.newestEventID } }

    /// The newest value of a section as JSON; nil if it has none yet.
    public func newestValue(_ section: String) -> [UInt8]? {
        state.withLock { state in state.stateSectionIndices[section].flatMap { state.stateSections[$0].json }
        }
    }
}

// MARK: Listeners served by their event loop

extension EventHub {
    /// The data that a new listener gets first, and the listener's group.
    struct ListenerStart: Sendable {
        let group: ListenerGroup
        /// The snapshot: one event with all sections, as they were after the event number `lastSeenID`.
        let snapshot: ByteBuffer
        let lastSeenID: UInt64
    }

    /// The events that were published after a given event.
    struct UnseenEvents: Sendable {
        let afterID: UInt64
        let throughID: UInt64
        /// The events as one chunk of an HTTP body (RFC 9112, section 7.1); nil if there are none.
        let httpChunk: ByteBuffer?
    }

    /// Adds a listener whose connection runs on this event loop.
    ///
    /// The caller must call ``removeListener(_:)`` when the listener has gone.
    /// - Returns: nil if the hub is closed or full.
    func addListener(on loop: any EventLoop) -> ListenerStart? {
        state.withLock { state in
            guard !state.isClosed, state.listenerCount < listenerLimit else { return nil }
            let row = state.findOrAddGroup(of: loop)
            row.listenerCount += 1
            return ListenerStart(group: row, snapshot: state.makeSnapshot(), lastSeenID: state.newestEventID)
        }
    }

    /// What a new listener would get first.
    func currentSnapshot() -> ByteBuffer { state.withLock { $0.makeSnapshot() } }

    func removeListener(_ row: ListenerGroup) { state.withLock { _ in row.listenerCount -= 1 } }

    /// Records that the group's event loop has started to write, so that the next event wakes it again.
    func acknowledgeWakeUp(_ row: ListenerGroup) { state.withLock { _ in row.isWakeUpPending = false } }

    func unseenEvents(after seen: UInt64) -> UnseenEvents {
        state.withLock { state in
            if let told = state.cachedUnseenEvents, told.afterID == seen,
                told.throughID == state.newestEventID
            {
                return told
            }
            let frames = state.unseenFrames(after: seen)
            let news = UnseenEvents(
                afterID: seen, throughID: state.newestEventID,
                httpChunk: EncodedServerSentEvent.makeHTTPChunk(of: frames))
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
            guard !state.isClosed, state.listenerCount < listenerLimit else { return nil }
            let place = EventListener.Registration(
                index: state.listeners.count, wakeUps: doorbell, snapshot: state.makeSnapshot(),
                lastSeenID: state.newestEventID)
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
            defer { place.lastSeenID = max(place.lastSeenID, state.newestEventID) }
            return state.unseenFrames(after: place.lastSeenID).map(\.bytes)
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
    struct StateSection {
        let name: String
        var json: [UInt8]?
        var encodedEvent: EncodedServerSentEvent?
    }

    struct State {
        typealias ListenersToWake = (doorbells: [AsyncStream<Void>.Continuation], rows: [ListenerGroup])

        var newestEventID: UInt64 = 0
        var stateSections: [StateSection] = []
        var stateSectionIndices: [String: Int] = [:]
        /// The newest transient events, oldest first.
        var transientEvents: [EncodedServerSentEvent] = []
        var heartbeat: EncodedServerSentEvent?
        var listeners: [EventListener.Registration] = []
        /// The groups of listeners, one for each event loop that has had listeners.
        var groups: [ListenerGroup] = []
        var isClosed = false
        fileprivate var cachedSnapshot: (sequence: UInt64, bytes: ByteBuffer)?
        fileprivate var cachedUnseenEvents: UnseenEvents?

        var listenerCount: Int { groups.reduce(listeners.count) { $0 + $1.listenerCount } }

        mutating func stateSectionIndex(of name: String) -> Int {
            if let place = stateSectionIndices[name] { return place }
            precondition(
                stateSections.count < EventHub.mostStateSections, "“\(name)” is one section too many")
            stateSections.append(StateSection(name: name))
            stateSectionIndices[name] = stateSections.count - 1
            cachedSnapshot = nil
            return stateSections.count - 1
        }

        mutating func findOrAddGroup(of loop: any EventLoop) -> ListenerGroup {
            if let row = groups.first(where: { $0.loop === loop }) { return row }
            groups.append(ListenerGroup(loop: loop))
            return groups[groups.count - 1]
        }

        /// The groups and listeners that must be woken for a new event. Groups and listeners that were woken before
        /// and have not taken their events yet are left out.
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
        func unseenFrames(after seen: UInt64) -> [EncodedServerSentEvent] {
            guard seen < newestEventID else { return [] }
            var frames = transientEvents.filter { $0.id > seen }
            for section in stateSections {
                if let frame = section.encodedEvent, frame.id > seen { frames.append(frame) }
            }
            if let heartbeat, heartbeat.id > seen { frames.append(heartbeat) }
            if frames.count > 1 { frames.sort { $0.id < $1.id } }
            return frames
        }

        /// All sections in one event. It is encoded once for all listeners that join before the next change.
        mutating func makeSnapshot() -> ByteBuffer {
            if let cachedSnapshot, cachedSnapshot.sequence == newestEventID { return cachedSnapshot.bytes }
            var json: [UInt8] = [UInt8(ascii: "{")]
            for section in stateSections {
                guard let value = section.json else { continue }
                if json.count > 1 { json.append(UInt8(ascii: ",")) }
                json += Array("\"\(section.name)\":".utf8)
                json += value
            }
            json.append(UInt8(ascii: "}"))
            var bytes = ByteBuffer(string: "retry: 500\n")
            bytes.writeImmutableBuffer(
                EncodedServerSentEvent(id: newestEventID, event: "snapshot", json: json).bytes)
            cachedSnapshot = (newestEventID, bytes)
            return bytes
        }
    }
}
