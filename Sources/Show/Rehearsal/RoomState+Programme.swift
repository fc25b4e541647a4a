/// Decides on acts that concern the room's programme.
extension RoomState {
    /// Decides on an act that concerns the programme.
    /// - Returns: nil if the act concerns something else; a nested nil if it changes nothing.
    func decideProgrammeAct(_ act: RoomAct, by member: ActingUser) throws(RoomRefusal) -> AcceptedAct?? {
        let programme = content.programme
        switch act {
        case .addScore(let addition):
            try checkMayArrange(member)
            if let old = programme[addition.entry.id] {
                guard old.score == addition.entry.score else { throw .usedID }
                return .some(nil)
            }
            guard programme.entries.count < RoomLimits.mostProgrammeEntries else {
                throw .full("scores", most: RoomLimits.mostProgrammeEntries)
            }
            // The refusal does not reveal whether there is such a score.
            guard member.mayOpen(addition.entry.score), pageCounts(of: addition.entry.score) != nil else {
                throw .scoreNotGiven
            }
            return .addScore(addition)
        case .dropScore(let id):
            try checkMayArrange(member)
            guard programme[id] != nil else { return .some(nil) }
            guard id != programme.openID else { throw .openScoreStays }
            return .dropScore(id)
        case .moveScore(let move):
            try checkMayArrange(member)
            guard programme[move.entry] != nil else { throw .noEntry }
            var moved = programme
            moved.move(move)
            return moved == programme ? .some(nil) : .moveScore(move)
        case .setAttacca(let change):
            try checkLeads(member)
            guard let entry = programme[change.entry] else { throw .noEntry }
            return entry.isAttacca == change.isAttacca ? .some(nil) : .setAttacca(change)
        case .openScore(let id, let piece):
            try checkLeads(member)
            guard let entry = programme[id] else { throw .noEntry }
            // Of two leaders who go on at the same moment, the second changes nothing.
            guard id != programme.openID else { return .some(nil) }
            return .openScore(OpenedScore(id, score: entry.score, piece: piece))
        case .takeEvening(let evening):
            try checkLeads(member)
            guard Set(evening.entries?.map(\.id) ?? []).count == evening.entries?.count ?? 0,
                (evening.entries ?? []).allSatisfy({ pageCounts(of: $0.score) != nil })
            else { throw .scoreNotGiven }
            var taken = programme
            taken.take(evening)
            guard taken.entries.count <= RoomLimits.mostProgrammeEntries else {
                throw .full("scores", most: RoomLimits.mostProgrammeEntries)
            }
            return taken == programme ? .some(nil) : .takeEvening(evening)
        default: return nil
        }
    }

    private func checkMayArrange(_ member: ActingUser) throws(RoomRefusal) {
        try checkLeads(member)
        guard !content.programme.isEvening else { throw .playsTonightsProgramme }
    }

    private func checkLeads(_ member: ActingUser) throws(RoomRefusal) {
        guard content.membership(of: member.user)?.role.mayLead == true else { throw .onlyLeadersOpenScores }
    }

    /// True if an act that names the entry it was meant for comes too late: another score is open by now.
    func isMeantForOtherEntry(_ entry: ProgrammeEntry.ID?) -> Bool {
        entry.map { $0 != content.programme.openID } ?? false
    }

    /// The number of pages of each part of a score; nil if the room does not know the score.
    func pageCounts(of score: Score.ID) -> [Int]? {
        score == content.room.score ? pageCounts : otherPageCounts[score]?.counts
    }

    /// Updates the page counts of a score of the programme; events that were accepted before stay accepted.
    public mutating func renew(pageCounts counts: [Int], of score: Score.ID) {
        guard score != content.room.score else { return renew(pageCounts: counts) }
        if !otherPageCounts.append(ScorePageCounts(id: score, counts: counts)) {
            otherPageCounts.update(score) { $0.counts = counts }
        }
    }

    /// Adds a score to the programme of a room that is being made.
    public mutating func prepareProgramme(_ entry: ProgrammeEntry, pageCounts counts: [Int]) {
        content.programme.add(ProgrammeAddition(entry))
        renew(pageCounts: counts, of: entry.score)
    }

    /// The score as events name it: nil for the one with which the room was made.
    public func named(_ score: Score.ID?) -> Score.ID? { score == content.room.score ? nil : score }
}

/// The number of pages of each part of a score of the programme.
struct ScorePageCounts: Hashable, Sendable, Codable, Identifiable, KeyedElement {
    let id: Score.ID
    var counts: [Int]
}
