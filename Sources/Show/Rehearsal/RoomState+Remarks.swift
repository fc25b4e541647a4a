/// The copy of public remarks that a room keeps for its stands. The rows of the scores count.
extension RoomState {
    /// The act on a remark as the room's stands apply it, once its score has accepted it: the score decides who may do
    /// what (``ScoreWriter``).
    /// - Returns: nil if the room has it already, or does not have what it changes.
    func acceptedRemarkAct(_ act: RoomAct) -> AcceptedAct? {
        switch act {
        case .placeRemark(let remark):
            // A copy of the original event may arrive after the event's id was forgotten.
            guard content.remarks[remark.id] ?? erased[remark.id] == nil,
                content.layers.contains(remark.layer)
            else { return nil }
            return .placeRemark(remark.moved(to: remark.layer, of: named(remark.score), session: nil))
        case .editRemark(let edit): return content.remarks.contains(edit.remark) ? .editRemark(edit) : nil
        case .eraseRemark(let id): return content.remarks.contains(id) ? .eraseRemark(id) : nil
        case .restoreRemark(let id): return erased[id].map { .placeRemark($0) }
        default: return nil
        }
    }

    // MARK: In the room and in its score

    /// The act in a score that an act on a remark in a room becomes.
    public struct ScoreRequest: Hashable, Sendable {
        public let event: ScoreEvent
        /// The score; nil if it is not known which of the room's.
        public let score: Score.ID?
        /// False if the act is on the member's own layer, and the room is not to take it.
        public let isOfRoom: Bool
    }

    /// Returns the act in a score that an act in the room becomes. The score decides about it.
    ///
    /// A layer that no session of the room has opened counts as the member's own: programs open private layers in
    /// rooms.
    /// - Parameter layer: the room's layer in scores; see ``ScoreLayer/everybody(in:id:session:)``.
    /// - Returns: nil if the act concerns something else, changes nothing, or was accepted before.
    /// - Throws: ``RoomRefusal`` if the member may not see the room or open the score, or if nothing is known of a
    ///   remark to be brought back.
    public func scoreRequest(for event: RoomEvent, by member: ActingUser, layer: ScoreLayer.ID)
        throws(RoomRefusal) -> ScoreRequest?
    {
        guard !taken.contains(event.id), event.act.isOnRemark else { return nil }
        try checkVisibility(member)
        let id = ScoreEvent.ID(high: event.id.high, low: event.id.low)
        func change(_ act: ScoreAct, of remark: Remark.ID) -> ScoreRequest {
            let score = content.remarks[remark].map { $0.score ?? content.room.score }
            return ScoreRequest(
                event: ScoreEvent(id: id, act: act), score: score, isOfRoom: score != nil)
        }
        func add(_ remark: Remark, _ act: (Remark) -> ScoreAct) throws(RoomRefusal) -> ScoreRequest {
            let score = remark.score ?? content.room.score
            guard member.mayOpen(score) else { throw .scoreNotGiven }
            let isOfRoom = content.layers.contains(remark.layer)
            let filed =
                isOfRoom
                ? inScore(remark, layer: layer)
                : remark.moved(to: ScoreLayer.ownID(of: member.user), of: nil, session: nil)
            return ScoreRequest(
                event: ScoreEvent(id: id, act: act(filed)), score: score, isOfRoom: isOfRoom)
        }
        switch event.act {
        case .placeRemark(let remark): return try add(remark) { .placeRemark($0) }
        case .restoreRemark(let id):
            if content.remarks[id]?.author == member.user { return nil }
            guard let remark = erased[id], remark.author == member.user else { throw .notErased }
            return try add(remark) { .restoreRemark($0) }
        case .editRemark(let edit): return change(.editRemark(edit), of: edit.remark)
        case .eraseRemark(let id): return change(.eraseRemark(id), of: id)
        default: return nil
        }
    }

    /// A public remark of the room as its score has it.
    private func inScore(_ remark: Remark, layer: ScoreLayer.ID) -> Remark {
        remark.moved(to: layer, of: nil, session: content.layers[remark.layer]?.session)
    }

    /// Records what was done in a score on the room's layer; what the room has already changes nothing.
    public mutating func record(
        _ act: AcceptedAct, in score: Score.ID, by user: User.ID, at now: CalendarTime
    ) -> SequencedEvent? {
        switch act {
        case .placeRemark(let remark):
            guard content.remarks[remark.id] == nil,
                let layer = content.layers.elements.last(where: { $0.session == remark.session })
            else { return nil }
            let shown = remark.moved(to: layer.id, of: named(score), session: nil)
            return record(.placeRemark(shown), as: .new(), by: user, at: now)
        case .editRemark(let edit) where content.remarks.contains(edit.remark):
            return record(act, as: .new(), by: user, at: now)
        case .eraseRemark(let id) where content.remarks.contains(id):
            return record(act, as: .new(), by: user, at: now)
        default: return nil
        }
    }

    /// Records what differs between a score's rows on the room's layer and what the room shows.
    /// - Complexity: O(remarks).
    public mutating func adopt(_ rows: [Remark], of score: Score.ID, at now: CalendarTime) -> [SequencedEvent]
    {
        var events: [SequencedEvent] = []
        let standing = Set(rows.map(\.id))
        for remark in content.remarks.elements
        where (remark.score ?? content.room.score) == score && !standing.contains(remark.id) {
            events.append(record(.eraseRemark(remark.id), as: .new(), by: remark.author, at: now))
        }
        for row in rows {
            let shown = content.remarks[row.id]
            let act: AcceptedAct? =
                if let shown { RemarkEdit(from: shown, to: row).act } else { .placeRemark(row) }
            if let act, let event = record(act, in: score, by: row.author, at: now) { events.append(event) }
        }
        return events
    }

    /// The remarks of a score that the room has: standing ones and erased ones, as its score has them. Private ones of
    /// older versions are on their authors' own layers.
    /// - Complexity: O(remarks).
    public func remarksToCarry(of score: Score.ID, layer: ScoreLayer.ID) -> [ScoreWriter.KnownRemark] {
        let isOfScore: (Remark) -> Bool = { ($0.score ?? content.room.score) == score }
        let ofRoom = content.remarks.elements.filter(isOfScore).map {
            ScoreWriter.KnownRemark(inScore($0, layer: layer))
        }
        let own = formerOwnRemarks.elements.filter(isOfScore).map {
            ScoreWriter.KnownRemark($0.moved(to: ScoreLayer.ownID(of: $0.author), of: nil, session: nil))
        }
        let gone = erased.elements.filter { isOfScore($0) && content.layers.contains($0.layer) }.map {
            ScoreWriter.KnownRemark(inScore($0, layer: layer), isErased: true)
        }
        return ofRoom + own + gone
    }

    /// Forgets the private remarks of a score, which are on their authors' own layers by now.
    /// - Returns: true if there were any.
    public mutating func forgetFormerOwnRemarks(of score: Score.ID) -> Bool {
        let count = formerOwnRemarks.count
        for remark in formerOwnRemarks.elements where (remark.score ?? content.room.score) == score {
            formerOwnRemarks.remove(remark.id)
        }
        return formerOwnRemarks.count < count
    }

    /// The scores that are, or were, in the programme.
    public var knownScores: Set<Score.ID> { Set([content.room.score] + otherPageCounts.elements.map(\.id)) }

    /// Applies an act of an older version on a private layer.
    mutating func applyFormerPrivateAct(_ act: AcceptedAct) {
        switch act {
        case .placeRemark(let remark):
            erased.remove(remark.id)
            formerOwnRemarks.append(remark)
        case .editRemark(let edit): formerOwnRemarks.update(edit.remark) { edit.apply(to: &$0) }
        case .eraseRemark(let id): if let remark = formerOwnRemarks.remove(id) { keepErased(remark) }
        default: break
        }
    }
}

extension RoomAct {
    /// True if its score decides about the act.
    var isOnRemark: Bool {
        switch self {
        case .placeRemark, .editRemark, .eraseRemark, .restoreRemark: true
        default: false
        }
    }
}

extension RemarkEdit {
    /// The act; nil if it changes nothing.
    fileprivate var act: AcceptedAct? {
        page == nil && anchor == nil && shape == nil && ink == nil && paper == nil && parts == nil
            ? nil : .editRemark(self)
    }
}
