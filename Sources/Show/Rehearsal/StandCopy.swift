/// What one stand holds of a room: a copy that stays the server's, and what it has made and not delivered
/// yet.
///
/// Messages may come twice, late or in any order; the copy takes each event once and in its place. What is
/// missing it asks for. A page does the same in its own language; this is the measure of it.
public struct StandCopy: Hashable, Sendable, Codable {
    /// The server's, as far as it is known; nil before the first snapshot.
    public private(set) var content: RoomContent?
    public private(set) var seen = Seen()
    /// Made here and not known to be taken, the oldest first. Kept over a crash.
    public private(set) var undelivered: [RoomEvent] = []
    /// Came before an event that should be before them.
    private var early: [SequencedEvent] = []
    private static let mostEarly = 1_000

    public init() {}

    /// The first word of every connection; then come ``undelivered`` in order.
    public var hello: StandMessage { .hello(content == nil ? nil : seen) }

    /// Makes an event here: it is to be sent, and kept until it is known to be taken.
    public mutating func make(_ act: RoomAct, id: RoomEvent.ID) -> StandMessage {
        let event = RoomEvent(id: id, act: act)
        undelivered.append(event)
        return .event(event)
    }

    /// Takes a message.
    /// - Returns: what to send back: a ``StandMessage/hello(_:)`` where something is missing.
    /// - Complexity: O(1) for an event in its place.
    public mutating func receive(_ message: RoomMessage) -> StandMessage? {
        switch message {
        case .snapshot(let snapshot):
            // An older one, delivered late, takes nothing back; a server that knows less than the stand does.
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

    /// What the stand shows: the server's room with its own remarks on top that are on their way.
    /// - Complexity: O(undelivered), and a copy of the content where there are any.
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
