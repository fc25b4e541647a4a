import NIOCore
import Synchronization

/// Sends the newest state to any number of listeners, without waiting for any of them.
///
/// State consists of named *sections*, and only the newest value of each counts. A slow listener misses intermediate
/// values but never the newest, and costs no more memory than a fast one: what it has not seen is every section with
/// a higher number than the last it took, and the bytes are shared by all. *Passing* events (a notice) are delivered
/// once to the present listeners; a slow listener keeps the newest sixteen.
///
/// A new listener gets all sections in one event `snapshot`, and from then on each change, with rising ids.
///
/// Publishing costs one lock, one encoding, and one call of each event loop, however many listeners there are. The
/// event loops do the writing (`ListenerGroup`).
public final class EventHub: Sendable {
    /// Limit for sections; exceeding it is a programming error.
    static let mostSections = 64
    static let mostPassing = 16

    private let state: Mutex<State>
    let listenerLimit: Int
    /// The listeners' places; taken by the code that opens a stream for somebody.
    let places: QuotaPlaces

    /// - Parameter shares: the limits for listeners; further ones are refused.
    public init(_ shares: ResourceQuota.Shares) {
        state = Mutex(State())
        listenerLimit = shares.total
        places = QuotaPlaces(shares)
    }

    /// - Parameter listenerLimit: a limit for all listeners together; further ones are refused.
    public convenience init(listenerLimit: Int = .max) {
        self.init(ResourceQuota.Shares(total: listenerLimit))
    }

    /// Sets a section and sends it to all listeners.
    /// - Parameter json: one JSON value.
    public func publish(_ section: String, _ json: [UInt8]) {
        tell { state in
            let place = state.place(of: section)
            state.sections[place].json = json
            state.sections[place].frame = EventFrame(id: state.sequence, event: section, json: json)
        }
    }

    /// Sets a section for snapshots only: new listeners need it, present ones have it already.
    public func keep(_ section: String, _ json: [UInt8]) {
        state.withLock { state in
            guard !state.isClosed else { return }
            let place = state.place(of: section)
            state.sections[place].json = json
            state.made = nil
        }
    }

    /// Sends an event to the present listeners that is not part of the state or of snapshots.
    public func pass(_ event: String, _ json: [UInt8]) {
        tell { state in
            if state.passing.count == Self.mostPassing { state.passing.removeFirst() }
            state.passing.append(EventFrame(id: state.sequence, event: event, json: json))
        }
    }

    /// Sends a heartbeat to all listeners; it replaces an earlier one that was not sent yet.
    public func beat(atMilliseconds now: Int64) {
        tell { state in
            state.beat = EventFrame(id: state.sequence, event: "beat", json: Array("{\"at\":\(now)}".utf8))
        }
    }

    private func tell(_ change: (inout State) -> Void) {
        let (doorbells, rows) = state.withLock { state in
            guard !state.isClosed else { return State.Waiting([], []) }
            state.sequence += 1
            change(&state)
            return state.waiting()
        }
        for doorbell in doorbells { doorbell.yield() }
        for row in rows { row.ring(self) }
    }

    /// Ends all streams at once and refuses new listeners.
    public func close() {
        let (doorbells, rows) = state.withLock { state in
            state.isClosed = true
            defer { (state.listeners, state.rows) = ([], []) }
            return (state.listeners.map(\.doorbell), state.rows)
        }
        for doorbell in doorbells { doorbell.finish() }
        for row in rows { row.close() }
    }

    public var listenerCount: Int {
        state.withLock { state in state.rows.reduce(state.listeners.count) { $0 + $1.seats } }
    }

    /// Number of events published so far: the id of the newest.
    public var sequence: UInt64 { state.withLock { $0.sequence } }

    /// The newest value of a section.
    public func newest(_ section: String) -> [UInt8]? {
        state.withLock { state in state.places[section].flatMap { state.sections[$0].json } }
    }
}

// MARK: Listeners that an event loop writes to

extension EventHub {
    /// The initial data of a new listener.
    struct ListenerStart: Sendable {
        let row: ListenerGroup
        /// All sections, as they were at `seen`.
        let first: ByteBuffer
        let seen: UInt64
    }

    /// All events after a given one.
    struct News: Sendable {
        let after: UInt64
        let upTo: UInt64
        /// One chunk of a body, RFC 9112 section 7.1; nil if there is nothing new.
        let chunk: ByteBuffer?
    }

    /// Adds a listener on an event loop; the caller must call `leave` for it.
    /// - Returns: nil if the hub is closed or full.
    func addListener(on loop: any EventLoop) -> ListenerStart? {
        state.withLock { state in
            guard !state.isClosed, state.count < listenerLimit else { return nil }
            let row = state.row(of: loop)
            row.seats += 1
            return ListenerStart(row: row, first: state.snapshot(), seen: state.sequence)
        }
    }

    func leave(_ row: ListenerGroup) { state.withLock { _ in row.seats -= 1 } }

    /// Allows the row to be called for the next event.
    func answer(_ row: ListenerGroup) { state.withLock { _ in row.isRung = false } }

    func news(after seen: UInt64) -> News {
        state.withLock { state in
            if let told = state.told, told.after == seen, told.upTo == state.sequence { return told }
            let frames = state.frames(after: seen)
            let news = News(after: seen, upTo: state.sequence, chunk: EventFrame.chunk(of: frames))
            state.told = news
            return news
        }
    }
}

// MARK: Listeners that write themselves

extension EventHub {
    /// Adds a listener; it takes the snapshot first.
    /// - Returns: nil if the hub is closed or full.
    func join() -> EventListener? {
        let (stream, doorbell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let place = state.withLock { state -> EventListener.Place? in
            guard !state.isClosed, state.count < listenerLimit else { return nil }
            let place = EventListener.Place(
                index: state.listeners.count, doorbell: doorbell, first: state.snapshot(),
                seen: state.sequence)
            state.listeners.append(place)
            return place
        }
        guard let place else { return nil }
        doorbell.yield()
        return EventListener(hub: self, place: place, doorbell: stream)
    }

    /// The events that a listener has not seen, oldest first; empty if it has seen all.
    func take(_ place: EventListener.Place) -> [ByteBuffer] {
        state.withLock { state in
            place.isRung = false
            if let first = place.first {
                place.first = nil
                // The snapshot contains everything published before it was made, so only later events follow it.
                return [first]
            }
            defer { place.seen = max(place.seen, state.sequence) }
            return state.frames(after: place.seen).map(\.bytes)
        }
    }

    func leave(_ place: EventListener.Place) {
        state.withLock { state in
            guard place.index < state.listeners.count, state.listeners[place.index] === place else { return }
            state.listeners.swapAt(place.index, state.listeners.count - 1)
            state.listeners[place.index].index = place.index
            state.listeners.removeLast()
            place.seen = .max
        }
        place.doorbell.finish()
    }
}

extension EventHub {
    struct Section {
        let name: String
        var json: [UInt8]?
        var frame: EventFrame?
    }

    struct State {
        typealias Waiting = (doorbells: [AsyncStream<Void>.Continuation], rows: [ListenerGroup])

        var sequence: UInt64 = 0
        var sections: [Section] = []
        var places: [String: Int] = [:]
        /// The newest passing events, oldest first.
        var passing: [EventFrame] = []
        var beat: EventFrame?
        var listeners: [EventListener.Place] = []
        /// The listeners in groups, one for each event loop that has any.
        var rows: [ListenerGroup] = []
        var isClosed = false
        fileprivate var made: (sequence: UInt64, bytes: ByteBuffer)?
        fileprivate var told: News?

        var count: Int { rows.reduce(listeners.count) { $0 + $1.seats } }

        mutating func place(of name: String) -> Int {
            if let place = places[name] { return place }
            precondition(sections.count < EventHub.mostSections, "“\(name)” is one section too many")
            sections.append(Section(name: name))
            places[name] = sections.count - 1
            made = nil
            return sections.count - 1
        }

        mutating func row(of loop: any EventLoop) -> ListenerGroup {
            if let row = rows.first(where: { $0.loop === loop }) { return row }
            rows.append(ListenerGroup(loop: loop))
            return rows[rows.count - 1]
        }

        /// The rows and listeners that must be called, because they were not called since they last took events.
        func waiting() -> Waiting {
            var waiting: Waiting = ([], [])
            for listener in listeners where !listener.isRung {
                listener.isRung = true
                waiting.doorbells.append(listener.doorbell)
            }
            for row in rows where row.seats > 0 && !row.isRung {
                row.isRung = true
                waiting.rows.append(row)
            }
            return waiting
        }

        /// The events after a given one, oldest first.
        func frames(after seen: UInt64) -> [EventFrame] {
            guard seen < sequence else { return [] }
            var frames = passing.filter { $0.id > seen }
            for section in sections {
                if let frame = section.frame, frame.id > seen { frames.append(frame) }
            }
            if let beat, beat.id > seen { frames.append(beat) }
            if frames.count > 1 { frames.sort { $0.id < $1.id } }
            return frames
        }

        /// All sections in one event; made once for all listeners that join before the next change.
        mutating func snapshot() -> ByteBuffer {
            if let made, made.sequence == sequence { return made.bytes }
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
            made = (sequence, bytes)
            return bytes
        }
    }
}
