import Following

/// Computes the views of the audience and the consoles at the end of each event.
extension Podium {
    /// Reports changes of the mode, of the audience's position and view, and of the request for help.
    mutating func reportViewChanges(at now: ShowTime, _ effects: inout [PodiumEffect]) {
        updateConcertEnding(at: now)
        let mode = currentMode
        if mode != state.mode {
            state.mode = mode
            state.modeSince = now
        }
        let view = currentAudienceView
        let shown = currentAudiencePosition(view)
        switch (shown, state.shown) {
        case (nil, nil): break
        case (nil, _?): effects.append(.endLivePosition)
        case (let new?, let old):
            if old.map({ !$0.isSamePlace(as: new) }) ?? true { effects.append(.showPosition(new)) }
        }
        state.shown = shown
        if view != state.view {
            state.view = view
            if settings.rules >= 2, view != .ended { state.hasBeenLive = true }
            effects.append(.audienceViewChanged(view))
        }
        updateHelpRequest(&effects)
    }

    private var currentMode: PodiumMode {
        guard state.holder == .automaticFollower else { return .manual }
        guard !state.isHeld, !state.isPaused else { return .held }
        let isFinished = settings.rules >= 8 && state.follower?.state == .finished
        guard !state.isFollowerSilent || isFinished else { return .lost }
        if isWaitingToBeArmed { return state.beginning == nil ? .finished : .waiting }
        if isAtAwaitedBeginning { return .waiting }
        let isRuledByTwo = settings.rules >= 2
        if isRuledByTwo, let word = state.follower, word.isRoomSilent, word.state != .waiting,
            word.state != .finished
        {
            return .resting
        }
        if let word = state.follower, claimsToFollow(word), isUndecided(word) { return .undecided }
        if state.doubt != nil, let word = state.follower, claimsToFollow(word) { return .lost }
        if settings.rules >= 10, let word = state.follower, word.state == .waiting,
            word.piece == state.piece + 1
        {
            return .finished
        }
        switch state.follower?.state {
        case .following: return .following
        case .coasting: return state.hasCoastedOut ? (isRuledByTwo ? .resting : .held) : .coasting
        case .lost: return .lost
        case .finished: return .finished
        case .waiting, nil: return .waiting
        }
    }

    private var currentAudienceView: AudienceView {
        if !state.isLive || state.isRehearsal || state.isIntermission || state.check != nil
            || state.panic == .stop
        {
            return .ended
        }
        if state.isBlack { return .black }
        return state.isFrozen || state.panic == .safe ? .frozen : .live
    }

    private func currentAudiencePosition(_ view: AudienceView) -> AudiencePosition? {
        guard view != .ended else { return nil }
        // If the view was frozen before the music began, there is nothing to keep, and nothing is shown.
        guard !state.isFrozen, state.panic == .none, state.isPlaceKnown else { return state.shown }
        let played = state.position.played
        let new = AudiencePosition(
            piece: state.piece, played: played, printed: currentPiece.printedMeasure(at: played),
            epoch: state.epoch)
        if let old = state.shown, old.isSamePlace(as: new) { return old }
        return new
    }

    private mutating func updateHelpRequest(_ effects: inout [PodiumEffect]) {
        guard state.mode == .lost || state.mode == .undecided, !state.isIntermission, state.check == nil
        else {
            if state.askedHelp != nil {
                state.askedHelp = nil
                effects.append(.helpOver)
            }
            return
        }
        guard state.askedHelp != state.candidates else { return }
        state.askedHelp = state.candidates
        effects.append(.askForHelp(state.candidates))
    }
}
