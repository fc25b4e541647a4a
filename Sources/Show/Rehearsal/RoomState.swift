import Podium

/// One room as its server keeps it: who may do what, one order for all events, each taken once.
///
/// A value without a clock: the same events by the same members at the same times give the same room. What is
/// promised:
/// - An event is taken whole or refused with a sentence; its id is taken once, however often it arrives.
/// - Nobody sees a room whose score they were not given, one that is being prepared, or another's private
///   layer.
/// - There is one owner. Turning pages for all and pinpointing is for the owner and those the owner lets.
/// - The room's order is the order of taking; of two edits of one thing the later wins, on every stand.
public struct RoomState: Hashable, Sendable, Codable {
    /// Everything, passkey and private layers included: see ``view(for:)`` for what may leave.
    public internal(set) var content: RoomContent
    /// How many pages each part of the score has.
    public private(set) var pageCounts: [Int]
    /// Of the newest event; 0 before the first.
    public internal(set) var sequence = 0
    var shared = History()
    var own = Roll<OwnHistory>()
    var taken = Roll<TakenEvent>()
    /// Erased remarks, the oldest first.
    var erased = Roll<Remark>()
    var tallies = Roll<RemarkTally>()
    var spots = Roll<StandSpot>()

    /// A room as it begins.
    /// - Parameters:
    ///   - owner: id of the owner's membership.
    ///   - pageCounts: see ``Score/pageCounts``.
    public init(room: Room, owner: Membership.ID, ownerName: String, pageCounts: [Int]) {
        content = RoomContent(room: room, owner: owner, name: ownerName)
        self.pageCounts = pageCounts
    }

    /// Takes an event and says what follows from it, in the order in which it is to be carried out.
    ///
    /// An event that was taken before, or changes nothing, gives ``RoomEffect/receipt(_:sequence:)`` alone.
    /// - Throws: ``RoomRefusal``; nothing has changed then.
    /// - Complexity: O(1) for remarks and turns, O(participations + layers) for coming and going.
    public mutating func take(
        _ event: RoomEvent, by member: Member, at now: RoomTime
    ) throws(RoomRefusal) -> [RoomEffect] {
        if let before = taken[event.id] {
            guard before.by == member.user else { throw .usedID }
            return [.receipt(event.id, sequence: before.sequence)]
        }
        guard let (act, isOwn) = try decide(event.act, by: member, at: now) else {
            return [.receipt(event.id, sequence: sequence)]
        }
        let after = isOwn ? own[member.user]?.history.last ?? 0 : shared.last
        let taken = SequencedEvent(
            sequence: sequence + 1, after: after, id: event.id, at: now, by: member.user, isOwn: isOwn,
            act: act)
        replay(taken)
        return [.deliver(taken)] + consequences(of: act)
    }

    /// Takes an event that was taken before, by this room before a crash or on another server; nothing is
    /// checked.
    public mutating func replay(_ event: SequencedEvent) {
        guard event.sequence > sequence, let by = event.by else { return }
        sequence = event.sequence
        keepBooks(event.act)
        content.apply(event.act, at: event.at)
        if event.isOwn {
            own.append(OwnHistory(id: by))
            own.update(by) { $0.history.append(event, keeping: RoomLimits.ownHistory) }
        } else {
            shared.append(event, keeping: RoomLimits.sharedHistory)
        }
        taken.append(TakenEvent(id: event.id, sequence: event.sequence, by: by))
        if taken.count > RoomLimits.rememberedEvents { _ = taken.removeFirst() }
    }

    /// Goes on with higher numbers, for after a power cut the last events may be gone while stands have them: no
    /// number is ever given twice.
    /// - Parameter number: lower ones are not given any more.
    public mutating func skipNumbers(below number: Int) { sequence = max(sequence, number - 1) }

    /// The score has got other parts or pages since the room was made; what was decided before stays.
    /// - Parameter pageCounts: see ``Score/pageCounts``.
    public mutating func renew(pageCounts: [Int]) { self.pageCounts = pageCounts }

    /// What the content does not hold: erased remarks, and how many each author has.
    private mutating func keepBooks(_ act: TakenAct) {
        switch act {
        case .place(let remark):
            erased.remove(remark.id)
            tallies.append(RemarkTally(id: remark.author))
            tallies.update(remark.author) { $0.count += 1 }
        case .erase(let id):
            guard let remark = content.remark(id) else { return }
            tallies.update(remark.author) { $0.count -= 1 }
            erased.append(remark)
            if erased.count > RoomLimits.mostErased { _ = erased.removeFirst() }
        default: break
        }
    }

    private func consequences(of act: TakenAct) -> [RoomEffect] {
        switch act {
        case .pinpoint(let pinpoint):
            pinpoint.command.map { [.command($0, movement: pinpoint.movement)] } ?? []
        case .expel(let user): [.close([user], .expelled)]
        case .publish(false):
            [.close(content.members.elements.map(\.user).filter { $0 != content.room.owner }, .notPublished)]
        default: []
        }
    }

    /// Gives the room another passkey; it travels in no event, for its hash stays on the server.
    /// - Parameter hash: nil where nobody needs one any more.
    public mutating func replacePasskey(by hash: String?, by member: Member) throws(RoomRefusal) {
        try checkSight(member)
        guard member.user == content.room.owner else { throw .onlyOwner("changes its passkey") }
        content.room.passkeyHash = hash
    }
}

/// What follows from an event.
public enum RoomEffect: Hashable, Sendable {
    /// To every connected stand ``RoomState/maySee(_:by:)`` allows it to, and to the log.
    case deliver(SequencedEvent)
    /// To the stand it came from: it was taken, now or before.
    case receipt(RoomEvent.ID, sequence: Int)
    /// To the Podium: where the music is; `movement` says in which movement of the score.
    case command(PodiumCommand, movement: Int)
    /// These users may not see the room any more.
    case close([User.ID], RoomRefusal)
}

struct OwnHistory: Hashable, Sendable, Codable, Identifiable, Listed {
    let id: User.ID
    var history = History()

    init(id: User.ID) { self.id = id }
}

struct TakenEvent: Hashable, Sendable, Codable, Identifiable, Listed {
    let id: RoomEvent.ID
    let sequence: Int
    let by: User.ID
}

struct RemarkTally: Hashable, Sendable, Codable, Identifiable, Listed {
    let id: User.ID
    var count = 0

    init(id: User.ID) { self.id = id }
}
