import Score

/// Decides when cues fire.
extension Podium {
    private var cues: [Cue] { currentPiece.cues.cues }

    /// True while automatic cues may fire.
    var automaticCuesMayFire: Bool {
        state.panic == .none && !state.isPaused && !state.isIntermission && state.check == nil
            && (!state.isRehearsal || settings.rehearsalCues) && state.awaitsPause != true
            && !isWaitingToBeArmed
    }

    private func isArmed(_ cue: Cue) -> Bool {
        cue.isAutomatic && cue.played >= state.frontier && !state.fired.contains(cue.id)
    }

    /// True if the cue waits for a person to begin the piece, which nobody has done.
    private func lacksPerson(_ cue: Cue) -> Bool { cue.waitsForPerson && state.isBegunByHand != true }

    /// Fires all automatic cues up to the measure that the music has just reached, except those that have fired
    /// already. Before the piece is under way, they wait for that.
    mutating func fireCues(through played: Int, at now: ShowTime, _ effects: inout [PodiumEffect]) {
        guard !isBeginningAwaited else { return }
        if automaticCuesMayFire {
            for cue in cues where cue.played <= played && isArmed(cue) {
                guard !lacksPerson(cue) else {
                    effects.append(
                        .showNotice(
                            id: "cue-skipped",
                            sentence:
                                "The cue “\(cue.name)” at \(cue.place) did not fire, for nobody has said “begin”; "
                                + "fire it by hand if it is wanted."))
                    continue
                }
                fireCue(cue, CueFiringDetails(isAutomatic: true), at: now, &effects)
            }
        }
        state.frontier = max(state.frontier, played + 1)
        leaveMissedCue(at: played)
    }

    /// The number of measures for which a missed cue stays on standby, because a person may press GO late.
    private static let measuresUntilMissed = 8

    /// Goes on to the next cue if the one on standby was missed: its measure is long over, or the measure of the next
    /// cue by hand has begun. A cue that a person chose stays.
    private mutating func leaveMissedCue(at played: Int) {
        guard settings.rules >= 7, !state.isStandbyOff, let id = state.standby, id != state.chosenStandby,
            let missed = currentPiece.cues[id], missed.played < played
        else { return }
        let dueByHand = cues.last {
            !$0.isAutomatic && !state.fired.contains($0.id) && $0.played > missed.played
                && $0.played <= played
        }
        guard dueByHand != nil || played > missed.played + Self.measuresUntilMissed else { return }
        putNextCueOnStandby(from: dueByHand?.played ?? played)
    }

    /// Prepares the cues after a change of the position that the music did not make: no cue fires, and GO will fire
    /// the first cue from the new measure on.
    /// - Parameter keepsChoice: true if the position was only corrected, so that a standby chosen by a person stays.
    mutating func resetCuesAfterJump(
        at played: Int, from: Int, keepsChoice: Bool = false, _ effects: inout [PodiumEffect]
    ) {
        if automaticCuesMayFire, state.isLive {
            let skipped = cues.filter { isArmed($0) && $0.played <= played && $0.played > from }
            if let first = skipped.first {
                let others = skipped.count == 1 ? "" : " and \(skipped.count - 1) more"
                effects.append(
                    .showNotice(
                        id: "cue-skipped",
                        sentence:
                            "The cue “\(first.name)” at \(first.place)\(others) did not fire, for the position "
                            + "did not come there by play; fire it by hand if it is wanted."))
            }
        }
        state.frontier = played + 1
        if keepsChoice, let chosen = state.chosenStandby, chosen == state.standby { return }
        putNextCueOnStandby(from: played)
    }

    /// Fires the cues that are due a set time before their measure, by the prediction of the coming bar lines.
    mutating func fireEarlyCues(at now: ShowTime, _ effects: inout [PodiumEffect]) {
        while let (cue, due) = nextEarlyCue, due <= now {
            let ahead = (secondsUntilMeasure(cue.played, at: now) ?? 0) * 1_000
            fireCue(
                cue, CueFiringDetails(isAutomatic: true, aheadMilliseconds: Int(ahead.rounded())), at: now,
                &effects)
        }
    }

    var nextEarlyCueDue: ShowTime? { nextEarlyCue?.due }

    /// The next cue that fires before its measure, if it is due before the next bar line. Times after the next bar
    /// line are not predicted.
    private var nextEarlyCue: (cue: Cue, due: ShowTime)? {
        guard state.pace > 0, state.undecidedAt == nil, automaticCuesMayFire, !isBeginningAwaited,
            state.isLive || state.isRehearsal,
            state.isPlaceKnown
        else {
            return nil
        }
        var next: (cue: Cue, due: ShowTime)?
        let barLine = millisecondsUntilMeasure(to: state.position.played + 1)
        for cue in cues where cue.earlinessMilliseconds > 0 && isArmed(cue) && !lacksPerson(cue) {
            let due = millisecondsUntilMeasure(to: cue.played) - Double(cue.earlinessMilliseconds)
            guard due < barLine else { continue }
            let at = state.positionAt.advanced(byMilliseconds: Int64(max(due, 0).rounded(.up)))
            if next.map({ at < $0.due }) ?? true { next = (cue, at) }
        }
        return next
    }

    mutating func fireCue(
        _ cue: Cue, _ timing: CueFiringDetails, at now: ShowTime, _ effects: inout [PodiumEffect]
    ) {
        if !state.fired.contains(cue.id) { state.fired.append(cue.id) }
        effects.append(.fireCue(cue, timing))
        if cue.kind == .message, let message = try? cue.decodePushMessage(), message != state.message {
            state.message = message
            state.messageAt = now
            effects.append(.showMessage(message))
        }
        guard state.standby == cue.id, let index = currentPiece.cues.index(of: cue.id) else { return }
        // A GO that was meant for this cue would otherwise fire the next one.
        state.lastFired = now
        putFollowingCueOnStandby(after: index, isAutomatic: timing.isAutomatic)
    }

    /// Puts the cue after one that has just fired on standby. A person may go through the list again from a cue that was
    /// chosen; otherwise nothing fires twice, and no cue that the music has passed is offered.
    private mutating func putFollowingCueOnStandby(after index: Int, isAutomatic: Bool) {
        let following = cues.dropFirst(index + 1)
        let wasChosen = state.chosenStandby == cues[index].id
        state.chosenStandby = nil
        guard settings.rules >= 7 else {
            state.standby = following.first { !isAutomatic || !state.fired.contains($0.id) }?.id
            return
        }
        if wasChosen && !isAutomatic {
            state.standby = following.first?.id
            state.chosenStandby = state.standby
        } else {
            let here = state.position.played
            state.standby = following.first { !state.fired.contains($0.id) && $0.played >= here }?.id
        }
    }

    mutating func fireStandbyCue(by person: CommandSender, at now: ShowTime, _ effects: inout [PodiumEffect])
        throws(CommandRefusal)
    {
        guard state.panic == .none else { throw .refusedInPanic }
        guard let id = state.standby, let cue = currentPiece.cues[id] else { throw .noCueOnStandby }
        if let last = state.lastFired, now.milliseconds(since: last) < settings.goGuard {
            throw .accidentalRepeat("go", afterMilliseconds: max(now.milliseconds(since: last), 0))
        }
        fireCue(cue, by: person, at: now, &effects)
    }

    /// Fires a cue that a person names, whatever is on standby.
    mutating func fireCue(
        named words: String, by person: CommandSender, at now: ShowTime, _ effects: inout [PodiumEffect]
    ) throws(CommandRefusal) {
        guard state.panic == .none else { throw .refusedInPanic }
        let cue = try currentPiece.cues.findCue(named: words)
        // The same cue again is a packet that came twice, or a button that bounces; another cue is meant.
        if let last = state.lastFired, state.fired.last == cue.id,
            now.milliseconds(since: last) < settings.goGuard
        {
            throw .accidentalRepeat("go \(words)", afterMilliseconds: max(now.milliseconds(since: last), 0))
        }
        state.fired.removeAll { $0 == cue.id }
        fireCue(cue, by: person, at: now, &effects)
        state.lastFired = now
    }

    private mutating func fireCue(
        _ cue: Cue, by person: CommandSender, at now: ShowTime, _ effects: inout [PodiumEffect]
    ) {
        let seconds = cue.played > state.position.played ? secondsUntilMeasure(cue.played, at: now) : nil
        let ahead = Int(((seconds ?? 0) * 1_000).rounded())
        fireCue(
            cue, CueFiringDetails(isAutomatic: false, by: person.name, aheadMilliseconds: ahead), at: now,
            &effects)
    }

    mutating func chooseStandbyCue(_ choice: StandbyChoice) throws(CommandRefusal) {
        let list = currentPiece.cues
        let index = state.standby.flatMap(list.index(of:))
        state.isStandbyOff = false
        switch choice {
        case .none:
            state.standby = nil
            state.isStandbyOff = true
        case .cue(let id):
            guard list[id] != nil else { throw .unknownCue(id) }
            state.standby = id
        case .next:
            let next = index.map { $0 + 1 } ?? list.cues.firstIndex { $0.played >= state.position.played }
            guard let next, list.cues.indices.contains(next) else { throw .noFurtherCue }
            state.standby = list.cues[next].id
        case .previous:
            let before = (index ?? list.cues.count) - 1
            guard list.cues.indices.contains(before) else { throw .noFurtherCue }
            state.standby = list.cues[before].id
        }
        if state.standbyRules != nil { state.chosenStandby = state.standby }
    }

    /// Puts on standby the first unfired cue at or after a measure, unless a person has switched standby off.
    mutating func putNextCueOnStandby(from played: Int) {
        state.chosenStandby = nil
        guard !state.isStandbyOff else { return }
        state.standby = cues.first { $0.played >= played && !state.fired.contains($0.id) }?.id
    }

    /// Lets cues that have fired or were passed fire again: those from the measure `place` on or, if it is nil, those
    /// after the present measure.
    ///
    /// The cues of a measure that already sounds wait for its next occurrence, or for GO.
    mutating func rearmCues(from place: Int?) {
        let here = state.position.played
        let first = place ?? here + 1
        let list = currentPiece.cues
        state.fired.removeAll { id in list[id].map { $0.played >= first } ?? true }
        state.frontier = max(first, state.pace > 0 || state.position.fraction > 0 ? here + 1 : here)
        state.lastFired = nil
        putNextCueOnStandby(from: first)
    }

    mutating func forgetFiredCues() {
        state.fired = []
        state.removeFailedCues(ofPiece: state.piece)
        state.lastFired = nil
    }
}
