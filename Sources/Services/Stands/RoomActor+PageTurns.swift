import Podium
import Rehearsal
import WebServer

/// Page turns: by the music, by the room's leader, and by each player's own hand.
extension RoomActor {
    /// Least milliseconds between two position updates to stands that differ in the fraction or tempo only.
    private static let updateIntervalMilliseconds: Int64 = 200
    /// Least milliseconds between two different positions in a session's log.
    private static let changedLogIntervalMilliseconds: Int64 = 1_000
    /// Least milliseconds between two equal positions in a session's log. Must be shorter than the gap that the
    /// session's report counts as silence.
    private static let equalLogIntervalMilliseconds: Int64 = 5_000
    private static let restingLogIntervalMilliseconds: Int64 = 60_000

    // MARK: Laying out parts

    /// Lays out the page to which the user returns in this session; else the part and page that the stand showed
    /// last.
    func layOutPart(_ key: StandKey, _ settings: StandSettings?) {
        let there = state.whereabouts(of: key.user)
        if let there {
            showPart(
                there.part, page: there.page, setups[key]?.settings ?? settings ?? StandSettings(), on: key)
        } else if let setup = setups[key] {
            showPart(setup.part, page: setup.page, setup.settings, on: key)
        }
    }

    /// A user has entered the session or changed the part: lays out that part on all stands of the user.
    func layOutPart(_ participation: Participation) {
        for (key, stand) in stands where key.user == participation.user && stand.isAdmitted {
            guard stand.shownPart?.part != participation.part else { continue }
            let settings = setups[key]?.settings ?? stand.shownPart?.turner.settings ?? StandSettings()
            showPart(participation.part, page: 0, settings, on: key)
        }
    }

    /// Plans the page turns of all stands again: a new session may play other pieces, and a new edition may have
    /// other pages.
    func replanPageTurns() {
        for (key, stand) in stands {
            guard let shownPart = stand.shownPart else { continue }
            guard score?.parts.indices.contains(shownPart.part) == true else {
                stands[key]?.shownPart = nil
                continue
            }
            stands[key]?.shownPart?.turner = PageTurner(
                plan: plan(shownPart.part, shownPart.turner.settings.facing),
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
                    plan: plan(part, settings.facing), settings: settings, continuing: shownPart.turner.state)
            }
        } else {
            stands[key]?.shownPart = Stand.ShownPart(
                part: part,
                turner: PageTurner(plan: plan(part, settings.facing), settings: settings, page: page))
        }
        if let word, let place { turn(key, .word(word), at: place.at) }
    }

    private func plan(_ part: Int, _ facing: PageArrangement) -> PageTurnPlan {
        guard let score else { preconditionFailure("nothing is laid out before the score is known") }
        let session = state.content.session.flatMap { $0.isRunning ? $0 : nil }
        return PageTurnPlan(
            score: score, part: part, measures: dependencies.pieces.measures(of: score),
            performances: session?.performances ?? [], facing: facing)
    }

    // MARK: Page turns

    /// Processes a new position of the music: turns pages, sends it to the stands, and logs it while a session runs.
    func setPosition(_ place: PerformancePosition) {
        guard let movement = score?.movements.firstIndex(where: { $0.piece == place.folder }) else {
            return clearPosition(at: place.at)
        }
        let last = self.place
        self.place = place
        var word = place.word
        word.movement = movement
        self.word = word
        let isSignificantChange = place.isSignificantChange(after: last)
        batchingMessages {
            turnAllStands(by: word, at: place.at)
            if isSignificantChange
                || place.at.milliseconds(since: updateSentAt) >= Self.updateIntervalMilliseconds
            {
                updateSentAt = place.at
                sendUpdateToAll(word)
            }
        }
        if isSignificantChange || place.at.milliseconds(since: updateLoggedAt) >= logInterval(word) {
            updateLoggedAt = place.at
            logUpdate(word)
        }
        scheduleNextTurn()
    }

    /// Least milliseconds until this position is logged again; long for a resting one, so that a forgotten session
    /// does not fill the disk.
    private func logInterval(_ word: LiveUpdate) -> Int64 {
        guard word == lastLoggedUpdate else { return Self.changedLogIntervalMilliseconds }
        let isResting = word.trust == .waiting || word.trust == .finished
        return isResting ? Self.restingLogIntervalMilliseconds : Self.equalLogIntervalMilliseconds
    }

    /// A piece that is not in this room's score is on: stands show "waiting".
    private func clearPosition(at now: ShowTime) {
        guard place != nil, let old = word else { return }
        place = nil
        let word = LiveUpdate(movement: old.movement, position: nil, trust: .waiting)
        self.word = word
        batchingMessages {
            turnAllStands(by: word, at: now)
            sendUpdateToAll(word)
        }
        logUpdate(word)
        scheduleNextTurn()
    }

    func turnAllStands(by word: LiveUpdate, at now: ShowTime) {
        for key in stands.keys { turn(key, .word(word), at: now) }
    }

    func frame(_ word: LiveUpdate) -> StreamFrame { StreamFrame(RoomJSON.bytes(RoomMessage.live(word))) }

    private func sendUpdateToAll(_ word: LiveUpdate) {
        guard !stands.isEmpty else { return }
        queueMessage(.live, frame(word), stands.values.lazy.filter(\.isAdmitted).map(\.stream))
    }

    private func logUpdate(_ word: LiveUpdate) {
        guard let session = state.content.session, session.isRunning else { return }
        lastLoggedUpdate = word
        entries.append(
            .word(
                session: session.id.description, atMilliseconds: now.milliseconds, json: RoomJSON.bytes(word))
        )
        write()
    }

    /// Turns all stands to the room leader's page, each in its own part.
    func turnAllStands(to turn: PageTurn) {
        guard let score else { return }
        for (key, stand) in stands {
            guard let part = stand.shownPart?.part, let page = turn.page(inPart: part, of: score) else {
                continue
            }
            self.turn(key, .ordered(page: page))
        }
    }

    func showPinpoint(_ pinpoint: Pinpoint) {
        guard let score else { return }
        for (key, stand) in stands {
            guard let part = stand.shownPart?.part, let there = pinpoint.place(inPart: part, of: score) else {
                continue
            }
            turn(key, .pinpointed(page: there.page))
        }
    }

    /// Passes an event to a stand's page turner, and sends the stand the page that results.
    func turn(_ key: StandKey, _ event: PageTurnerEvent, at time: ShowTime? = nil) {
        guard let part = stands[key]?.shownPart?.part,
            let effects = stands[key]?.shownPart?.turner.take(event, at: time ?? dependencies.clock())
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

    /// Sends a stand its current page; within `batchingMessages`, at the end of the batch.
    func sendPage(_ key: StandKey) {
        guard outgoingBatch == nil else {
            outgoingBatch?.pages.append(key)
            return
        }
        batchingMessages { outgoingBatch?.pages.append(key) }
    }

    /// Turns a stand to the music's page at its player's request. The page is sent even if the hub believes that the
    /// stand shows it already.
    func returnToMusicPage(_ key: StandKey) {
        guard let part = stands[key]?.shownPart?.part else { return }
        turn(key, .fallIn)
        sendPage(key)
        guard let page = stands[key]?.shownPart?.turner.state.view.page else { return }
        recordPage(max(page, 0), ofPart: part, by: key.user)
    }

    // MARK: Turns between two positions

    /// Sets a timer so that a page is turned when it is due, without waiting for the next position.
    func scheduleNextTurn() {
        let due = stands.values.compactMap { $0.shownPart?.turner.nextDue }.min()
        guard due != turnTimerAt else { return }
        turnTimer?.cancel()
        turnTimerAt = due
        guard let due else { return }
        let wait = min(max(due.milliseconds(since: dependencies.clock()), 0), 60_000)
        turnTimer = Task { [weak self] in
            try? await Task.sleep(for: .milliseconds(wait))
            if !Task.isCancelled { await self?.turnDuePages() }
        }
    }

    func turnDuePages() {
        turnTimerAt = nil
        let now = dependencies.clock()
        batchingMessages {
            for (key, stand) in stands {
                if let due = stand.shownPart?.turner.nextDue, due <= now { turn(key, .tick, at: now) }
            }
        }
        scheduleNextTurn()
    }
}
