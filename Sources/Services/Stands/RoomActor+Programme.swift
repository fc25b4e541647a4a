import Podium
import Rehearsal
import Score
import WebServer

/// The ids of the scores that a room plays.
struct ProgrammeScores: Hashable, Sendable {
    /// The score that is open.
    var open: Rehearsal.Score.ID
    var all: Set<Rehearsal.Score.ID>

    init(_ programme: RoomProgramme) {
        open = programme.openScore
        all = programme.scores
    }
}

/// The choices, besides the score, that decide how the open score's pages are turned. Stands with equal keys share one
/// plan.
struct SharedPlanKey: Hashable {
    var part: Int
    var facing: PageArrangement
}

/// Opens the scores of the room's programme on its stands.
extension RoomActor {
    /// Seconds before the end of a piece at which stands open the one that follows attacca: the lead with which most
    /// players have their pages turned.
    private static let attaccaLeadSeconds = 1.0
    /// Seconds from the end of a piece at which its players must have gone back, if stands have left it for the next.
    private static let attaccaReturnSeconds = 5.0

    var openScoreID: Rehearsal.Score.ID { state.content.programme.openScore }
    /// The score that is open on all stands; nil if the library has never had it since the server started.
    var score: Rehearsal.Score? { scores[openScoreID] }

    /// Learns the pages of the scores that a member may add to the programme. What somebody may not add is neither
    /// read nor kept; the room then refuses it.
    func meetAddedScores(of arrivals: [ReceivedStandMessage], by member: ActingUser) async {
        let wanted = ReceivedStandMessage.addedScores(arrivals).filter(member.mayOpen)
        guard !wanted.isEmpty, (try? checkVisibility(member)) != nil,
            state.content.membership(of: member.user)?.role.mayLead == true
        else { return }
        let droppedCount = arrivals.count {
            if case .message(.event(let event)) = $0, case .dropScore = event.act { true } else { false }
        }
        let programme = state.content.programme
        let places = RoomLimits.mostProgrammeEntries - programme.entries.count + droppedCount
        let known = wanted.intersection(programme.scores)
        for score in known.union(wanted.subtracting(known).prefix(max(places, 0))) { await meetScore(score) }
    }

    /// Learns the pages of a score that is about to join the programme.
    private func meetScore(_ id: Rehearsal.Score.ID) async {
        guard let found = await dependencies.findScore(id) else { return }
        scores[id] = found
        state.renew(pageCounts: found.pageCountsByPart, of: id)
    }

    /// Learns the pages of the scores of tonight's programme.
    func meetEveningScores() async {
        for score in Set(chosenEveningScores) { await meetScore(score) }
    }

    /// The scores of tonight's programme, one of each piece: the room's own edition if it has one. A score of several
    /// pieces that follow each other stands once.
    private var chosenEveningScores: [Rehearsal.Score.ID] {
        let own = state.content.programme.scores
        var chosen: [Rehearsal.Score.ID] = []
        for scores in eveningScores {
            guard let score = scores.first(where: own.contains) ?? scores.first, score != chosen.last else {
                continue
            }
            chosen.append(score)
        }
        return chosen
    }

    private var eveningEntries: [ProgrammeEntry] {
        state.content.programme.makeEntries(playing: chosenEveningScores.filter { scores[$0] != nil }) {
            .new()
        }
    }

    /// Takes tonight's programme as it is now, if the room plays that.
    /// - Parameters:
    ///   - scores: for each piece the scores that have it.
    ///   - players: makes the room the evening's own; nil leaves it as it is.
    func takeEvening(_ scores: [[Rehearsal.Score.ID]], for players: EveningPlayers? = nil) async {
        let isNews = eveningScores != scores
        eveningScores = scores
        guard
            players != nil || state.content.programme.isEvening && (isNews || !hasTakenEvening),
            !needsReload
        else { return }
        await meetEveningScores()
        hasTakenEvening = actForOwner(
            .takeEvening(EveningScores(isOn: true, entries: eveningEntries, players: players)))
    }

    /// Lets the stands of tonight's programme follow as soon as the evening is armed, or a rehearsal goes on: begins the
    /// session, once for each evening.
    func followEvening(_ place: PerformancePosition) {
        guard place.isEveningOn else { return hasBegunEvening = false }
        guard !hasBegunEvening, state.content.programme.isEvening, !stands.isEmpty, !needsReload else {
            return
        }
        hasBegunEvening = true
        actForOwner(.beginSession(.new(), publicLayer: .new(), performances: []))
    }

    /// The evening is over: so is the session that followed it.
    func endEvening() async {
        guard state.content.programme.isEvening, state.content.session?.isRunning == true else { return }
        actForOwner(.endSession)
        _ = await waitUntilAllWritten()
    }

    /// Does an act in the owner's name. If the room refuses it, nothing changes.
    /// - Returns: true if it was done.
    @discardableResult
    func actForOwner(_ act: RoomAct) -> Bool {
        let owner = state.content.room.owner
        let name = state.content.membership(of: owner)?.name ?? ""
        let answer = try? decideEvent(
            RoomEvent(id: .new(), act: act), by: ActingUser(user: owner, name: name, hasScoreGrant: true))
        startWriting()
        return answer != nil
    }

    /// Adds to an act what the server knows: to tonight's programme its scores, and to an opened score the piece that
    /// the show is at, so that the music opens nothing until it has gone on.
    func noteShowPiece(in event: RoomEvent) -> RoomEvent {
        if case .takeEvening(let evening) = event.act {
            let entries = evening.isOn ? eveningEntries : nil
            return RoomEvent(
                id: event.id,
                act: .takeEvening(
                    EveningScores(isOn: evening.isOn, entries: entries, players: evening.players)))
        }
        guard case .openScore(let entry, nil) = event.act else { return event }
        leftAttacca = nil
        return RoomEvent(id: event.id, act: .openScore(entry, piece: showPosition?.pieceFolder))
    }

    /// The part that a stand's player plays in the open score: as shown there last, or else the one of the same name.
    /// - Returns: nil if the player must be asked.
    func partInOpenScore(of key: StandKey) -> Int? {
        guard let score else { return nil }
        if let shown = state.shownPage(of: key.user, in: openScoreID),
            score.parts.indices.contains(shown.part)
        {
            return shown.part
        }
        if score.parts.count == 1 { return 0 }
        let names = score.parts.map(\.name)
        var known: [(Rehearsal.Score.ID?, Int)] = []
        if let shown = stands[key]?.shownPart { known.append((shown.score, shown.part)) }
        if let entered = state.content.participation(of: key.user) {
            known.append((entered.score, entered.part))
        }
        for (id, part) in known {
            guard let name = scores[id ?? state.content.room.score]?.parts[safe: part]?.name else { continue }
            if let same = PartName(name).find(in: names) { return same }
        }
        return nil
    }

    /// Lays the first page of the open score on all stands, each on its own part. A stand whose part is not known says
    /// it when its player has chosen.
    func layOutOpenScore() {
        // Most stands show one of a few parts, so that their plan is made once.
        sharedPlans = [:]
        defer { sharedPlans = nil }
        // A measure of the score before says nothing of these pages.
        performancePosition = nil
        liveUpdate = nil
        for (key, stand) in stands where stand.isAdmitted {
            let part = partInOpenScore(of: key)
            var settings =
                standSetups[key]?.settings ?? stand.shownPart?.pageTurner.settings ?? StandSettings()
            // These belong to pages of the score before.
            settings.pageLeads = []
            standSetups[key] = nil
            stands[key]?.shownPart = nil
            guard let part, stand.actingUser.mayOpen(openScoreID) else { continue }
            showPart(part, page: 0, settings, on: key)
            recordShownPage(0, ofPart: part, by: key.user)
        }
        if var place = showPosition {
            // On other pages the music is at another place.
            place.liveUpdate.jumped = true
            processPerformancePosition(place)
        }
        scheduleNextPageTurn()
    }

    /// Sends pages away that know rooms of one score only. They say what to do: load the page again.
    func turnAwayPagesOfOneScore() {
        for (key, stand) in stands where !stand.knowsProgrammes && stand.isAdmitted {
            revokeAccess(key, .pageKnowsOneScore)
        }
    }

    // MARK: The music goes on

    /// Opens the score that the music goes on with: another piece of the show has begun, or the one after an attacca is
    /// about to.
    /// - Returns: true if a score is being opened, so that this position is processed on its pages.
    func openByMusic(_ place: PerformancePosition, after before: PerformancePosition?) -> Bool {
        guard state.content.programme.isSeveral, state.content.session?.isRunning == true, !needsReload else {
            return false
        }
        guard let entry = entryForMusic(place, after: before) else { return false }
        return actForOwner(.openScore(entry, piece: place.pieceFolder))
    }

    private func entryForMusic(_ place: PerformancePosition, after before: PerformancePosition?)
        -> ProgrammeEntry.ID?
    {
        let programme = state.content.programme
        if let left = leftAttacca, let entry = programme[left], let old = scores[entry.score] {
            if let rest = secondsToEnd(of: place, in: old) {
                // The players have gone back into the piece that the stands have left.
                guard rest > Self.attaccaReturnSeconds else { return nil }
                leftAttacca = nil
                return left
            }
            leftAttacca = nil
        }
        guard let score else { return nil }
        if plays(score, place.pieceFolder) {
            guard programme.open.isAttacca, let next = programme.next,
                let rest = secondsToEnd(of: place, in: score), rest <= Self.attaccaLeadSeconds
            else { return nil }
            leftAttacca = programme.openID
            return next.id
        }
        let isNews =
            before.map { $0.pieceFolder != place.pieceFolder } ?? false
            || programme.openedDuringPiece.map { $0 != place.pieceFolder }
                ?? (place.liveUpdate.trust == .playing)
        guard isNews else { return nil }
        return programme.nearestEntry { entry in
            scores[entry.score].map { plays($0, place.pieceFolder) } ?? false
        }?.id
    }

    private func plays(_ score: Rehearsal.Score, _ folder: String) -> Bool {
        score.movements.contains { $0.piece == folder }
    }

    /// Seconds until the score's last piece ends at the present tempo; nil if another piece is played, or if nobody is
    /// sure where the music is.
    private func secondsToEnd(of place: PerformancePosition, in score: Rehearsal.Score) -> Double? {
        guard score.movements.last(where: { $0.piece != nil })?.piece == place.pieceFolder,
            place.liveUpdate.trust == .playing || place.liveUpdate.trust == .coasting,
            let position = place.liveUpdate.position,
            let map = dependencies.readPieceMaps().measureMapsByPiece[place.pieceFolder]
        else { return nil }
        return (map.end.seconds - map.time(of: position).seconds) / max(place.liveUpdate.tempo, 0.1)
    }

    /// Queues a user's settings for a score to be written.
    func queueSettings(_ settings: StandSettings, of user: Rehearsal.User.ID, in score: Rehearsal.Score.ID) {
        entriesToWrite.append(
            .pageTurningSettings(
                user: user.description, score: score.description, json: RoomJSON.encode(settings)))
        startWriting()
    }
}
