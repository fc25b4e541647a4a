import Score

/// Handles edits of the programme while the show runs.
extension Podium {
    /// Replaces the programme by an edited one. The piece being played stays the current one, even if its index has
    /// changed; since version 5 of the rules it goes on undisturbed. If no piece is being played, the current one may
    /// be taken out, and the next one that stays is awaited.
    mutating func replaceProgramme(
        with new: ShowProgramme, at now: ShowTime, _ effects: inout [PodiumEffect]
    ) throws(CommandRefusal) {
        guard new != course else { return }
        guard !state.isLocked else { throw .showLocked("nothing is edited") }
        endPreShowCheck(at: now, &effects)
        guard settings.rules >= 5 else {
            return try replaceProgrammeBeforeRule5(with: new, at: now, &effects)
        }
        let (old, oldMeasures) = (course, currentPiece.measures)
        let newIndices = old.indices(in: new)
        let kept = try keptPiece(in: new, newIndices)
        let isSameMusic = new.hasSameMusic(as: old)
        let hasOtherMeasures = kept.map { new.pieces[$0].measures != oldMeasures } ?? true
        let awaited =
            newIndices[(state.piece + 1)...].lazy.compactMap(\.self).first
            ?? min(state.piece, new.pieces.count - 1)
        moveToNewIndices(newIndices)
        // Failed cues are known by the index of their piece; the fault itself stays in the list of faults.
        if !isSameMusic { state.failed = nil }
        if let kept { adaptTitles(to: new.pieces[kept]) }
        adaptSkippedTitles(to: new)
        course = new
        if let kept { state.piece = kept } else { startPiece(awaited, at: 0) }
        adaptToProgramme()
        if state.standby == nil { putNextCueOnStandby(from: state.position.played) }
        guard !isSameMusic else { return }
        state.order &+= 1
        state.followerAt = now
        effects.append(.changeFollowerProgramme(order: state.order))
        if kept == nil || hasOtherMeasures {
            setPosition(
                ScorePosition(played: kept == nil ? 0 : state.position.played, fraction: 0), pace: 0, at: now)
            state.isPlaceKnown = true
            makeFollowerWait(at: state.position.played, at: now, &effects)
        } else {
            continueFollower(newIndices, at: now, &effects)
        }
    }

    /// The new index of the current piece; nil if it was taken out, or prepared anew while nothing of it is played.
    private func keptPiece(
        in new: ShowProgramme, _ newIndices: [Int?]
    ) throws(CommandRefusal) -> Int? {
        let kept = newIndices[state.piece].flatMap { index in
            new.pieces[index].measures == currentPiece.measures || !isPieceBeingPlayed ? index : nil
        }
        if kept == nil, isPieceBeingPlayed {
            throw newIndices[state.piece] == nil ? .currentPieceRemoved : .currentPieceReprepared
        }
        return kept
    }

    /// Gives what is shown and what was heard the new indices of their pieces.
    private mutating func moveToNewIndices(_ newIndices: [Int?]) {
        state.shown = state.shown.flatMap { shown in
            newIndices[shown.piece].map {
                var moved = shown
                moved.piece = $0
                return moved
            }
        }
        state.heard = state.heard?.compactMap { newIndices[$0] }
        if let place = state.placeBeforeRehearsal {
            state.placeBeforeRehearsal =
                newIndices[place.piece].map {
                    PlaceBeforeRehearsal(piece: $0, played: place.played, isReplaced: place.isReplaced)
                } ?? PlaceBeforeRehearsal(piece: 0, played: 0)
        }
        state.heardPiece = state.heardPiece.flatMap { newIndices[$0] }
    }

    /// Lets the follower go on in the current piece, with its newest report under the new index.
    private mutating func continueFollower(
        _ newIndices: [Int?], at now: ShowTime, _ effects: inout [PodiumEffect]
    ) {
        if let said = state.follower, newIndices[said.piece] == nil {
            // The follower had gone on to a piece that was taken out, and now awaits the first one.
            sendFollowerToPosition(at: now, &effects)
        } else {
            state.follower = state.follower.flatMap { said in
                newIndices[said.piece].map {
                    var moved = said
                    (moved.piece, moved.order) = ($0, state.order)
                    return moved
                }
            }
        }
    }

    /// True while music is, or may be, played in the current piece, so that it cannot be taken out of the programme.
    private var isPieceBeingPlayed: Bool {
        guard !course.isEmpty, !state.isIntermission else { return false }
        switch state.mode {
        case .waiting, .finished: return false
        case .resting: return state.isLive
        case .following, .coasting, .lost, .undecided, .held, .manual: return true
        }
    }

    /// The rules before version 5, by which older logs are replayed: the follower was sent to the position anew.
    private mutating func replaceProgrammeBeforeRule5(
        with new: ShowProgramme, at now: ShowTime, _ effects: inout [PodiumEffect]
    ) throws(CommandRefusal) {
        let same = new.pieces.indices.filter {
            new.pieces[$0].name == currentPiece.name && new.pieces[$0].folder == currentPiece.folder
        }
        guard let index = same.contains(state.piece) ? state.piece : same.first else {
            throw .currentPieceRemoved
        }
        let isSameOrder =
            new.pieces.map(\.folder) == course.pieces.map(\.folder)
            && zip(new.pieces, course.pieces).allSatisfy { $0.measures == $1.measures }
        if let shown = state.shown {
            let old = course.pieces[shown.piece]
            state.shown?.piece =
                new.pieces.firstIndex { $0.name == old.name && $0.folder == old.folder } ?? index
        }
        state.heard = state.heard?.compactMap { heard in
            let old = course.pieces[heard]
            return new.pieces.firstIndex { $0.name == old.name && $0.folder == old.folder }
        }
        adaptTitles(to: new.pieces[index])
        adaptSkippedTitles(to: new)
        course = new
        state.piece = index
        adaptToProgramme()
        if state.standby == nil { putNextCueOnStandby(from: state.position.played) }
        guard !isSameOrder else { return }
        // The follower's reports use the old indices of pieces and measures.
        sendFollowerToPosition(at: now, &effects)
    }
}
