import Podium
import Rehearsal
import WebServer

/// Turns pages for the music, for the room's leader, and for a player's own hand.
extension RoomActor {
    /// Least milliseconds between two position updates to stands if only the fraction or the tempo differs.
    private static let updateIntervalMilliseconds: Int64 = 200
    /// Least milliseconds between two different positions in the log of a session.
    private static let logIntervalWhileChangingMilliseconds: Int64 = 1_000
    /// Least milliseconds between two equal positions in the log of a session. The session's report counts a longer
    /// gap as silence; see ``PlayedTakes``.
    private static let logIntervalWhileEqualMilliseconds: Int64 = 5_000
    private static let logIntervalWhileRestingMilliseconds: Int64 = 60_000

    // MARK: Laying out parts

    /// Lays out the page to which the user returns in this session. Without one, lays out the part and page that the
    /// stand showed last.
    func restoreShownPart(_ key: StandKey, _ settings: StandSettings?) {
        let there = state.resumePoint(of: key.user)
        let setup = standSetups[key].flatMap { ($0.score ?? openScoreID) == openScoreID ? $0 : nil }
        if let there, let part = there.part {
            showPart(part, page: there.page, setup?.settings ?? settings ?? StandSettings(), on: key)
        } else if let setup {
            showPart(setup.part, page: setup.page, setup.settings, on: key)
        } else if let part = partInOpenScore(of: key) {
            showPart(part, page: there?.page ?? 0, settings ?? StandSettings(), on: key)
        }
    }

    /// Lays out a part on all stands of a user who has entered the session or changed the part.
    func layOutPartForUser(_ participation: SessionParticipation) {
        guard (participation.score ?? state.content.room.score) == openScoreID else { return }
        for (key, stand) in stands where key.user == participation.user && stand.isAdmitted {
            guard stand.shownPart?.part != participation.part else { continue }
            let settings =
                standSetups[key]?.settings ?? stand.shownPart?.pageTurner.settings ?? StandSettings()
            showPart(participation.part, page: 0, settings, on: key)
        }
    }

    /// Plans the page turns of all stands again, because a new session may play other pieces and a new edition may have
    /// other pages.
    func replanPageTurns() {
        for (key, stand) in stands {
            guard let shownPart = stand.shownPart else { continue }
            guard score?.parts.indices.contains(shownPart.part) == true else {
                stands[key]?.shownPart = nil
                continue
            }
            stands[key]?.shownPart?.pageTurner = PageTurner(
                plan: makePageTurnPlan(shownPart.part, shownPart.pageTurner.settings.facing),
                settings: shownPart.pageTurner.settings,
                continuing: shownPart.pageTurner.state)
        }
    }

    func showPart(_ part: Int, page: Int, _ settings: StandSettings, on key: StandKey) {
        guard let stand = stands[key], stand.isAdmitted, score?.parts.indices.contains(part) == true else {
            return
        }
        if let shownPart = stand.shownPart, shownPart.part == part, shownPart.hasBeenTurned {
            // The stand's page has changed since it was set up, so only its settings are taken.
            if shownPart.pageTurner.settings.facing == settings.facing {
                stands[key]?.shownPart?.pageTurner.settings = settings
            } else {
                stands[key]?.shownPart?.pageTurner = PageTurner(
                    plan: makePageTurnPlan(part, settings.facing), settings: settings,
                    continuing: shownPart.pageTurner.state)
            }
        } else {
            stands[key]?.shownPart = Stand.ShownPart(
                score: state.named(openScoreID), part: part,
                pageTurner: PageTurner(
                    plan: makePageTurnPlan(part, settings.facing), settings: settings, page: page))
        }
        if let liveUpdate, let performancePosition {
            handleTurnEvent(key, .liveUpdate(liveUpdate), at: performancePosition.showTime)
        }
    }

    private func makePageTurnPlan(_ part: Int, _ facing: PageArrangement) -> PageTurnPlan {
        guard let score else { preconditionFailure("nothing is laid out before the score is known") }
        let key = SharedPlanKey(part: part, facing: facing)
        if let shared = sharedPlans?[key] { return shared }
        let session = state.content.session.flatMap {
            $0.isRunning && ($0.score ?? state.content.room.score) == score.id ? $0 : nil
        }
        let plan = PageTurnPlan(
            score: score, part: part, measures: dependencies.readPieceMaps().measureMaps(of: score),
            performances: session?.performances ?? [], pageArrangement: facing)
        sharedPlans?[key] = plan
        return plan
    }

    // MARK: Page turns

    /// Processes a new position of the music: turns pages, sends the position to the stands, and logs it while a
    /// session runs.
    func processPerformancePosition(_ place: PerformancePosition) {
        let before = showPosition
        showPosition = place
        followEvening(place)
        guard !openByMusic(place, after: before) else { return }
        guard let movement = score?.movements.firstIndex(where: { $0.piece == place.pieceFolder }) else {
            return clearPerformancePosition(at: place.showTime)
        }
        let last = self.performancePosition
        self.performancePosition = place
        var word = place.liveUpdate
        word.movement = movement
        word.score = state.named(openScoreID)
        self.liveUpdate = word
        let isSignificantChange = place.isSignificantChange(after: last)
        batchingMessages {
            turnAllStands(by: word, at: place.showTime)
            if isSignificantChange
                || place.showTime.milliseconds(since: liveUpdateSentAt) >= Self.updateIntervalMilliseconds
            {
                liveUpdateSentAt = place.showTime
                sendLiveUpdateToAll(word)
            }
        }
        if isSignificantChange
            || place.showTime.milliseconds(since: liveUpdateLoggedAt) >= liveUpdateLogInterval(word)
        {
            liveUpdateLoggedAt = place.showTime
            logLiveUpdate(word)
        }
        scheduleNextPageTurn()
    }

    /// Least milliseconds until this position is logged again. It is long while the music rests, so that a forgotten
    /// session does not fill the disk.
    private func liveUpdateLogInterval(_ word: LivePositionUpdate) -> Int64 {
        guard word == lastLoggedLiveUpdate else { return Self.logIntervalWhileChangingMilliseconds }
        let isResting = word.trust == .waiting || word.trust == .finished
        return isResting ? Self.logIntervalWhileRestingMilliseconds : Self.logIntervalWhileEqualMilliseconds
    }

    /// Makes stands show "waiting", because the piece being played is not in this room's score.
    private func clearPerformancePosition(at now: ShowTime) {
        guard performancePosition != nil, let old = liveUpdate else { return }
        performancePosition = nil
        var word = LivePositionUpdate(movement: old.movement, position: nil, trust: .waiting)
        word.score = old.score
        self.liveUpdate = word
        batchingMessages {
            turnAllStands(by: word, at: now)
            sendLiveUpdateToAll(word)
        }
        logLiveUpdate(word)
        scheduleNextPageTurn()
    }

    func turnAllStands(by word: LivePositionUpdate, at now: ShowTime) {
        for key in stands.keys { handleTurnEvent(key, .liveUpdate(word), at: now) }
    }

    func liveUpdateFrame(_ word: LivePositionUpdate) -> EncodedStreamMessage {
        EncodedStreamMessage(RoomJSON.encode(RoomMessage.livePosition(word)))
    }

    private func sendLiveUpdateToAll(_ word: LivePositionUpdate) {
        guard !stands.isEmpty else { return }
        queueMessage(
            .liveUpdate, liveUpdateFrame(word), stands.values.lazy.filter(\.isAdmitted).map(\.stream))
    }

    private func logLiveUpdate(_ word: LivePositionUpdate) {
        guard let session = state.content.session, session.isRunning else { return }
        lastLoggedLiveUpdate = word
        entriesToWrite.append(
            .scorePosition(
                session: session.id.description, atMilliseconds: nextEventTime.milliseconds,
                json: RoomJSON.encode(word)
            )
        )
        startWriting()
    }

    /// Turns all stands to the page that the room's leader chose, each in its own part.
    func turnAllStands(to turn: PageTurnForAll) {
        guard let score else { return }
        for (key, stand) in stands {
            guard let part = stand.shownPart?.part, let page = turn.page(inPart: part, of: score) else {
                continue
            }
            self.handleTurnEvent(key, .turnedByLeader(page: page))
        }
    }

    func showPinpoint(_ pinpoint: Pinpoint) {
        guard let score else { return }
        for (key, stand) in stands {
            guard let part = stand.shownPart?.part, let there = pinpoint.place(inPart: part, of: score) else {
                continue
            }
            handleTurnEvent(key, .turnedByPinpoint(page: there.page))
        }
    }

    /// Passes an event to a stand's page turner and sends the stand the resulting page.
    func handleTurnEvent(_ key: StandKey, _ event: PageTurnerEvent, at time: ShowTime? = nil) {
        // While an opened score is being written, stands still show the one before.
        guard let part = stands[key]?.shownPart?.part,
            stands[key]?.shownPart?.score == state.named(openScoreID),
            let effects = stands[key]?.shownPart?.pageTurner.process(
                event, at: time ?? dependencies.showClock())
        else { return }
        if event.isByHand { stands[key]?.shownPart?.hasBeenTurned = true }
        for case .showPage(let view, let cause) in effects {
            stands[key]?.shownPart?.hasBeenTurned = true
            // A turn by the player's hand needs no message: the stand shows the page already.
            guard cause != .player else { continue }
            sendPage(key)
            recordShownPage(max(view.page, 0), ofPart: part, by: key.user)
        }
    }

    /// Sends a stand its current page. Within `batchingMessages`, the page is sent at the end of the batch.
    func sendPage(_ key: StandKey) {
        guard outgoingBatch == nil else {
            outgoingBatch?.standsNeedingPage.append(key)
            return
        }
        batchingMessages { outgoingBatch?.standsNeedingPage.append(key) }
    }

    /// Turns a stand to the music's page at its player's request. The page is sent even if the server believes that the
    /// stand already shows it.
    func returnToMusicPage(_ key: StandKey) {
        guard let part = stands[key]?.shownPart?.part,
            stands[key]?.shownPart?.score == state.named(openScoreID)
        else { return }
        handleTurnEvent(key, .followAgain)
        sendPage(key)
        guard let page = stands[key]?.shownPart?.pageTurner.state.view.page else { return }
        recordShownPage(max(page, 0), ofPart: part, by: key.user)
    }

    // MARK: Turns between two positions

    /// Sets a timer so that a page is turned as soon as the turn is due, without waiting for the next position.
    func scheduleNextPageTurn() {
        let due = stands.values.compactMap { $0.shownPart?.pageTurner.nextTickDue }.min()
        guard due != pageTurnTimerFiresAt else { return }
        pageTurnTimer?.cancel()
        pageTurnTimerFiresAt = due
        guard let due else { return }
        let wait = min(max(due.milliseconds(since: dependencies.showClock()), 0), 60_000)
        pageTurnTimer = Task { [weak self] in
            try? await Task.sleep(for: .milliseconds(wait))
            if !Task.isCancelled { await self?.turnDuePages() }
        }
    }

    func turnDuePages() {
        pageTurnTimerFiresAt = nil
        let now = dependencies.showClock()
        batchingMessages {
            for (key, stand) in stands {
                if let due = stand.shownPart?.pageTurner.nextTickDue, due <= now {
                    handleTurnEvent(key, .tick, at: now)
                }
            }
        }
        scheduleNextPageTurn()
    }
}
