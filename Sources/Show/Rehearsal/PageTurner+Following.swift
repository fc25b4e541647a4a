import Podium
import Score

/// Turns pages with the music.
extension PageTurner {
    mutating func processLiveUpdate(_ word: LivePositionUpdate, at now: ShowTime) {
        let before = state.trust
        state.trust = word.trust
        state.heardAt = now
        if word.trust != .coasting {
            state.coastingSince = nil
        } else if before != .coasting {
            state.coastingSince = now
        }
        guard let position = word.position else {
            // The position is unknown, so the previous one must not move on by itself.
            state.live?.pace = 0
            state.speed = nil
            return
        }
        guard word.trust != .lost, let movement = plan.movement(word.movement) else {
            state.speed = nil
            return
        }
        let old = state.live
        let near = old?.movement == word.movement ? old?.step ?? 0 : 0
        guard let step = plan.step(ofPlayed: position.played, in: movement, near: near) else { return }
        let place = movement.steps[step]
        let fraction = position.fraction > 0 ? min(position.fraction, 1) : 0
        let isMoving = word.trust == .playing || word.trust == .coasting
        var new = PageTurnerState.PerformancePosition(
            movement: word.movement, step: step,
            seconds: place.startSeconds + fraction * place.expectedSeconds,
            at: now,
            pace: isMoving ? movement.timeline.speed(ofTempo: word.tempo, inMeasure: position.played) : 0)
        if let old, !word.jumped { new.ahead = secondsAheadOfStandstill(new, from: old) }
        // A jump is no speed.
        if word.jumped { state.speed = nil }
        new.pace = predictedPace(new)
        state.live = new
        if word.trust != .finished { state.hasEnded = false }
        let wentBack = old.map { hasGoneBack(new, from: $0) } ?? false
        let begins = before == .waiting && word.trust == .playing
        if wentBack || begins { state.hand?.isOvertaken = true }
        if let turn = state.turn, hasLeftStretch(turn, new) { state.turn = nil }
    }

    /// Records a new position, whose pace is the follower's tempo, and returns the pace at which the coming music is
    /// predicted; 0 while the music stands still.
    private mutating func predictedPace(_ new: PageTurnerState.PerformancePosition) -> Double {
        guard new.pace > 0 else {
            state.speed = nil
            return 0
        }
        let old = state.live.flatMap { $0.movement == new.movement ? $0 : nil }
        var speed = old == nil ? DisplayedSpeed() : state.speed ?? DisplayedSpeed()
        speed.recordPosition(
            new.seconds + new.ahead,
            after: old.map { Double(new.at.milliseconds(since: $0.at)) / 1_000 } ?? 0)
        state.speed = speed
        return speed.predicted(withTempo: new.pace)
    }

    /// Returns an estimate, in expected seconds, of how far the music is ahead of the reported position.
    ///
    /// A follower in doubt keeps reporting its last sure position and its tempo, while the music continues. Once the
    /// reported position moves again, it is used without extrapolation.
    private func secondsAheadOfStandstill(
        _ new: PageTurnerState.PerformancePosition, from old: PageTurnerState.PerformancePosition
    ) -> Double {
        guard new.pace > 0, old.pace > 0, new.movement == old.movement, !hasGoneBack(new, from: old) else {
            return 0
        }
        let foreseen = old.pace * Double(max(new.at.milliseconds(since: old.at), 0)) / 1_000
        let gone = max(new.seconds - old.seconds, 0)
        guard gone <= Self.standstillShare * foreseen else { return 0 }
        return min(old.ahead + foreseen - gone, Self.longestExtrapolationSeconds)
    }

    private func hasGoneBack(
        _ new: PageTurnerState.PerformancePosition, from old: PageTurnerState.PerformancePosition
    ) -> Bool {
        new.movement == old.movement
            ? new.seconds < old.seconds - Self.backwardJumpSeconds : new.movement < old.movement
    }

    /// True if the music has left the stretch of measures in which the page was turned, or has gone back within this
    /// stretch.
    private func hasLeftStretch(
        _ turn: PageTurnerState.EarlyTurn, _ live: PageTurnerState.PerformancePosition
    )
        -> Bool
    {
        guard live.movement == turn.movement, let movement = plan.movement(live.movement) else { return true }
        return movement.steps[live.step].nextSheetStep != turn.leaving
            || live.seconds < turn.seconds - Self.backwardJumpSeconds
    }

    /// Turns the stand to the sheet that the follower wants, if that is allowed now.
    mutating func updatePage(at now: ShowTime, _ effects: inout [PageTurnerEffect]) {
        guard settings.followsMusic, let live = state.live, let movement = plan.movement(live.movement),
            now <= reportTrustedUntil(live)
        else { return }
        let step = movement.steps[live.step]
        let next = nextSheet(live)
        let isDue = wholePageTurnDue(live).map { $0 <= now } ?? false
        let isOver = state.trust == .finished && next == nil
        let following = plan.firstSheet(ofMovement: live.movement + 1)
        let wished = isOver ? following ?? step.sheet : isDue ? next ?? step.sheet : step.sheet
        if state.trust == .finished, !state.hasEnded, following == nil,
            plan.movement(live.movement + 1) == nil
        {
            state.hasEnded = true
            effects.append(.lastMovementEnded)
        }
        if let hand = state.hand {
            let held = manualTurnStays(hand, wished: wished, live)
            state.wished = wished
            guard !held else { return }
            state.hand = nil
            effects.append(.followsAgain)
        }
        let old = state.wished
        state.wished = wished
        turn(to: wished, live, step, next: next, from: old, at: now, &effects)
    }

    /// True while a page that was turned by hand must stay.
    private func manualTurnStays(_ hand: ManualTurn, wished: Int, _ live: PageTurnerState.PerformancePosition)
        -> Bool
    {
        if wished == hand.sheet { return false }
        guard state.trust == .playing, let now = state.heardAt,
            now.milliseconds(since: hand.at) >= Self.manualTurnGuardMilliseconds
        else { return true }
        if hand.isOvertaken { return false }
        // The music cannot have passed a page ahead before it has reached it.
        if hand.isAhead { return willReachSheet(hand.sheet, live) }
        return hand.wished == nil || wished == hand.wished
    }

    private func willReachSheet(_ sheet: Int, _ live: PageTurnerState.PerformancePosition) -> Bool {
        guard let movement = plan.movement(live.movement) else { return true }
        return movement.steps[live.step...].contains { $0.sheet == sheet }
    }

    private mutating func turn(
        to wished: Int, _ live: PageTurnerState.PerformancePosition, _ step: PageTurnPlan.PerformedMeasure,
        next: Int?,
        from old: Int?,
        at now: ShowTime, _ effects: inout [PageTurnerEffect]
    ) {
        let isHere = wished == step.sheet
        if isHere, let next, state.view.page == next, next != step.sheet, mayStayAhead(live, step) { return }
        let half = isHere ? upperHalfSheetAhead(live, step, next: next) : nil
        if isHere, half == nil, state.view.page == wished, state.view.ahead != nil, isTurnedEarly(live, step)
        {
            return
        }
        let view = PageView(page: wished, ahead: half)
        // A page turned by hand a little early, and confirmed by the follower, counts as an early turn like any
        // other.
        if view == state.view, !isHere || half != nil, !isTurnedEarly(live, step) {
            rememberEarlyTurn(live, step)
        }
        guard view != state.view else { return }
        if view.page == state.view.page {
            if half != nil { rememberEarlyTurn(live, step) }
            showPage(view, because: .half, at: now, &effects)
            return
        }
        if !isHere { rememberEarlyTurn(live, step) }
        showPage(view, because: turnReason(wished, live, next: next, from: old), at: now, &effects)
    }

    private mutating func rememberEarlyTurn(
        _ live: PageTurnerState.PerformancePosition, _ step: PageTurnPlan.PerformedMeasure
    ) {
        state.turn = PageTurnerState.EarlyTurn(
            movement: live.movement, leaving: step.nextSheetStep, seconds: live.seconds)
    }

    private func isTurnedEarly(
        _ live: PageTurnerState.PerformancePosition, _ step: PageTurnPlan.PerformedMeasure
    ) -> Bool {
        state.turn.map { $0.movement == live.movement && $0.leaving == step.nextSheetStep } ?? false
    }

    /// True if a page that was turned ahead of the music stays, even if the music gets slower.
    private func mayStayAhead(
        _ live: PageTurnerState.PerformancePosition, _ step: PageTurnPlan.PerformedMeasure
    ) -> Bool {
        if isTurnedEarly(live, step) { return true }
        guard live.pace > 0, let left = expectedSecondsUntilSheetEnd(live) else { return false }
        return left / live.pace <= leadSeconds(live) + Self.aheadToleranceSeconds
    }

    /// The sheet whose upper half may be shown while the player is in the lower half of the present sheet; nil if
    /// none.
    private func upperHalfSheetAhead(
        _ live: PageTurnerState.PerformancePosition, _ step: PageTurnPlan.PerformedMeasure, next: Int?
    )
        -> Int?
    {
        guard settings.halfTurns, let next, let movement = plan.movement(live.movement),
            step.nextSheetStep < movement.steps.count, live.step >= step.lowerHalfFrom,
            !movement.steps[step.nextSheetStep].isInLowerHalf
        else { return nil }
        return next
    }

    private func turnReason(
        _ wished: Int, _ live: PageTurnerState.PerformancePosition, next: Int?, from old: Int?
    )
        -> PageTurnReason
    {
        if state.trust == .finished { return .nextMovement }
        if wished == next { return .played }
        guard let movement = plan.movement(live.movement), let old else { return .jump }
        // The music was played into it from the stretch before, whichever page was there.
        let first = firstStep(ofStretchAt: live.step, in: movement)
        if first > 0, movement.steps[first - 1].sheet == old { return .played }
        if old != wished, movement.steps[..<first].contains(where: { $0.sheet == old }) { return .jump }
        return .retake
    }

    private func firstStep(ofStretchAt step: Int, in movement: PageTurnPlan.Movement) -> Int {
        var first = step
        while first > 0, movement.steps[first - 1].nextSheetStep == movement.steps[step].nextSheetStep {
            first -= 1
        }
        return first
    }
}

/// Computes when pages turn.
extension PageTurner {
    /// Returns the sheet on which the music continues; nil on the last one.
    func nextSheet(_ live: PageTurnerState.PerformancePosition) -> Int? {
        guard let movement = plan.movement(live.movement) else { return nil }
        let leaving = movement.steps[live.step].nextSheetStep
        if leaving < movement.steps.count { return movement.steps[leaving].sheet }
        guard movement.isAttacca, let next = plan.firstSheet(ofMovement: live.movement + 1),
            next != movement.steps[live.step].sheet
        else { return nil }
        return next
    }

    /// Returns the expected seconds until the present sheet ends; nil if no other sheet follows.
    private func expectedSecondsUntilSheetEnd(_ live: PageTurnerState.PerformancePosition) -> Double? {
        guard nextSheet(live) != nil, let movement = plan.movement(live.movement) else { return nil }
        let leaving = movement.steps[live.step].nextSheetStep
        let end = leaving < movement.steps.count ? movement.steps[leaving].startSeconds : movement.endSeconds
        return end - live.seconds - live.ahead
    }

    /// Returns the lead time: the seconds before the end of a sheet at which it is turned, including the latency.
    private func leadSeconds(_ live: PageTurnerState.PerformancePosition) -> Double {
        guard let movement = plan.movement(live.movement) else { return 0 }
        let last = movement.steps[movement.steps[live.step].nextSheetStep - 1]
        let measure = live.pace > 0 ? last.expectedSeconds / live.pace : .infinity
        return settings.computeLeadSeconds(from: last.page, measureSeconds: measure)
            + settings.clampedLatencySeconds
    }

    /// Returns the time at which the whole page turns ahead of the music; nil if it does not.
    func wholePageTurnDue(_ live: PageTurnerState.PerformancePosition) -> ShowTime? {
        guard live.pace > 0, let left = expectedSecondsUntilSheetEnd(live),
            let movement = plan.movement(live.movement)
        else {
            return nil
        }
        // If the upper half is already turned, the lower half is needed to its end.
        let step = movement.steps[live.step]
        if settings.halfTurns, step.nextSheetStep < movement.steps.count,
            step.lowerHalfFrom < step.nextSheetStep,
            !movement.steps[step.nextSheetStep].isInLowerHalf
        {
            return nil
        }
        let seconds = left / live.pace - leadSeconds(live)
        // Subtracts rounding noise, which would otherwise delay the turn by a millisecond.
        return live.at.advanced(
            byMilliseconds: Int64((min(max(seconds, 0), 1e6) * 1_000 - 1e-6).rounded(.up)))
    }

    /// Returns the time until which the last report is trusted.
    func reportTrustedUntil(_ live: PageTurnerState.PerformancePosition) -> ShowTime {
        guard let heard = state.heardAt else { return live.at }
        switch state.trust {
        case .lost: return ShowTime(milliseconds: .min)
        case .waiting, .finished: return ShowTime(milliseconds: .max)
        case .playing: return heard.advanced(byMilliseconds: longestReportGapMilliseconds)
        case .coasting:
            let coast = (state.coastingSince ?? heard).advanced(byMilliseconds: longestCoastMilliseconds)
            return min(coast, heard.advanced(byMilliseconds: longestReportGapMilliseconds))
        }
    }
}
