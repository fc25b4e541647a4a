import Score

/// Changes of the baton's holder, and changes of the position by hand.
extension Podium {
    mutating func giveBaton(to holder: BatonHolder, _ effects: inout [PodiumEffect]) {
        guard holder != state.holder else { return }
        state.holder = holder
        state.epoch = state.epoch.next
        state.isHeld = false
        state.lastTap = nil
        state.awaitsTap = false
        effects.append(.holderChanged(holder, state.epoch))
    }

    /// Gives the baton to a person; the position stays where it is.
    mutating func takeBaton(_ person: CommandSender, at now: ShowTime, _ effects: inout [PodiumEffect])
        throws(CommandRefusal)
    {
        let wanted = BatonHolder(person)
        guard wanted != state.holder else { return }
        guard state.holder.rank <= wanted.rank else { throw .batonHeld(by: state.holder) }
        stopPosition(at: now)
        giveBaton(to: wanted, &effects)
    }

    /// The audience sees the place that a person has given, unless it is a rehearsal or an intermission.
    private mutating func goLiveByHand(at now: ShowTime) {
        state.isLive = state.isLive || !(state.isRehearsal || state.isIntermission)
        state.awaitsPause = nil
        if !state.isRehearsal { state.placeBeforeRehearsal = nil }
        setUnderWay(byHand: true, at: now)
    }

    mutating func releaseBaton(by person: CommandSender, at now: ShowTime, _ effects: inout [PodiumEffect])
        throws(CommandRefusal)
    {
        guard state.holder.isPerson else {
            // Releasing also ends a hold, during which the follower is not followed.
            if state.isHeld {
                state.isHeld = false
                followAgain(at: now, &effects)
            }
            return
        }
        stopPosition(at: now)
        giveBaton(to: .automaticFollower, &effects)
        followAgain(at: now, &effects)
    }

    /// Follows again after a person held the position or the baton. Before the piece is under way, its beginning is
    /// looked for instead: the follower may have taken tuning for some place of it.
    mutating func followAgain(at now: ShowTime, _ effects: inout [PodiumEffect]) {
        guard !lookForBeginningAgain(at: now, &effects) else { return }
        followNewestReport(at: now, because: .returnedToFollower, &effects)
    }

    mutating func holdPosition(at now: ShowTime) throws(CommandRefusal) {
        guard state.holder == .automaticFollower else { throw .positionMovedByHand }
        guard !state.isHeld else { return }
        stopPosition(at: now)
        state.isHeld = true
    }

    /// Puts the position at the beginning of a measure, without firing cues.
    /// - Parameter keepsChoice: see ``resetCuesAfterJump(at:from:keepsChoice:_:)``.
    mutating func putPosition(
        at played: Int, by person: CommandSender, at now: ShowTime, keepsChoice: Bool = false,
        _ effects: inout [PodiumEffect]
    ) throws(CommandRefusal) {
        try takeBaton(person, at: now, &effects)
        let from = state.position.played
        setPosition(ScorePosition(played: played, fraction: 0), pace: 0, at: now)
        state.isPlaceKnown = true
        state.isContinuous = true
        if played != from { resetCuesAfterJump(at: played, from: from, keepsChoice: keepsChoice, &effects) }
        goLiveByHand(at: now)
        state.lastTap = nil
        state.awaitsTap = true
    }

    mutating func nudgePosition(
        _ measures: Int, by person: CommandSender, at now: ShowTime, _ effects: inout [PodiumEffect]
    ) throws(CommandRefusal) {
        let from = state.position.played
        let played = min(max(from + measures, 0), currentPiece.playedMeasureCount - 1)
        guard played != from else { throw .noMeasureBeyond(measures) }
        let keepsFollowing =
            settings.nudgeKeepsFollowing && state.holder == .automaticFollower
            && (state.mode == .following || state.mode == .coasting)
        guard keepsFollowing else {
            return try putPosition(at: played, by: person, at: now, keepsChoice: true, &effects)
        }
        // Keeps the fraction of the measure, because the measure number was wrong, not the beat.
        let fraction = position(at: now).fraction
        anchorFollower(at: played, fraction: fraction, at: now, &effects)
        setPosition(ScorePosition(played: played, fraction: fraction), pace: state.tempo, at: now)
        resetCuesAfterJump(at: played, from: from, keepsChoice: true, &effects)
    }

    /// Declares that a measure begins now, or that so much of it has passed; the follower continues from there.
    mutating func beginMeasureNow(
        at place: Int?, fraction: Double = 0, by person: CommandSender, at now: ShowTime,
        _ effects: inout [PodiumEffect]
    ) throws(CommandRefusal) {
        let played = place ?? nearestBarLine(at: now)
        if state.holder.isPerson, BatonHolder(person).rank < state.holder.rank {
            throw .batonHeld(by: state.holder)
        }
        let from = state.position.played
        // The position had been put there without firing cues; now the measure is played, so they fire.
        if state.awaitsTap && played == from { state.frontier = min(state.frontier, played) }
        giveBaton(to: .automaticFollower, &effects)
        state.isHeld = false
        anchorFollower(at: played, fraction: fraction, at: now, &effects)
        self.setPosition(ScorePosition(played: played, fraction: fraction), pace: state.tempo, at: now)
        state.isPlaceKnown = true
        setUnderWay(byHand: true, at: now)
        recordPieceHeard()
        goLiveByHand(at: now)
        if place != nil && played != from {
            resetCuesAfterJump(at: played, from: from, &effects)
        } else {
            fireCues(through: played, at: now, &effects)
        }
    }

    mutating func chooseCandidate(
        _ choice: CandidateChoice, by person: CommandSender, at now: ShowTime, _ effects: inout [PodiumEffect]
    ) throws(CommandRefusal) {
        guard let word = state.follower else { throw .noCandidateToChoose }
        try continueAtCandidate(
            try findCandidate(choice, ofPiece: word.piece).played, ofPiece: word.piece, by: person, at: now,
            &effects)
    }

    /// Finds the follower's candidate that a person has chosen by number or place.
    private func findCandidate(
        _ choice: CandidateChoice, ofPiece index: Int
    ) throws(CommandRefusal) -> CandidateMeasure {
        guard !state.candidates.isEmpty else { throw .noCandidateToChoose }
        switch choice {
        case .number(let number):
            guard state.candidates.indices.contains(number - 1) else {
                throw .noCandidate(number, of: state.candidates.count)
            }
            return state.candidates[number - 1]
        case .place(let place):
            let piece = course.pieces[index]
            // A place can mean several measures, so the distance of each candidate from its own nearest one is
            // compared.
            var found: (candidate: CandidateMeasure, distance: Int)?
            for candidate in state.candidates {
                let distance = abs(
                    try resolvePlace(place, in: piece, near: candidate.played) - candidate.played)
                if found.map({ distance < $0.distance }) ?? true { found = (candidate, distance) }
            }
            // A candidate may have moved by a measure or two since the person saw it.
            guard let found, found.distance <= 2 else { throw .noCandidate(place, of: state.candidates) }
            return found.candidate
        }
    }

    private func resolvePlace(_ place: MeasureReference, in piece: ShowPiece, near: Int)
        throws(CommandRefusal)
        -> Int
    {
        do throws(MeasureReferenceFault) { return try place.resolve(in: piece, near: near) } catch {
            throw .placeNotFound(error)
        }
    }

    private mutating func continueAtCandidate(
        _ played: Int, ofPiece index: Int, by person: CommandSender, at now: ShowTime,
        _ effects: inout [PodiumEffect]
    ) throws(CommandRefusal) {
        if index != state.piece {
            guard !state.isLocked || state.advancesByItself else {
                throw .showLocked("no other piece is begun")
            }
            startPiece(index, at: played)
            state.frontier = played + 1
        }
        let fraction = presentPlace(inCopyAt: played, at: now)?.fraction ?? 0
        try beginMeasureNow(at: played, fraction: fraction, by: person, at: now, &effects)
    }

    /// Processes a person's tap at the beginning of a measure.
    mutating func processTap(by person: CommandSender, at now: ShowTime, _ effects: inout [PodiumEffect])
        throws(CommandRefusal)
    {
        if let last = state.lastTap, now.milliseconds(since: last) < settings.tapGuard {
            throw .accidentalRepeat("tap", afterMilliseconds: max(now.milliseconds(since: last), 0))
        }
        let from = state.position.played
        let wasHolder = state.holder == BatonHolder(person)
        let bar = wasHolder ? (state.awaitsTap ? from : from + 1) : nearestBarLine(at: now)
        guard bar < currentPiece.playedMeasureCount else { throw .noMeasureBeyond(1) }
        try takeBaton(person, at: now, &effects)
        if state.awaitsTap { state.frontier = min(state.frontier, from) }
        let pace = tappedTempo(from: from, to: bar, at: now) ?? state.tempo
        state.tempo = pace
        setPosition(ScorePosition(played: bar, fraction: 0), pace: pace, at: now)
        state.lastTap = now
        state.awaitsTap = false
        state.isPlaceKnown = true
        state.isContinuous = true
        goLiveByHand(at: now)
        recordPieceHeard()
        fireCues(through: bar, at: now, &effects)
    }

    /// The tempo after a tap: the mean of the last tempo and the tempo of the measure between the two taps. Nil after
    /// the first tap and after a pause.
    private func tappedTempo(from: Int, to bar: Int, at now: ShowTime) -> Double? {
        guard let last = state.lastTap, bar == from + 1 else { return nil }
        let measures = currentPiece.measures
        let start = measures.time(of: ScorePosition(played: from, fraction: 0)).seconds
        let length = measures.onset(after: from).seconds - start
        let ratio = length / now.seconds(since: last)
        guard (0.2...5).contains(ratio) else { return nil }
        return roundedToThousandths((state.tempo + ratio) / 2, upTo: 5)
    }

    /// The bar line that a person means by “now” without a number: the nearest one.
    private func nearestBarLine(at now: ShowTime) -> Int {
        let here = position(at: now)
        guard here.fraction >= 0.5, here.played + 1 < currentPiece.playedMeasureCount else {
            return here.played
        }
        return here.played + 1
    }
}
