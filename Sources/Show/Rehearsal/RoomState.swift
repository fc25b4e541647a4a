import Podium

/// The server's state of one room: it checks rights, puts all events into one order, and accepts each only once.
///
/// A value without a clock: the same events by the same members at the same times give the same room. Guarantees:
/// - An event is accepted as a whole or refused with a sentence; its id is accepted once, however often it arrives.
/// - Nobody sees a room whose score they have no right to, or a room in preparation.
/// - There is one owner. Only the owner and the leaders may turn pages for everybody and pinpoint.
/// - The order of acceptance is the order of the room; of two edits of the same thing the later one wins, on every
///   stand.
public struct RoomState: Hashable, Sendable {
    /// The contents of the room, including the passkey hash; ``RoomContent/visible`` is what may be sent.
    public internal(set) var content: RoomContent
    /// The number of pages of each part of the score with which the room was made.
    public private(set) var pageCounts: [Int]
    /// The same of the other scores that are or were in the programme.
    var otherPageCounts = KeyedList<ScorePageCounts>()
    /// The number of the newest event; 0 before the first.
    public internal(set) var sequence = 0
    var shared = EventHistory()
    var taken = KeyedList<AcceptedEvent>()
    /// Erased remarks, the oldest first.
    var erased = KeyedList<Remark>()
    /// The private remarks that rooms of older versions kept, until they are among those of their score.
    public internal(set) var formerOwnRemarks = KeyedList<Remark>()
    /// The page that each user's stand shows in each score.
    var shownPagesByUser = KeyedList<ShownPage>()

    /// Creates a new room.
    /// - Parameters:
    ///   - owner: id of the owner's membership.
    ///   - pageCounts: see ``Score/pageCountsByPart``.
    public init(room: RehearsalRoom, owner: Membership.ID, ownerName: String, pageCounts: [Int]) {
        content = RoomContent(room: room, owner: owner, name: ownerName)
        self.pageCounts = pageCounts
    }

    /// Processes an event and returns its effects, in the order in which they must be carried out.
    ///
    /// If an event was accepted before, or changes nothing, the only effect is ``RoomEffect/receipt(_:sequence:)``.
    /// - Throws: ``RoomRefusal``; then nothing has changed.
    /// - Complexity: O(1) for remarks and turns; O(participations + layers) for entering and leaving.
    public mutating func process(
        _ event: RoomEvent, by member: ActingUser, at now: CalendarTime
    ) throws(RoomRefusal) -> [RoomEffect] {
        if let before = taken[event.id] {
            guard before.by == member.user else { throw .usedID }
            return [.receipt(event.id, sequence: before.sequence)]
        }
        guard let act = try decideAct(event.act, by: member, at: now) else {
            return [.receipt(event.id, sequence: sequence)]
        }
        return [.deliver(record(act, as: event.id, by: member.user, at: now))] + furtherEffects(of: act)
    }

    /// Applies an act that was accepted here or in the score, and gives it the next number.
    mutating func record(_ act: AcceptedAct, as id: RoomEvent.ID, by user: User.ID, at now: CalendarTime)
        -> SequencedEvent
    {
        let taken = SequencedEvent(
            sequence: sequence + 1, previousSequence: shared.last, id: id, acceptedAt: now, author: user,
            isPrivate: false, act: act)
        applyAcceptedEvent(taken)
        return taken
    }

    /// Applies an event that was accepted earlier, by this room before a crash or on another server, without checks.
    public mutating func applyAcceptedEvent(_ event: SequencedEvent) {
        guard event.sequence > sequence, let by = event.author else { return }
        sequence = event.sequence
        if event.isPrivate {
            applyFormerPrivateAct(event.act)
        } else {
            updateErased(event.act)
            content.applyAcceptedAct(event.act, at: event.acceptedAt)
            shared.append(event, keeping: RoomLimits.sharedEventsKept)
        }
        taken.append(AcceptedEvent(id: event.id, sequence: event.sequence, by: by))
        if taken.count > RoomLimits.rememberedEventIDs { _ = taken.removeFirst() }
    }

    /// Makes the next events continue with higher numbers. After a power failure the server may have lost its last
    /// events, while stands still have them. No number may be issued twice.
    /// - Parameter number: the lowest number that may be issued.
    public mutating func continueNumbering(below number: Int) { sequence = max(sequence, number - 1) }

    /// Updates the page counts after the score has changed; events that were accepted before stay accepted.
    /// - Parameter pageCounts: see ``Score/pageCountsByPart``.
    public mutating func renew(pageCounts: [Int]) { self.pageCounts = pageCounts }

    /// Updates the erased remarks, which ``content`` does not hold.
    private mutating func updateErased(_ act: AcceptedAct) {
        switch act {
        case .placeRemark(let remark): erased.remove(remark.id)
        case .eraseRemark(let id): if let remark = content.remarks[id] { keepErased(remark) }
        default: break
        }
    }

    mutating func keepErased(_ remark: Remark) {
        erased.append(remark)
        if erased.count > RoomLimits.mostErasedRemarks { _ = erased.removeFirst() }
    }

    private func furtherEffects(of act: AcceptedAct) -> [RoomEffect] {
        switch act {
        case .pinpoint(let pinpoint):
            pinpoint.podiumCommand.map { [.podiumCommand($0, movement: pinpoint.movement)] } ?? []
        case .expelMember(let user): [.disconnect([user], .expelled)]
        case .setRoomPublished(false):
            [
                .disconnect(
                    content.members.elements.map(\.user).filter { $0 != content.room.owner }, .notPublished)
            ]
        default: []
        }
    }

    /// Changes the room's passkey. This is not an event, because the hash must stay on the server.
    /// - Parameter hash: nil if a passkey is no longer needed.
    public mutating func replacePasskey(by hash: String?, by member: ActingUser) throws(RoomRefusal) {
        try checkVisibility(member)
        guard member.user == content.room.owner else { throw .onlyOwner("changes its passkey") }
        content.room.passkeyHash = hash
    }
}

extension RoomState: Codable {
    private enum CodingKeys: String, CodingKey {
        case content, pageCounts, otherPageCounts, sequence, shared, taken, erased, formerOwnRemarks
        case shownPagesByUser = "spots"
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        content = try fields.decode(RoomContent.self, forKey: .content)
        pageCounts = try fields.decode([Int].self, forKey: .pageCounts)
        // Rooms of one score, and all of older versions, have none.
        otherPageCounts =
            try fields.decodeIfPresent(KeyedList<ScorePageCounts>.self, forKey: .otherPageCounts)
            ?? KeyedList()
        sequence = try fields.decode(Int.self, forKey: .sequence)
        shared = try fields.decode(EventHistory.self, forKey: .shared)
        taken = try fields.decode(KeyedList<AcceptedEvent>.self, forKey: .taken)
        erased = try fields.decode(KeyedList<Remark>.self, forKey: .erased)
        shownPagesByUser = try fields.decode(KeyedList<ShownPage>.self, forKey: .shownPagesByUser)
        if let kept = try fields.decodeIfPresent(KeyedList<Remark>.self, forKey: .formerOwnRemarks) {
            formerOwnRemarks = kept
            return
        }
        let former = try fields.nestedContainer(keyedBy: FormerKeys.self, forKey: .content)
        formerOwnRemarks =
            try former.decodeIfPresent(KeyedList<Remark>.self, forKey: .ownRemarks) ?? KeyedList()
    }

    /// Where older versions kept private remarks.
    private enum FormerKeys: CodingKey { case ownRemarks }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(content, forKey: .content)
        try fields.encode(pageCounts, forKey: .pageCounts)
        if !otherPageCounts.isEmpty { try fields.encode(otherPageCounts, forKey: .otherPageCounts) }
        try fields.encode(sequence, forKey: .sequence)
        try fields.encode(shared, forKey: .shared)
        try fields.encode(taken, forKey: .taken)
        try fields.encode(erased, forKey: .erased)
        try fields.encode(shownPagesByUser, forKey: .shownPagesByUser)
        if !formerOwnRemarks.isEmpty { try fields.encode(formerOwnRemarks, forKey: .formerOwnRemarks) }
    }
}

/// An effect of an event, to be carried out by the server.
public enum RoomEffect: Hashable, Sendable {
    /// Send the event to every connected stand that ``RoomState/maySee(_:by:)`` allows, and write it to the log.
    case deliver(SequencedEvent)
    /// Tell the stand that sent the event that it was accepted, now or earlier.
    case receipt(RoomEvent.ID, sequence: Int)
    /// Give the Podium a command about the position, in this movement of the score.
    case podiumCommand(PodiumCommand, movement: Int)
    /// Disconnect the stands of these users, who may no longer see the room.
    case disconnect([User.ID], RoomRefusal)
}

struct AcceptedEvent: Hashable, Sendable, Codable, Identifiable, KeyedElement {
    let id: RoomEvent.ID
    let sequence: Int
    let by: User.ID
}
