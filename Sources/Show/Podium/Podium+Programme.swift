import Score

/// Handles changes of the piece, intermission, new terms, and restarts.
extension Podium {
    /// Goes to a piece and begins a new pass through it; no cue before the place fires by itself.
    mutating func startPiece(_ index: Int, at played: Int) {
        state.piece = index
        state.position = ScorePosition(played: played, fraction: 0)
        state.speed = nil
        state.isStandbyOff = false
        state.isPieceHeard = nil
        state.frontier = played
        forgetFiredCues()
        putNextCueOnStandby(from: played)
        state.titles?.beginPiece()
        awaitBeginning(at: played)
        beginRoundIfRepeated()
    }

    mutating func beginPiece(
        _ index: Int, _ start: PieceStart, at now: ShowTime, _ effects: inout [PodiumEffect]
    ) throws(CommandRefusal) {
        guard !state.isLocked else { throw .showLocked("no piece is begun by hand") }
        guard course.pieces.indices.contains(index) else {
            throw .noPiece(index + 1, of: course.pieces.count)
        }
        let played: Int? =
            switch start {
            case .beginning: 0
            case .place(let place): try resolvePlace(place, in: course.pieces[index])
            case .unknownPlace: nil
            }
        goTo(piece: index, at: played, at: now, &effects)
        if !state.isRehearsal { state.awaitsArming = nil }
        chooseConcertPlace()
    }

    mutating func goTo(
        piece index: Int, at played: Int?, at now: ShowTime, _ effects: inout [PodiumEffect]
    ) {
        placePiece(index, at: played, at: now)
        makeFollowerWait(at: played, at: now, &effects)
    }

    /// Goes to a piece without an order to the follower. The audience sees its beginning if the place is known.
    mutating func placePiece(_ index: Int, at played: Int?, at now: ShowTime) {
        startPiece(index, at: played ?? 0)
        setPosition(state.position, pace: 0, at: now)
        state.isPlaceKnown = played != nil
        state.isIntermission = false
        state.wasLive = nil
        state.isHeld = false
        state.isContinuous = true
        state.awaitsPause = nil
        state.lastTap = nil
        state.awaitsTap = true
        if played != nil { state.isLive = !state.isRehearsal }
        state.beginning?.isShown = state.isLive
    }

    mutating func goToNextPiece(at now: ShowTime, _ effects: inout [PodiumEffect]) throws(CommandRefusal) {
        let next = state.piece + 1
        guard next < course.pieces.count else { throw .lastPiece }
        let isOver = state.mode == .finished || state.mode == .waiting
        if let word = state.follower, word.piece == next, word.state == .following,
            state.holder == .automaticFollower
        {
            // The follower is already in the next piece, so the audience's position goes there too.
            state.isIntermission = false
            state.wasLive = nil
            state.isHeld = false
            state.awaitsArming = nil
            followNewestReport(at: now, because: .nextPiece, &effects)
            return
        }
        guard !state.isLocked || isOver else { throw .showLocked("no piece is left before it is over") }
        goTo(piece: next, at: 0, at: now, &effects)
        if !state.isRehearsal { state.awaitsArming = nil }
        chooseConcertPlace()
    }

    /// A person has begun a piece: after a rehearsal the concert goes on there, if it is not rehearsed first.
    mutating func chooseConcertPlace() {
        if state.isRehearsal {
            state.placeBeforeRehearsal?.isReplaced = true
        } else {
            state.placeBeforeRehearsal = nil
        }
    }

    mutating func setIntermission(_ isOn: Bool, at now: ShowTime, _ effects: inout [PodiumEffect]) {
        guard isOn != state.isIntermission else { return }
        stopPosition(at: now)
        state.isIntermission = isOn
        state.isContinuous = false
        if isOn {
            if settings.rules >= 2, state.isLive { state.wasLive = true }
            state.isLive = false
        } else {
            // The last measure is shown again until the music continues, as in any silence.
            if state.wasLive == true, !state.isRehearsal { state.isLive = true }
            state.wasLive = nil
            if awaitNextPieceAfterIntermission(at: now, &effects) { return }
            if state.isEachPieceArmed, isBeginningAwaited { state.awaitsArming = true }
            followAgain(at: now, &effects)
        }
    }

    /// Adapts the state to a programme that may differ from the one for which the state was made.
    mutating func adaptToProgramme() {
        state.piece = min(max(state.piece, 0), course.pieces.count - 1)
        if !(0..<currentPiece.playedMeasureCount).contains(state.position.played) {
            state.position = ScorePosition(
                played: min(max(state.position.played, 0), currentPiece.playedMeasureCount - 1), fraction: 0)
        }
        let last = currentPiece.playedMeasureCount - 1
        state.beginning?.played.limit(to: last)
        state.beginningPlayed?.limit(to: last)
        let list = currentPiece.cues
        state.fired = state.fired.filter { list[$0] != nil }
        state.keepFailedCues { failed in
            course.pieces.indices.contains(failed.piece)
                && course.pieces[failed.piece].cues[failed.cue] != nil
        }
        if let standby = state.standby, list[standby] == nil {
            state.standby = nil
            putNextCueOnStandby(from: state.position.played)
        }
        if let shown = state.shown, !course.pieces.indices.contains(shown.piece) { state.shown = nil }
        if let check = state.check, !course.pieces.indices.contains(check.piece) { state.check = nil }
        state.heard = state.heard?.filter(course.pieces.indices.contains)
        if let place = state.placeBeforeRehearsal, !course.pieces.indices.contains(place.piece) {
            state.placeBeforeRehearsal = PlaceBeforeRehearsal(piece: 0, played: 0)
        }
        state.candidates = state.candidates.filter {
            (0..<currentPiece.playedMeasureCount).contains($0.played)
        }
    }

    /// Sends the follower to the present position; if that is unknown, the follower searches the whole piece.
    mutating func sendFollowerToPosition(at now: ShowTime, _ effects: inout [PodiumEffect]) {
        let here = position(at: now)
        if isBeginningAwaited, state.isPlaceKnown, let beginning = state.beginning,
            here == ScorePosition(played: beginning.played, fraction: 0)
        {
            return makeFollowerWait(at: beginning.played, at: now, &effects)
        }
        switch state.follower?.state {
        case .following, .coasting:
            anchorFollower(at: here.played, fraction: here.fraction, at: now, &effects)
        case .lost: makeFollowerWait(at: nil, at: now, &effects)
        case .waiting, .finished, nil:
            makeFollowerWait(at: state.isPlaceKnown ? here.played : nil, at: now, &effects)
        }
    }

    mutating func adoptTerm(_ term: UInt32, at now: ShowTime, _ effects: inout [PodiumEffect]) {
        guard term > state.epoch.term else { return }
        // A show that has heard nothing begins here; the other server's show was copied.
        if settings.rules >= 7, state.follower != nil { state.isTakingOver = true }
        state.epoch = BatonEpoch(term: term, handoverCount: 0)
        effects.append(.holderChanged(state.holder, state.epoch))
        adoptFloorTerm(term, at: now, &effects)
    }

    /// Repeats all effects after a restart, because the services that carry them out have lost them.
    mutating func resumeAfterRestart(at now: ShowTime, _ effects: inout [PodiumEffect]) {
        for index in state.faults.indices { state.faults[index].isOver = true }
        endPreShowCheck(at: now, &effects)
        effects.append(.holderChanged(state.holder, state.epoch))
        if state.panic != .none { effects.append(.panicStep(state.panic == .safe ? .safe : .stop)) }
        effects.append(.audienceViewChanged(state.view))
        if let shown = state.shown { effects.append(.showPosition(shown)) }
        if let message = state.message { effects.append(.showMessage(message)) }
        effects.append(.standbyChanged(state.standby))
        if let shownTitle { effects.append(.titleChanged(shownTitle)) }
        resumeFloor(at: now, &effects)
        if settings.rules >= 10, state.mode == .finished, state.piece + 1 < course.pieces.count {
            makeFollowerWaitForNextPiece(at: now, &effects)
        } else {
            sendFollowerToPosition(at: now, &effects)
        }
        let event = state.isTakingOver == true ? "This server has taken over the show" : "Baton was restarted"
        state.isTakingOver = nil
        effects.append(
            .showNotice(
                id: "restarted",
                sentence:
                    "\(event) and goes on at measure "
                    + "\(currentPiece.printedMeasure(at: state.position.played)) "
                    + "of “\(currentPiece.name)”."))
    }
}

extension Int {
    fileprivate mutating func limit(to most: Int) { self = Swift.min(self, most) }
}
