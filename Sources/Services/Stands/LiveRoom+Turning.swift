import Podium
import Rehearsal
import WebServer

/// Page turns: by the music, by the room's leader, and by each player's own hand.
extension LiveRoom {
    /// Least milliseconds between two position updates to stands that differ in the fraction or tempo only.
    private static let wordEvery: Int64 = 200
    /// Least milliseconds between two different positions in a session's log.
    private static let keepEvery: Int64 = 1_000
    /// Least milliseconds between two equal positions in a session's log. Must be shorter than the gap that the
    /// session's report counts as silence.
    private static let keepEqualEvery: Int64 = 5_000
    private static let keepRestEvery: Int64 = 60_000

    // MARK: Laying out parts

    /// Lays out the page to which the user returns in this session; else the part and page that the stand showed
    /// last.
    func layOut(_ key: StandKey, _ settings: StandSettings?) {
        let there = state.whereabouts(of: key.user)
        if let there {
            lay(there.part, page: there.page, setups[key]?.settings ?? settings ?? StandSettings(), on: key)
        } else if let setup = setups[key] {
            lay(setup.part, page: setup.page, setup.settings, on: key)
        }
    }

    /// A user has entered the session or changed the part: lays out that part on all stands of the user.
    func layOut(_ participation: Participation) {
        for (key, stand) in stands where key.user == participation.user && stand.isInside {
            guard stand.lying?.part != participation.part else { continue }
            let settings = setups[key]?.settings ?? stand.lying?.turner.settings ?? StandSettings()
            lay(participation.part, page: 0, settings, on: key)
        }
    }

    /// Plans the page turns of all stands again: a new session may play other pieces, and a new edition may have
    /// other pages.
    func layOutAgain() {
        for (key, stand) in stands {
            guard let lying = stand.lying else { continue }
            guard score?.parts.indices.contains(lying.part) == true else {
                stands[key]?.lying = nil
                continue
            }
            stands[key]?.lying?.turner = PageTurner(
                plan: plan(lying.part, lying.turner.settings.facing), settings: lying.turner.settings,
                continuing: lying.turner.state)
        }
    }

    func lay(_ part: Int, page: Int, _ settings: StandSettings, on key: StandKey) {
        guard let stand = stands[key], stand.isInside, score?.parts.indices.contains(part) == true else {
            return
        }
        if let lying = stand.lying, lying.part == part, lying.isTurned {
            // The stand's page has changed since it was set up, so only its settings are taken.
            if lying.turner.settings.facing == settings.facing {
                stands[key]?.lying?.turner.settings = settings
            } else {
                stands[key]?.lying?.turner = PageTurner(
                    plan: plan(part, settings.facing), settings: settings, continuing: lying.turner.state)
            }
        } else {
            stands[key]?.lying = Stand.Lying(
                part: part,
                turner: PageTurner(plan: plan(part, settings.facing), settings: settings, page: page))
        }
        if let word, let place { turn(key, .word(word), at: place.at) }
    }

    private func plan(_ part: Int, _ facing: PageArrangement) -> PageTurnPlan {
        guard let score else { preconditionFailure("nothing is laid out before the score is known") }
        let session = state.content.session.flatMap { $0.isRunning ? $0 : nil }
        return PageTurnPlan(
            score: score, part: part, measures: around.pieces.measures(of: score),
            performances: session?.performances ?? [], facing: facing)
    }

    // MARK: Page turns

    /// Processes a new position of the music: turns pages, sends it to the stands, and logs it while a session runs.
    func hear(_ place: LivePlace) {
        guard let movement = score?.movements.firstIndex(where: { $0.piece == place.folder }) else {
            return goSilent(at: place.at)
        }
        let last = self.place
        self.place = place
        var word = place.word
        word.movement = movement
        self.word = word
        let isNews = place.isNews(after: last)
        telling {
            turnAll(by: word, at: place.at)
            if isNews || place.at.milliseconds(since: wordSentAt) >= Self.wordEvery {
                wordSentAt = place.at
                tellAll(word)
            }
        }
        if isNews || place.at.milliseconds(since: wordKeptAt) >= keepEvery(word) {
            wordKeptAt = place.at
            keep(word)
        }
        schedule()
    }

    /// Least milliseconds until this position is logged again; long for a resting one, so that a forgotten session
    /// does not fill the disk.
    private func keepEvery(_ word: LiveUpdate) -> Int64 {
        guard word == wordKept else { return Self.keepEvery }
        let isResting = word.trust == .waiting || word.trust == .finished
        return isResting ? Self.keepRestEvery : Self.keepEqualEvery
    }

    /// A piece that is not in this room's score is on: stands show "waiting".
    private func goSilent(at now: ShowTime) {
        guard place != nil, let old = word else { return }
        place = nil
        let word = LiveUpdate(movement: old.movement, position: nil, trust: .waiting)
        self.word = word
        telling {
            turnAll(by: word, at: now)
            tellAll(word)
        }
        keep(word)
        schedule()
    }

    func turnAll(by word: LiveUpdate, at now: ShowTime) {
        for key in stands.keys { turn(key, .word(word), at: now) }
    }

    func frame(_ word: LiveUpdate) -> StreamFrame { StreamFrame(RoomJSON.bytes(RoomMessage.live(word))) }

    private func tellAll(_ word: LiveUpdate) {
        guard !stands.isEmpty else { return }
        tell(.live, frame(word), stands.values.lazy.filter(\.isInside).map(\.stream))
    }

    private func keep(_ word: LiveUpdate) {
        guard let session = state.content.session, session.isRunning else { return }
        wordKept = word
        entries.append(
            .word(
                session: session.id.description, atMilliseconds: now.milliseconds, json: RoomJSON.bytes(word))
        )
        write()
    }

    /// Turns all stands to the room leader's page, each in its own part.
    func turnAll(to turn: PageTurn) {
        guard let score else { return }
        for (key, stand) in stands {
            guard let part = stand.lying?.part, let page = turn.page(inPart: part, of: score) else {
                continue
            }
            self.turn(key, .ordered(page: page))
        }
    }

    func show(_ pinpoint: Pinpoint) {
        guard let score else { return }
        for (key, stand) in stands {
            guard let part = stand.lying?.part, let there = pinpoint.place(inPart: part, of: score) else {
                continue
            }
            turn(key, .pinpointed(page: there.page))
        }
    }

    /// Passes an event to a stand's page turner, and sends the stand the page that results.
    func turn(_ key: StandKey, _ event: PageTurnerEvent, at time: ShowTime? = nil) {
        guard let part = stands[key]?.lying?.part,
            let effects = stands[key]?.lying?.turner.take(event, at: time ?? around.clock())
        else { return }
        if event.isByHand { stands[key]?.lying?.isTurned = true }
        for case .show(let view, let cause) in effects {
            stands[key]?.lying?.isTurned = true
            // A turn by the player's hand needs no message: the stand shows the page already.
            guard cause != .player else { continue }
            tellPage(key)
            note(max(view.page, 0), ofPart: part, by: key.user)
        }
    }

    /// Sends a stand its current page; within `telling`, at the end of the batch.
    func tellPage(_ key: StandKey) {
        guard news == nil else {
            news?.pages.append(key)
            return
        }
        telling { news?.pages.append(key) }
    }

    /// Turns a stand to the music's page at its player's request. The page is sent even if the hub believes that the
    /// stand shows it already.
    func fallIn(_ key: StandKey) {
        guard let part = stands[key]?.lying?.part else { return }
        turn(key, .fallIn)
        tellPage(key)
        guard let page = stands[key]?.lying?.turner.state.view.page else { return }
        note(max(page, 0), ofPart: part, by: key.user)
    }

    // MARK: Turns between two positions

    /// Sets a timer so that a page is turned when it is due, without waiting for the next position.
    func schedule() {
        let due = stands.values.compactMap { $0.lying?.turner.nextDue }.min()
        guard due != tickAt else { return }
        tick?.cancel()
        tickAt = due
        guard let due else { return }
        let wait = min(max(due.milliseconds(since: around.clock()), 0), 60_000)
        tick = Task { [weak self] in
            try? await Task.sleep(for: .milliseconds(wait))
            if !Task.isCancelled { await self?.turnWhatIsDue() }
        }
    }

    func turnWhatIsDue() {
        tickAt = nil
        let now = around.clock()
        telling {
            for (key, stand) in stands {
                if let due = stand.lying?.turner.nextDue, due <= now { turn(key, .tick, at: now) }
            }
        }
        schedule()
    }
}
