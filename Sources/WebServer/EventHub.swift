import NIOCore
import Synchronization

/// Carries the newest state to any number of listeners without waiting for any of them.
///
/// State comes in named *sections*; of each only the newest value counts. A listener that is slow misses values in
/// between, never the newest, and costs the same memory as a quick one: which sections it has not seen yet is one
/// bit each, the bytes are shared by all. *Passing* events (a notice) are delivered once to whoever listens now; a
/// slow listener keeps the newest sixteen.
///
/// Who joins gets all sections in one event `snapshot` and from then on each change, with ids that rise.
///
/// Cost of publishing: one lock, one encoding, and some nanoseconds a listener; listeners that wait are woken
/// outside of the lock.
public final class EventHub: Sendable {
    /// A further section is a fault of the program.
    static let mostSections = 64
    static let mostPassing = 16

    private let state: Mutex<State>
    let listenerLimit: Int

    /// - Parameter listenerLimit: more than these are refused by `join`.
    public init(listenerLimit: Int = .max) {
        state = Mutex(State())
        self.listenerLimit = listenerLimit
    }

    /// Sets a section and tells everybody.
    /// - Parameter json: one JSON value.
    public func publish(_ section: String, _ json: [UInt8]) {
        let waiting = state.withLock { state -> [AsyncStream<Void>.Continuation] in
            guard !state.isClosed else { return [] }
            state.sequence += 1
            let place = state.place(of: section)
            state.sections[place].json = json
            state.sections[place].frame = EventFrame(id: state.sequence, event: section, json: json)
            return state.tell { listener in listener.unseen |= 1 << UInt64(place) }
        }
        for doorbell in waiting { doorbell.yield() }
    }

    /// Sets a section that only snapshots hold: what joins needs, and listeners know already.
    public func keep(_ section: String, _ json: [UInt8]) {
        state.withLock { state in
            guard !state.isClosed else { return }
            let place = state.place(of: section)
            state.sections[place].json = json
            state.made = nil
        }
    }

    /// Tells everybody something that is no state and enters no snapshot.
    public func pass(_ event: String, _ json: [UInt8]) {
        let waiting = state.withLock { state -> [AsyncStream<Void>.Continuation] in
            guard !state.isClosed else { return [] }
            state.sequence += 1
            let frame = EventFrame(id: state.sequence, event: event, json: json)
            return state.tell { listener in
                if listener.passing.count == Self.mostPassing { listener.passing.removeFirst() }
                listener.passing.append(frame)
            }
        }
        for doorbell in waiting { doorbell.yield() }
    }

    /// Tells everybody that the server lives; a later beat replaces one that was not sent yet.
    public func beat(atMilliseconds now: Int64) {
        let waiting = state.withLock { state -> [AsyncStream<Void>.Continuation] in
            guard !state.isClosed else { return [] }
            state.sequence += 1
            state.beat = EventFrame(id: state.sequence, event: "beat", json: Array("{\"at\":\(now)}".utf8))
            return state.tell { listener in listener.beatUnseen = true }
        }
        for doorbell in waiting { doorbell.yield() }
    }

    /// Joins; the snapshot is already among what the listener takes first.
    /// - Returns: nil when the hub is closed or full.
    func join() -> EventListener? {
        let (stream, doorbell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let place = state.withLock { state -> EventListener.Place? in
            guard !state.isClosed, state.listeners.count < listenerLimit else { return nil }
            let place = EventListener.Place(
                index: state.listeners.count, doorbell: doorbell, first: state.snapshot())
            state.listeners.append(place)
            return place
        }
        guard let place else { return nil }
        doorbell.yield()
        return EventListener(hub: self, place: place, doorbell: stream)
    }

    /// What a listener has not seen, oldest first; nothing when it saw all.
    func take(_ place: EventListener.Place) -> [ByteBuffer] {
        state.withLock { state in
            place.isRung = false
            if let first = place.first {
                place.first = nil
                // The snapshot holds what was published before it was made, and only later events follow it.
                return [first]
            }
            var frames = place.passing
            place.passing.removeAll(keepingCapacity: true)
            var unseen = place.unseen
            place.unseen = 0
            while unseen != 0 {
                let index = unseen.trailingZeroBitCount
                unseen &= unseen - 1
                if let frame = state.sections[index].frame { frames.append(frame) }
            }
            if place.beatUnseen, let beat = state.beat {
                place.beatUnseen = false
                frames.append(beat)
            }
            if frames.count > 1 { frames.sort { $0.id < $1.id } }
            return frames.map(\.bytes)
        }
    }

    func leave(_ place: EventListener.Place) {
        state.withLock { state in
            guard place.index < state.listeners.count, state.listeners[place.index] === place else { return }
            state.listeners.swapAt(place.index, state.listeners.count - 1)
            state.listeners[place.index].index = place.index
            state.listeners.removeLast()
        }
        place.doorbell.finish()
    }

    /// Ends all streams at once and lets nobody join any more.
    public func close() {
        let doorbells = state.withLock { state in
            state.isClosed = true
            defer { state.listeners = [] }
            return state.listeners.map(\.doorbell)
        }
        for doorbell in doorbells { doorbell.finish() }
    }

    public var listenerCount: Int { state.withLock { $0.listeners.count } }

    /// Events published so far: the id of the newest.
    public var sequence: UInt64 { state.withLock { $0.sequence } }

    /// The newest value of a section.
    public func newest(_ section: String) -> [UInt8]? {
        state.withLock { state in state.places[section].flatMap { state.sections[$0].json } }
    }
}

extension EventHub {
    struct Section {
        let name: String
        var json: [UInt8]?
        var frame: EventFrame?
    }

    struct State {
        var sequence: UInt64 = 0
        var sections: [Section] = []
        var places: [String: Int] = [:]
        var beat: EventFrame?
        var listeners: [EventListener.Place] = []
        var isClosed = false
        fileprivate var made: (sequence: UInt64, bytes: ByteBuffer)?

        mutating func place(of name: String) -> Int {
            if let place = places[name] { return place }
            precondition(sections.count < EventHub.mostSections, "“\(name)” is one section too many")
            sections.append(Section(name: name))
            places[name] = sections.count - 1
            made = nil
            return sections.count - 1
        }

        /// Marks something for each listener.
        /// - Returns: the doorbells to ring, those that were not rung since their listener last took.
        mutating func tell(_ mark: (EventListener.Place) -> Void) -> [AsyncStream<Void>.Continuation] {
            var waiting: [AsyncStream<Void>.Continuation] = []
            for listener in listeners {
                mark(listener)
                guard !listener.isRung else { continue }
                listener.isRung = true
                waiting.append(listener.doorbell)
            }
            return waiting
        }

        /// All sections in one event; made once for all who join before the next change.
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
