/// A stand's copy of a room, with the events that it has made but not yet delivered.
///
/// Messages may arrive twice, late or in any order; the copy applies each event once and in order, and requests what
/// is missing. The web page has its own implementation, which must behave like this one.
public struct StandCopy: Hashable, Sendable, Codable {
    /// The server's contents as far as they are known; nil before the first snapshot.
    public private(set) var content: RoomContent?
    public private(set) var seen = Seen()
    /// Events made here that are not known to be accepted, the oldest first; they must survive a crash.
    public private(set) var undelivered: [RoomEvent] = []
    /// Events that arrived before one that precedes them.
    private var early: [SequencedEvent] = []
    private static let mostEarly = 1_000

    public init() {}

    /// The first message of every connection; the events of ``undelivered`` follow in order.
    public var hello: StandMessage { .hello(content == nil ? nil : seen) }

    /// Makes an event to be sent; it is kept until it is known to be accepted.
    public mutating func make(_ act: RoomAct, id: RoomEvent.ID) -> StandMessage {
        let event = RoomEvent(id: id, act: act)
        undelivered.append(event)
        return .event(event)
    }

    /// Processes a message.
    /// - Returns: the message to send back: a ``StandMessage/hello(_:)`` if something is missing.
    /// - Complexity: O(1) for an event that arrives in order.
    public mutating func receive(_ message: RoomMessage) -> StandMessage? {
        switch message {
        case .snapshot(let snapshot):
            // An older snapshot that arrives late is ignored, unless the server has lost data (`isReset`).
            guard content == nil || snapshot.isReset || snapshot.seen.isNotBefore(seen) else { return nil }
            if snapshot.isReset { early = [] }
            content = snapshot.content
            seen = snapshot.seen
            takeEarly()
        case .event(let event):
            undelivered.removeAll { $0.id == event.id }
            guard content != nil else { return hello }
            let last = event.isOwn ? seen.own : seen.shared
            guard event.sequence > last else { return nil }
            guard event.after <= last else {
                if early.count < Self.mostEarly, !early.contains(where: { $0.sequence == event.sequence }) {
                    early.append(event)
                }
                return hello
            }
            take(event)
            takeEarly()
        case .receipt(let id, _): undelivered.removeAll { $0.id == id }
        case .refused(let id?, let refusal):
            if !refusal.code.isForNow { undelivered.removeAll { $0.id == id } }
        case .refused(nil, _), .follow, .live, .echo: break
        }
        return nil
    }

    private mutating func take(_ event: SequencedEvent) {
        content?.apply(event.act, at: event.at)
        if event.isOwn { seen.own = event.sequence } else { seen.shared = event.sequence }
    }

    private mutating func takeEarly() {
        early.sort { $0.sequence < $1.sequence }
        var waiting: [SequencedEvent] = []
        for event in early {
            let last = event.isOwn ? seen.own : seen.shared
            if event.sequence <= last { continue }
            if event.after <= last { take(event) } else { waiting.append(event) }
        }
        early = waiting
    }

    /// The contents to display: the server's, plus the stand's own remarks that are not yet delivered.
    /// - Complexity: O(undelivered), and a copy of the contents if there are any.
    public var shown: RoomContent? {
        guard var shown = content else { return nil }
        for event in undelivered {
            switch event.act {
            case .place(let remark): shown.apply(.place(remark), at: .zero)
            case .edit(let edit): shown.apply(.edit(edit), at: .zero)
            case .erase(let id): shown.apply(.erase(id), at: .zero)
            default: break
            }
        }
        return shown
    }

    /// Remarks to be marked as not delivered.
    public var undeliveredRemarks: Set<Remark.ID> {
        var marked: Set<Remark.ID> = []
        for event in undelivered {
            switch event.act {
            case .place(let remark): marked.insert(remark.id)
            case .edit(let edit): marked.insert(edit.remark)
            case .erase(let id), .restore(let id): marked.insert(id)
            default: break
            }
        }
        return marked
    }
}

extension Seen {
    func isNotBefore(_ other: Seen) -> Bool { shared >= other.shared && own >= other.own }
}
