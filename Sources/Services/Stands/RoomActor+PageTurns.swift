import Podium
import Rehearsal
import WebServer

/// Turns pages when the music, the room's leader or a player's own hand demands it.
extension RoomActor {
    /// Least milliseconds between two position updates to stands if only the fraction or the tempo differs.
    private static let updateIntervalMilliseconds: Int64 = 200
    /// Least milliseconds between two different positions in the log of a session.
    private static let changedLogIntervalMilliseconds: Int64 = 1_000
    /// Least milliseconds between two equal positions in the log of a session. It must be shorter than the gap that the
    /// session's report counts as silence.
    private static let equalLogIntervalMilliseconds: Int64 = 5_000
    private static let restingLogIntervalMilliseconds: Int64 = 60_000

    // MARK: Laying out parts

    /// Lays out the page to which the user returns in this session. Without one, lays out the part and page that the
    /// stand showed last.
    func restoreShownPart(_ key: StandKey, _ settings: StandSettings?) {
        let there = state.resumePoint(of: key.user)
        if let there {
            showPart(
                there.part, page: there.page, setups[key]?.settings ?? settings ?? StandSettings(), on: key)
        } else if let setup = setups[key] {
            showPart(setup.part, page: setup.page, setup.settings, on: key)
        }
    }

    /// Lays out a part on all stands of a user who has entered the session or changed the part.
    func layOutPartForUser(_ participation: Participation) {
        for (key, stand) in stands where key.user == participation.user && stand.isAdmitted {
            guard stand.shownPart?.part != participation.part else { continue }
            let settings = setups[key]?.settings ?? stand.shownPart?.turner.settings ?? StandSettings()
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
            stands[key]?.shownPart?.turner = PageTurner(
                plan: pageTurnPlan(shownPart.part, shownPart.turner.settings.facing),
                settings: shownPart.turner.settings,
                continuing: shownPart.turner.state)
        }
    }

    func showPart(_ part: Int, page: Int, _ settings: StandSettings, on key: StandKey) {
        guard let stand = stands[key], stand.isAdmitted, score?.parts.indices.contains(part) == true else {
            return
        }
        if let shownPart = stand.shownPart, shownPart.part == part, shownPart.hasBeenTurned {
            // The stand's page has changed since it was set up, so only its settings are taken.
            if shownPart.turner.settings.facing == settings.facing {
                stands[key]?.shownPart?.turner.settings = settings
            } else {
                stands[key]?.shownPart?.turner = PageTurner(
                    plan: pageTurnPlan(part, settings.facing), settings: settings,
                    continuing: shownPart.turner.state)
            }
        } else {
            stands[key]?.shownPart = Stand.ShownPart(
                part: part,
                turner: PageTurner(plan: pageTurnPlan(part, settings.facing), settings: settings, page: page))
        }
        if let liveUpdate, let performancePosition {
            handleTurnEvent(key, .liveUpdate(liveUpdate), at: performancePosition.time)
        }
    }

    private func pageTurnPlan(_ part: Int, _ facing: PageArrangement) -> PageTurnPlan {
        guard let score else { preconditionFailure("nothing is laid out before the score is known") }
        let session = state.content.session.flatMap { $0.isRunning ? $0 : nil }
        return PageTurnPlan(
            score: score, part: part, measures: dependencies.pieces.measures(of: score),
            performances: session?.performances ?? [], facing: facing)
    }

    // MARK: Page turns

    /// Processes a new position of the music: turns pages, sends the position to the stands, and logs it while a
    /// session runs.
    func setPosition(_ place: PerformancePosition) {
        guard let movement = score?.movements.firstIndex(where: { $0.piece == place.pieceFolder }) else {
            return clearPosition(at: place.time)
        }
        let last = self.performancePosition
        self.performancePosition = place
        var word = place.liveUpdate
        word.movement = movement
        self.liveUpdate = word
        let isSignificantChange = place.isSignificantChange(after: last)
        batchingMessages {
            turnAllStands(by: word, at: place.time)
            if isSignificantChange
                || place.time.milliseconds(since: updateSentAt) >= Self.updateIntervalMilliseconds
            {
                updateSentAt = place.time
                sendUpdateToAll(word)
            }
        }
        if isSignificantChange || place.time.milliseconds(since: updateLoggedAt) >= logInterval(word) {
            updateLoggedAt = place.time
            logUpdate(word)
        }
        scheduleNextTurn()
    }

    /// Least milliseconds until this position is logged again. It is long while the music rests, so that a forgotten
    /// session does not fill the disk.
    private func logInterval(_ word: LiveUpdate) -> Int64 {
        guard word == lastLoggedUpdate else { return Self.changedLogIntervalMilliseconds }
        let isResting = word.trust == .waiting || word.trust == .finished
        return isResting ? Self.restingLogIntervalMilliseconds : Self.equalLogIntervalMilliseconds
    }

    /// Makes stands show "waiting", because the piece being played is not in this room's score.
    private func clearPosition(at now: ShowTime) {
        guard performancePosition != nil, let old = liveUpdate else { return }
        performancePosition = nil
        let word = LiveUpdate(movement: old.movement, position: nil, trust: .waiting)
        self.liveUpdate = word
        batchingMessages {
            turnAllStands(by: word, at: now)
            sendUpdateToAll(word)
        }
        logUpdate(word)
        scheduleNextTurn()
    }

    func turnAllStands(by word: LiveUpdate, at now: ShowTime) {
        for key in stands.keys { handleTurnEvent(key, .liveUpdate(word), at: now) }
    }

    func liveUpdateFrame(_ word: LiveUpdate) -> StreamFrame {
        StreamFrame(RoomJSON.encode(RoomMessage.livePosition(word)))
    }

    private func sendUpdateToAll(_ word: LiveUpdate) {
        guard !stands.isEmpty else { return }
        queueMessage(
            .liveUpdate, liveUpdateFrame(word), stands.values.lazy.filter(\.isAdmitted).map(\.stream))
    }

    private func logUpdate(_ word: LiveUpdate) {
        guard let session = state.content.session, session.isRunning else { return }
        lastLoggedUpdate = word
        pendingEntries.append(
            .scorePosition(
                session: session.id.description, atMilliseconds: now.milliseconds, json: RoomJSON.encode(word)
            )
        )
        startWriting()
    }

    /// Turns all stands to the page that the room's leader chose, each in its own part.
    func turnAllStands(to turn: PageTurn) {
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
            handleTurnEvent(key, .pinpointed(page: there.page))
        }
    }

    /// Passes an event to a stand's page turner and sends the stand the resulting page.
    func handleTurnEvent(_ key: StandKey, _ event: PageTurnerEvent, at time: ShowTime? = nil) {
        guard let part = stands[key]?.shownPart?.part,
            let effects = stands[key]?.shownPart?.turner.process(event, at: time ?? dependencies.showClock())
        else { return }
        if event.isByHand { stands[key]?.shownPart?.hasBeenTurned = true }
        for case .show(let view, let cause) in effects {
            stands[key]?.shownPart?.hasBeenTurned = true
            // A turn by the player's hand needs no message: the stand shows the page already.
            guard cause != .player else { continue }
            sendPage(key)
            recordPage(max(view.page, 0), ofPart: part, by: key.user)
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
        guard let part = stands[key]?.shownPart?.part else { return }
        handleTurnEvent(key, .followAgain)
        sendPage(key)
        guard let page = stands[key]?.shownPart?.turner.state.view.page else { return }
        recordPage(max(page, 0), ofPart: part, by: key.user)
    }

    // MARK: Turns between two positions

    /// Sets a timer so that a page is turned as soon as the turn is due, without waiting for the next position.
    func scheduleNextTurn() {
        let due = stands.values.compactMap { $0.shownPart?.turner.nextDue }.min()
        guard due != turnTimerAt else { return }
        turnTimer?.cancel()
        turnTimerAt = due
        guard let due else { return }
        let wait = min(max(due.milliseconds(since: dependencies.showClock()), 0), 60_000)
        turnTimer = Task { [weak self] in
            try? await Task.sleep(for: .milliseconds(wait))
            if !Task.isCancelled { await self?.turnDuePages() }
        }
    }

    func turnDuePages() {
        turnTimerAt = nil
        let now = dependencies.showClock()
        batchingMessages {
            for (key, stand) in stands {
                if let due = stand.shownPart?.turner.nextDue, due <= now {
                    handleTurnEvent(key, .tick, at: now)
                }
            }
        }
        scheduleNextTurn()
    }
}
