import Podium
import ShowLog

/// Builds the account of an evening from its replayed show log, line by line. It has no clock and reads nothing else.
struct EveningAccountBuilder {
    private var account = EveningAccount()
    /// The index of the playing whose music is live; nil while none is.
    private var current: Int?
    private var isBarInterrupted = false
    private var confidences: (sum: Double, count: Int) = (0, 0)
    private var lostSince: Int64?
    /// The pieces of the programme when the music began; what is played after the last of them is an encore.
    private var plannedPieces: [String]?
    private var hasReachedEnd = false
    /// True once the concert has begun again from its first piece: what follows is another run.
    private var isAnotherRun = false

    mutating func addReplayedLine(_ line: ShowReplay.ReplayedLine, _ podium: Podium) {
        let now = line.time.milliseconds
        let state = podium.state
        if !isAnotherRun {
            if Self.interruptsBar(line) { isBarInterrupted = true }
            follow(podium, at: now, isOnDownbeat: Self.placesMusicOnDownbeat(line))
            if case .followerReport(let report)? = line.event, current != nil, report.piece == state.piece,
                report.state == .following || report.state == .lost
            {
                confidences = (confidences.sum + report.confidence, confidences.count + 1)
            }
            countLoss(state, at: now)
            followIntermission(state, at: now)
            if state.phase == .over { (hasReachedEnd, account.isOver) = (true, true) }
            if !isAnotherRun { addCommand(line) }
        }
    }

    func finished() -> EveningAccount {
        var copy = self
        copy.endPlaying(at: nil)
        copy.account.playings.removeAll { $0.bars.count < 2 }
        return copy.account
    }

    // MARK: Music

    private mutating func follow(_ podium: Podium, at now: Int64, isOnDownbeat: Bool?) {
        let (state, pieces) = (podium.state, podium.course.pieces)
        guard state.isLive, !state.isRehearsal, state.check == nil, pieces.indices.contains(state.piece)
        else {
            endPlaying(at: now)
            return
        }
        guard state.isPlaceKnown else { return }
        if plannedPieces == nil { plannedPieces = pieces.map(\.folder) }
        let piece = pieces[state.piece]
        if let index = current, !continues(account.playings[index], piece, state) { endPlaying(at: now) }
        if current == nil {
            if beginsAnotherRun(piece, state) {
                isAnotherRun = true
                return
            }
            begin(piece, at: now)
        }
        addBar(piece, state, at: now, isOnDownbeat: isOnDownbeat)
    }

    /// False if another piece is live, or if this one began again from its beginning.
    private func continues(_ playing: EveningAccount.Playing, _ piece: ShowPiece, _ state: PodiumState)
        -> Bool
    {
        guard playing.folder == piece.folder, playing.name == piece.name.text else { return false }
        guard let last = playing.bars.last else { return true }
        let hasEnded = last.played >= piece.playedMeasureCount - 2
        return !(hasEnded && state.position.played < 2 && piece.playedMeasureCount > 4)
    }

    private func beginsAnotherRun(_ piece: ShowPiece, _ state: PodiumState) -> Bool {
        guard hasReachedEnd, let plannedPieces, plannedPieces.count > 1 else { return false }
        return plannedPieces.first == piece.folder && state.position.played < 2
    }

    private mutating func begin(_ piece: ShowPiece, at now: Int64) {
        // Music that stops and goes on in the same piece is one playing.
        if let last = account.playings.indices.last, account.playings[last].folder == piece.folder,
            account.playings[last].name == piece.name.text,
            let bar = account.playings[last].bars.last, bar.played < piece.playedMeasureCount - 2
        {
            current = last
            isBarInterrupted = true
            return
        }
        let parts = EveningAccount.Playing.parts(of: piece.name.text)
        account.playings.append(
            EveningAccount.Playing(
                folder: piece.folder, name: piece.name.text, composer: parts.composer, work: parts.work,
                movement: parts.movement, from: now, to: now, isEncore: isEncore(piece),
                barCount: piece.playedMeasureCount))
        current = account.playings.count - 1
        confidences = (0, 0)
    }

    /// True if the programme as it was when the music began has been played already.
    private func isEncore(_ piece: ShowPiece) -> Bool {
        guard let plannedPieces, let last = plannedPieces.last, !account.playings.isEmpty else {
            return false
        }
        if hasReachedEnd { return true }
        return !plannedPieces.contains(piece.folder) && account.playings.contains { $0.folder == last }
    }

    private mutating func addBar(_ piece: ShowPiece, _ state: PodiumState, at now: Int64, isOnDownbeat: Bool?)
    {
        guard let index = current else { return }
        let (played, measures) = (state.position.played, piece.measures)
        guard measures.marks.indices.contains(played) else { return }
        var followsOn = true
        if let last = account.playings[index].bars.indices.last {
            let bar = account.playings[index].bars[last]
            guard bar.played != played else { return }
            followsOn = played == bar.played + 1
            if followsOn, !isBarInterrupted {
                account.playings[index].bars[last].seconds = Double(now - bar.at) / 1_000
            }
        }
        let length = measures.onset(after: played).seconds - measures.marks[played].onset.seconds
        account.playings[index].bars.append(
            .init(
                printed: measures.marks[played].printed, played: played, at: now, seconds: nil,
                referenceSeconds: (length * 1_000).rounded() / 1_000))
        isBarInterrupted = !(isOnDownbeat ?? followsOn)
    }

    /// Ends the present playing. The last bar lasts no longer than twice its length in the reference: what follows is
    /// silence or applause.
    private mutating func endPlaying(at now: Int64?) {
        guard let index = current, let last = account.playings[index].bars.last else {
            current = nil
            return
        }
        let expected = last.at + Int64(last.referenceSeconds * 1_000)
        let latest = last.at + Int64(last.referenceSeconds * 2_000)
        account.playings[index].to = min(max(now ?? expected, last.at), latest)
        if confidences.count > 0 {
            account.playings[index].confidence =
                (confidences.sum / Double(confidences.count) * 1_000).rounded() / 1_000
        }
        if let now, let since = lostSince { addLoss(from: since, to: now, of: index) }
        lostSince = nil
        current = nil
    }

    private mutating func countLoss(_ state: PodiumState, at now: Int64) {
        guard let index = current else { return }
        if state.mode == .lost {
            lostSince = lostSince ?? now
        } else if let since = lostSince {
            addLoss(from: since, to: now, of: index)
            lostSince = nil
        }
    }

    private mutating func addLoss(from since: Int64, to now: Int64, of index: Int) {
        let seconds = account.playings[index].lostSeconds + Double(now - since) / 1_000
        account.playings[index].lostSeconds = (seconds * 1_000).rounded() / 1_000
    }

    // MARK: Intermissions and people

    private mutating func followIntermission(_ state: PodiumState, at now: Int64) {
        let isOpen = account.intermissions.last.map { $0.to == nil } ?? false
        if state.isIntermission, !isOpen {
            account.intermissions.append(.init(from: now, to: nil))
        } else if !state.isIntermission, isOpen {
            account.intermissions[account.intermissions.count - 1].to = now
        }
    }

    private mutating func addCommand(_ line: ShowReplay.ReplayedLine) {
        guard case .command(let command, let sender, _)? = line.event, sender.role != .automation else {
            return
        }
        account.interventions.append(
            .init(
                at: line.time.milliseconds, who: sender.name, what: command.words.joined(separator: " "),
                refused: Self.refusal(of: line)))
        let server = EveningAccount.Server(name: sender.name, role: sender.role.rawValue)
        if !account.servers.contains(server) { account.servers.append(server) }
    }

    private static func refusal(of line: ShowReplay.ReplayedLine) -> String? {
        line.replayedEffects.lazy.compactMap { effect in
            if case .refused(let refusal) = effect { refusal.sentence } else { nil }
        }.first
    }

    /// True for a restart of the server, and for an accepted command that moves the position or stops or continues the
    /// music.
    private static func interruptsBar(_ line: ShowReplay.ReplayedLine) -> Bool {
        if case .restarted? = line.event { return true }
        guard case .command(let command, _, _)? = line.event, refusal(of: line) == nil else { return false }
        return switch command {
        case .nudgePosition, .goTo, .beginMeasureNow, .chooseCandidate, .holdPosition, .endHold, .pauseAll,
            .resumeAll, .releaseBaton, .beginPiece, .nextPiece, .setIntermission:
            true
        default: false
        }
    }

    /// True if a person's command placed the music at the beginning of a bar; nil if the line is no such command.
    private static func placesMusicOnDownbeat(_ line: ShowReplay.ReplayedLine) -> Bool? {
        guard case .command(let command, _, _)? = line.event else { return nil }
        return switch command {
        case .tapMeasureBeginning, .beginMeasureNow: true
        default: false
        }
    }
}

extension EveningAccount {
    /// Computes the account of a show from its log.
    /// - Parameter show: the path of the show's folder.
    /// - Throws: ``ShowLogFault`` if the folder cannot be read; damaged lines are skipped and counted.
    /// - Complexity: some 0.1 ms a line of the log.
    package init(show: String) throws(ShowLogFault) {
        var replay = try ShowReplay(show: show, whenDamaged: .skipAndRecord)
        var builder = EveningAccountBuilder()
        while let line = try replay.replayNextLine() {
            if let podium = replay.podium { builder.addReplayedLine(line, podium) }
        }
        self = builder.finished()
        self.show = show.split(separator: "/").last.map(String.init) ?? show
        title = replay.header?.show ?? ""
        started = replay.header?.started ?? ""
        missingLines = Int(clamping: replay.lostLineCount) + replay.damage.count
    }
}
