/// The copy of public remarks that a room keeps for its stands. The rows of the scores count.
extension RoomState {
    /// Decides on an act that concerns layers or remarks.
    /// - Returns: nil if the act concerns something else; a nested nil if it changes nothing.
    func decideRemarkAct(_ act: RoomAct, by member: ActingUser) throws(RoomRefusal) -> AcceptedAct?? {
        switch act {
        case .openPrivateLayer:
            guard let session = content.session, session.isRunning else { throw .noSession }
            return .some(nil)
        case .placeRemark(let remark): return try placeRemark(remark, by: member)
        case .editRemark(let edit):
            let remark = try requireOwnRemark(edit.remark, of: member)
            if let page = edit.page {
                try checkPageExists(page: page, ofPart: remark.part, of: remark.score)
            }
            return .editRemark(edit)
        case .eraseRemark(let id):
            _ = try requireOwnRemark(id, of: member)
            return .eraseRemark(id)
        case .restoreRemark(let id):
            if let standing = content.remarks[id], standing.author == member.user { return .some(nil) }
            guard let remark = erased[id], remark.author == member.user else { throw .notErased }
            try checkRemarkLimits(for: member)
            return .placeRemark(remark)
        default: return nil
        }
    }

    private func placeRemark(_ remark: Remark, by member: ActingUser) throws(RoomRefusal) -> AcceptedAct? {
        guard remark.author == member.user else { throw .notYourRemark }
        guard content.layers.contains(remark.layer) else { throw .noLayer }
        guard member.mayOpen(remark.score ?? content.room.score) else { throw .scoreNotGiven }
        try checkPageExists(page: remark.page, ofPart: remark.part, of: remark.score)
        if let old = content.remarks[remark.id] ?? erased[remark.id] {
            // This is a copy of the original event, arriving after the event's id was forgotten.
            guard old.author == member.user else { throw .usedID }
            return nil
        }
        try checkRemarkLimits(for: member)
        var placed = remark
        placed.score = named(remark.score)
        placed.session = nil
        return .placeRemark(placed)
    }

    private func requireOwnRemark(_ id: Remark.ID, of member: ActingUser) throws(RoomRefusal) -> Remark {
        guard let remark = content.remarks[id] else { throw .noRemark }
        guard remark.author == member.user else { throw .notYourRemark }
        return remark
    }

    private func checkRemarkLimits(for member: ActingUser) throws(RoomRefusal) {
        guard content.remarks.count < RoomLimits.mostRemarks else {
            throw .full("remarks", most: RoomLimits.mostRemarks)
        }
        guard remarkCounts[member.user]?.count ?? 0 < RoomLimits.mostRemarksPerAuthor else {
            throw .full("remarks of yours", most: RoomLimits.mostRemarksPerAuthor)
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

    /// Returns the act in a score that an act in the room becomes.
    ///
    /// A layer that no session of the room has opened counts as the member's own: programs open private layers in rooms.
    /// - Parameter layer: the room's layer in scores; see ``ScoreLayer/everybody(in:id:session:)``.
    /// - Returns: nil if the act concerns something else, changes nothing, or was accepted before.
    /// - Throws: ``RoomRefusal`` if the member may not see the room, or may not do this on its public layers.
    public func scoreRequest(for event: RoomEvent, by member: ActingUser, layer: ScoreLayer.ID)
        throws(RoomRefusal) -> ScoreRequest?
    {
        guard !taken.contains(event.id), event.act.isOnRemark else { return nil }
        try checkVisibility(member)
        let id = ScoreEvent.ID(high: event.id.high, low: event.id.low)
        if let (act, score) = try ownLayerAct(event.act, by: member) {
            return ScoreRequest(event: ScoreEvent(id: id, act: act), score: score, isOfRoom: false)
        }
        guard case .some(.some(let accepted)) = try decideRemarkAct(event.act, by: member) else { return nil }
        let (act, score): (ScoreAct, Score.ID)
        switch accepted {
        case .placeRemark(let remark):
            let filed = inScore(remark, layer: layer)
            if case .restoreRemark = event.act {
                act = .restoreRemark(filed)
            } else {
                act = .placeRemark(filed)
            }
            score = remark.score ?? content.room.score
        case .editRemark(let edit): (act, score) = (.editRemark(edit), scoreID(of: edit.remark))
        case .eraseRemark(let id): (act, score) = (.eraseRemark(id), scoreID(of: id))
        default: return nil
        }
        return ScoreRequest(event: ScoreEvent(id: id, act: act), score: score, isOfRoom: true)
    }

    /// Returns the act in a score for an act on a remark of no public layer; nil for one on a public layer.
    private func ownLayerAct(_ act: RoomAct, by member: ActingUser) throws(RoomRefusal) -> (
        ScoreAct, Score.ID?
    )? {
        func own(_ remark: Remark) throws(RoomRefusal) -> (Remark, Score.ID)? {
            guard !content.layers.contains(remark.layer) else { return nil }
            guard remark.author == member.user else { throw .notYourRemark }
            let score = remark.score ?? content.room.score
            guard member.mayOpen(score) else { throw .scoreNotGiven }
            return (remark.moved(to: ScoreLayer.ownID(of: member.user), of: nil, session: nil), score)
        }
        switch act {
        case .placeRemark(let remark): return try own(remark).map { (.placeRemark($0), $1) }
        case .restoreRemark(let id):
            guard let remark = erased[id], remark.author == member.user else { return nil }
            return try own(remark).map { (.restoreRemark($0), $1) }
        case .editRemark(let edit) where content.remarks[edit.remark] == nil: return (.editRemark(edit), nil)
        case .eraseRemark(let id) where content.remarks[id] == nil: return (.eraseRemark(id), nil)
        default: return nil
        }
    }

    private func scoreID(of remark: Remark.ID) -> Score.ID {
        content.remarks[remark]?.score ?? content.room.score
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
    fileprivate var isOnRemark: Bool {
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
