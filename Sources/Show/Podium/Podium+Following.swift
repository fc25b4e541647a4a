import Following
import Score

/// Processes the follower's reports and decides when they are trusted.
extension Podium {
    mutating func processReport(_ word: FollowerReport, at now: ShowTime, _ effects: inout [PodiumEffect]) {
        guard word.order == state.order, course.pieces.indices.contains(word.piece) else { return }
        if let position = word.position {
            guard (0..<course.pieces[word.piece].playedMeasureCount).contains(position.played) else { return }
        }
        let before = state.follower
        state.follower = word
        state.followerAt = now
        state.isFollowerSilent = false
        if word.state != .coasting {
            state.coastingSince = nil
            state.hasCoastedOut = false
        } else if before?.state != .coasting {
            state.coastingSince = now
        } else if let since = state.coastingSince,
            now.milliseconds(since: since) >= settings.longestCoast, !state.hasCoastedOut
        {
            state.hasCoastedOut = true
            state.isContinuous = false
        }
        if word.jumped { state.hasJumped = true }
        if !claimsToFollow(word), endWaitForPause(at: now, &effects) { return }
        updatePlaceDoubt(word, after: before, at: now)
        updateBeginning(word, at: now)
        updateCandidates(word.candidates)
        fireAgreedCues(word, at: now, &effects)
        followNewestReport(at: now, because: .newReport, &effects)
    }

    /// Takes the position from the follower's newest report, if that is allowed now.
    /// - Parameter isBelated: true if the report is trusted some time after it came.
    mutating func followNewestReport(
        at now: ShowTime, because cause: FollowReason, isBelated: Bool = false,
        _ effects: inout [PodiumEffect]
    ) {
        guard isFollowing, let word = state.follower else { return }
        guard claimsToFollow(word), let position = word.position else {
            if state.pace != 0 { stopPosition(at: now) }
            if word.state == .lost { state.isContinuous = false }
            returnToBeginningInSilence(word, at: now)
            return
        }
        if word.piece == state.piece {
            state.heardPiece = nil
            let isDoubted = state.doubt != nil || isBelated
            guard !isDoubtedBeginning(position) else {
                if state.pace != 0 { stopPosition(at: now) }
                state.isContinuous = false
                return
            }
            guard endDoubtIfProven(at: now) else {
                if isUndecided(word), word.isPrintedMeasureKnown {
                    acceptFollowerPosition(position, tempo: word.tempo, at: now)
                    state.frontier = position.played + 1
                } else if state.pace != 0 {
                    stopPosition(at: now)
                }
                return
            }
            // The proof may have been completed between two reports, so the position is extrapolated.
            let here =
                isDoubted
                ? self.extrapolatedPosition(
                    position, pace: word.tempo, from: state.followerAt ?? now, at: now) : position
            moveToReportedPosition(here, word, because: cause, at: now, &effects)
        } else if cause == .nextPiece || mayChangePiece(to: word, &effects) {
            changeToHeardPiece(to: position, word, because: cause, at: now, &effects)
        } else if state.pace != 0 {
            stopPosition(at: now)
        }
    }

    /// True if the follower itself reports that it follows the music.
    func claimsToFollow(_ word: FollowerReport) -> Bool {
        guard settings.rules < 2 || !word.isRoomSilent else { return false }
        return word.state == .following || (word.state == .coasting && !state.hasCoastedOut)
    }

    private mutating func moveToReportedPosition(
        _ position: ScorePosition, _ word: FollowerReport, because cause: FollowReason, at now: ShowTime,
        _ effects: inout [PodiumEffect]
    ) {
        let from = state.position.played
        let isOrdered = cause != .newReport || !state.isPlaceKnown
        guard position.played >= from || state.hasJumped || isOrdered else {
            // The position waits until the music has caught up.
            if state.pace != 0 { stopPosition(at: now) }
            return
        }
        // A correction into the next measure counts as playing into it.
        let isNear = position.played >= from && position.played <= from + 1
        let isPlay =
            (state.isContinuous && !isOrdered && (!state.hasJumped || isNear))
            || (isBeginningAwaited && state.isPlaceKnown)
        if state.isRehearsal && state.hasJumped && position.played < from { forgetFiredCues() }
        let wasKnown = state.isPlaceKnown
        let isBegunElsewhere =
            !state.isContinuous && from == state.beginningPlayed && state.position.fraction == 0
        // A jump is no speed.
        if state.hasJumped && settings.rules >= 4 { state.speed = nil }
        state.hasJumped = false
        state.isContinuous = true
        acceptFollowerPosition(position, tempo: word.tempo, at: now)
        if isPlay {
            fireCues(through: position.played, at: now, &effects)
        } else if position.played != from || !wasKnown {
            // Music that began elsewhere has not played the measure at which it was awaited.
            let played = isBegunElsewhere ? from - 1 : from
            resetCuesAfterJump(at: position.played, from: wasKnown ? played : position.played, &effects)
        }
    }

    /// Changes to another piece that the follower hears. The follower has heard the next piece for a while by then, so
    /// its first cues fire late.
    private mutating func changeToHeardPiece(
        to position: ScorePosition, _ word: FollowerReport, because cause: FollowReason, at now: ShowTime,
        _ effects: inout [PodiumEffect]
    ) {
        let isNext = word.piece == state.piece + 1 && (!state.hasJumped || cause == .nextPiece)
        startPiece(word.piece, at: position.played)
        if position.played <= settings.lateBeginning {
            awaitBeginning(at: 0)
            updateBeginning(word, at: now)
        }
        if cause == .nextPiece || position.played > settings.lateBeginning {
            setUnderWay(byHand: cause == .nextPiece, at: now)
        }
        if settings.rules >= 8 { state.isPieceHeard = true }
        state.isContinuous = true
        state.hasJumped = false
        state.doubt = nil
        acceptFollowerPosition(position, tempo: word.tempo, at: now)
        if isNext && position.played <= settings.lateBeginning {
            state.frontier = 0
            fireCues(through: position.played, at: now, &effects)
        } else {
            state.frontier = position.played + 1
        }
    }

    private mutating func acceptFollowerPosition(_ position: ScorePosition, tempo: Double, at now: ShowTime) {
        let speed = tempo > 0 ? displayedSpeed(afterReportOf: position, at: now) : nil
        setPosition(position, pace: tempo, at: now)
        state.speed = speed
        if tempo > 0 { state.tempo = tempo }
        state.isPlaceKnown = true
        state.heardPiece = nil
        if !state.isRehearsal && state.awaitsPause != true { state.isLive = true }
        if state.isRehearsal { state.placeBeforeRehearsal?.isReplaced = false }
        recordPieceHeard()
    }

    /// The speed of the reported positions, after one more of them; nil before version 4 of the rules.
    private func displayedSpeed(afterReportOf position: ScorePosition, at now: ShowTime) -> DisplayedSpeed? {
        guard settings.rules >= 4 else { return nil }
        var speed = state.speed ?? DisplayedSpeed()
        speed.recordPosition(
            currentPiece.timeline.seconds(at: position), after: now.seconds(since: state.positionAt))
        return speed
    }

    /// Records that music was followed or tapped in the present piece.
    mutating func recordPieceHeard() {
        guard settings.rules >= 2, !state.isRehearsal, state.awaitsPause != true, !isBeginningAwaited,
            state.heard?.contains(state.piece) != true
        else {
            return
        }
        state.heard = (state.heard ?? []) + [state.piece]
    }

    /// Returns whether the show may go on to another piece that the follower hears.
    private mutating func mayChangePiece(to word: FollowerReport, _ effects: inout [PodiumEffect]) -> Bool {
        guard word.state == .following else { return false }
        // The show goes back, or skips a piece, only if the follower reported a jump.
        guard word.piece == state.piece + 1 || state.hasJumped else { return false }
        if state.advancesByItself || state.isRehearsal { return true }
        if state.heardPiece != word.piece {
            state.heardPiece = word.piece
            effects.append(
                .showNotice(
                    id: "next-piece-heard",
                    sentence:
                        "The follower hears piece \(word.piece + 1), “\(course.pieces[word.piece].name)”; "
                        + "say “next-piece” to go there."))
        }
        return false
    }

    /// Updates the candidates and keeps each at its number. Otherwise a person who is about to press 2 might choose
    /// another candidate than the one shown at 2.
    private mutating func updateCandidates(_ candidates: [CandidateMeasure]) {
        guard let word = state.follower, word.state == .lost || state.doubt != nil || isUndecided(word)
        else {
            state.candidates = []
            return
        }
        var new = candidates
        // The follower's own position is also a candidate.
        if word.state != .lost, let here = word.position,
            !new.contains(where: { abs($0.played - here.played) <= 2 })
        {
            new.insert(
                CandidateMeasure(
                    played: here.played, printed: currentPiece.printedMeasure(at: here.played),
                    probability: word.confidence), at: 0)
        }
        var kept: [CandidateMeasure?] = state.candidates.map { old in
            let near = new.indices.min { abs(new[$0].played - old.played) < abs(new[$1].played - old.played) }
            guard let near, abs(new[near].played - old.played) <= 2 else { return nil }
            return new.remove(at: near)
        }
        for slot in kept.indices where kept[slot] == nil && !new.isEmpty { kept[slot] = new.removeFirst() }
        // A candidate that is no longer likely keeps its number unless another one takes it.
        let old = state.candidates.map {
            CandidateMeasure(played: $0.played, printed: $0.printed, probability: 0)
        }
        state.candidates = Array((zip(kept, old).map { $0 ?? $1 } + new).prefix(3))
    }

    /// Tells the follower where the music is now, and counts the follower as being there.
    mutating func anchorFollower(
        at played: Int, fraction: Double, at now: ShowTime, _ effects: inout [PodiumEffect]
    ) {
        let here = ScorePosition(played: played, fraction: fraction)
        startNewFollowerOrder(at: now)
        state.follower = FollowerReport(
            piece: state.piece, position: here, printed: currentPiece.printedMeasure(at: played),
            tempo: state.tempo,
            confidence: state.follower?.confidence ?? 0, state: .following, order: state.order)
        effects.append(.anchorFollower(piece: state.piece, at: here, order: state.order))
        state.isContinuous = true
    }

    /// Tells the follower to wait for the music at a measure, or anywhere in the piece if the measure is nil.
    mutating func makeFollowerWait(at played: Int?, at now: ShowTime, _ effects: inout [PodiumEffect]) {
        startNewFollowerOrder(at: now)
        state.follower = nil
        effects.append(
            .makeFollowerWait(
                piece: state.piece, at: played.map { ScorePosition(played: $0, fraction: 0) },
                order: state.order))
    }

    /// The piece stays finished, and the follower waits for the music of the next one, which leads there.
    mutating func makeFollowerWaitForNextPiece(at now: ShowTime, _ effects: inout [PodiumEffect]) {
        startNewFollowerOrder(at: now)
        effects.append(
            .makeFollowerWait(
                piece: state.piece + 1, at: ScorePosition(played: 0, fraction: 0), order: state.order))
    }

    /// Raises the order number, so that the follower's reports from before the new order no longer count.
    mutating func startNewFollowerOrder(at now: ShowTime) {
        state.order &+= 1
        state.followerAt = now
        state.isFollowerSilent = false
        state.coastingSince = nil
        state.hasCoastedOut = false
        state.hasJumped = false
        state.heardPiece = nil
        state.doubt = nil
        state.undecidedAt = nil
        state.candidates = []
    }
}

/// The reason why the podium adopts the position that the follower reports.
enum FollowReason {
    /// The follower has sent a new report.
    case newReport
    /// A person gave the follower the baton or ended a hold; the follower may be anywhere in the piece.
    case returnedToFollower
    /// A person goes on to the piece that the follower hears.
    case nextPiece
}
