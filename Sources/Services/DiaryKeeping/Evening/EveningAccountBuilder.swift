import Podium
import ShowLog

/// Builds the accounts of an evening from its replayed show log, line by line. It has no clock and reads nothing else.
struct EveningAccountBuilder {
    private var account = EveningAccount()
    /// The runs through the programme before this one.
    private var earlier: [EveningAccount] = []
    /// The index of the playing whose music is live; nil while none is.
    private var current: Int?
    private var isBarInterrupted = false
    /// True if the present line is a person's command that begins a piece.
    private var isPieceBegun = false
    /// True once the piece that is live was under way, so that it is no false start.
    private var isUnderWay = false
    private var confidences: (sum: Double, count: Int) = (0, 0)
    private var lostSince: Int64?
    /// The pieces of the programme when the music began; what is played after the last of them is an encore.
    private var plannedPieces: [String]?
    /// True if the programme was played to its end in this run.
    private var hasReachedEnd = false
    /// True if the concert was over, or there was an intermission, since the last music.
    private var hasBrokenOff = false

    mutating func addReplayedLine(_ line: ShowReplay.ReplayedLine, _ podium: Podium) {
        let now = line.time.milliseconds
        let state = podium.state
        if Self.interruptsBar(line) { isBarInterrupted = true }
        isPieceBegun = Self.beginsPiece(line)
        if Self.beginsMusic(line) { forgetFalseStart(podium, at: now) }
        follow(podium, at: now, isOnDownbeat: Self.placesMusicOnDownbeat(line))
        if case .followerReport(let report)? = line.event, current != nil, report.piece == state.piece,
            report.state == .following || report.state == .lost
        {
            confidences = (confidences.sum + report.confidence, confidences.count + 1)
        }
        countLoss(state, at: now)
        followIntermission(state, at: now)
        if state.phase == .over, isAtProgrammeEnd { (hasReachedEnd, account.isOver) = (true, true) }
        if current == nil, state.phase == .over || state.isIntermission { hasBrokenOff = true }
        addCommand(line)
    }

    /// The accounts of all runs in their order; at least one.
    func finished() -> [EveningAccount] {
        var copy = self
        copy.endPlaying(at: nil)
        var runs: [EveningAccount] = []
        for var run in copy.earlier + [copy.account] {
            run.playings.removeAll { $0.bars.count < 2 }
            if run.folders.isEmpty, !runs.isEmpty { continue }
            // The first piece alone, once more, is an encore of the run before; a few bars of it are a mistake.
            if let last = runs.indices.last, let first = copy.plannedPieces?.first, run.folders == [first] {
                if run.playings.contains(where: { !$0.isFalseStart }) { runs[last].addEncore(run) }
            } else {
                run.run = runs.count + 1
                if run.run <= EveningAccount.mostRuns { runs.append(run) }
            }
        }
        return runs
    }

    // MARK: Runs

    /// False while a later run has not come to its last piece. Before version 6 of its rules the Podium may take each
    /// piece of a later run for the last one, because it knows what was heard in the whole evening.
    private var isAtProgrammeEnd: Bool {
        guard !earlier.isEmpty, let plannedPieces, let last = plannedPieces.last else { return true }
        return account.folders.contains(last) || account.folders.isSuperset(of: plannedPieces)
    }

    private func beginsAnotherRun(_ piece: ShowPiece, _ state: PodiumState, at now: Int64) -> Bool {
        guard let plannedPieces, plannedPieces.count > 1, plannedPieces.first == piece.folder,
            isNearBeginning(of: piece, state)
        else { return false }
        if hasReachedEnd { return true }
        // The first piece alone was an encore of the run before, if the hall was quiet after it.
        guard !earlier.isEmpty, account.folders == [piece.folder] else { return false }
        return hasBrokenOff || now - (account.lastMusic ?? now) > Self.longestRestMilliseconds
    }

    /// True once the last piece of the programme was played to its end. The Podium may know of no end: its rules had
    /// none before version 3, and it has none while a person has darkened the screens.
    private var isLastPiecePlayed: Bool {
        guard let plannedPieces, let last = plannedPieces.last else { return false }
        return account.folders.isSuperset(of: plannedPieces)
            && account.playings.contains { $0.folder == last && $0.isPlayedToEnd }
    }

    /// A rest that is longer than this, in milliseconds, is no applause between two pieces.
    private static let longestRestMilliseconds: Int64 = 180_000

    /// Closes the account of this run. What people did since its last music prepared the next one.
    private mutating func beginAnotherRun(of pieces: [String]) {
        let end = account.lastMusic ?? 0
        var next = EveningAccount()
        next.interventions = account.interventions.filter { $0.at > end }
        account.interventions.removeAll { $0.at > end }
        account.intermissions.removeAll { $0.from >= end }
        let names = { (list: [EveningAccount.Intervention]) in Set(list.map(\.who)) }
        let (before, after) = (names(account.interventions), names(next.interventions))
        next.servers = account.servers.filter { after.contains($0.name) }
        account.servers.removeAll { !before.contains($0.name) }
        earlier.append(account)
        (account, hasReachedEnd, hasBrokenOff, lostSince) = (next, false, false, nil)
        // An encore that was added to the programme is not a part of it in the next run either.
        if let planned = plannedPieces, !Set(planned).isSubset(of: pieces) { plannedPieces = pieces }
    }

    // MARK: Music

    private mutating func follow(_ podium: Podium, at now: Int64, isOnDownbeat: Bool?) {
        let (state, pieces) = (podium.state, podium.course.pieces)
        guard state.isLive && !state.isRehearsal || podium.isMusicRehearsed, state.check == nil,
            pieces.indices.contains(state.piece)
        else {
            if let index = current, !isUnderWay, podium.hasTakenBack, pieces.indices.contains(state.piece),
                account.playings[index].isOf(pieces[state.piece])
            {
                takeBack()
            }
            endPlaying(at: now)
            return
        }
        guard state.isPlaceKnown else { return }
        defer { isUnderWay = isUnderWay || !podium.mayTakeBack }
        if plannedPieces == nil { plannedPieces = pieces.prefix(podium.course.announcedCount).map(\.folder) }
        let piece = pieces[state.piece]
        if let index = current, !continues(account.playings[index], piece, state, at: now) {
            endPlaying(at: now)
        }
        if current == nil {
            if isLastPiecePlayed { (hasReachedEnd, account.isOver) = (true, true) }
            if beginsAnotherRun(piece, state, at: now) { beginAnotherRun(of: pieces.map(\.folder)) }
            begin(piece, state, at: now)
        }
        addBar(piece, state, at: now, isOnDownbeat: isOnDownbeat)
    }

    /// A person says that the music begins now: the less than half of the piece that was shown before was none of it.
    private mutating func forgetFalseStart(_ podium: Podium, at now: Int64) {
        guard let last = account.playings.last, last.isFalseStart, podium.state.position.played < 2,
            last.isOf(podium.course.pieces[podium.state.piece])
        else { return }
        endPlaying(at: now)
        takeBack()
    }

    private mutating func takeBack() {
        account.playings.removeLast()
        (current, lostSince) = (nil, nil)
    }

    /// False if another piece is live, or if this one began again from its beginning.
    private func continues(
        _ playing: EveningAccount.Playing, _ piece: ShowPiece, _ state: PodiumState, at now: Int64
    ) -> Bool {
        guard playing.isOf(piece) else { return false }
        guard let last = playing.bars.last else { return true }
        // Without a command or a rest, a step back to the beginning may be a follower's error.
        if last.played >= piece.playedMeasureCount - 2 { return !beginsAfterEnd(piece, state) }
        let hasEnded = isPieceBegun || now - last.at > Self.restMilliseconds
        return !(hasEnded && beginsAgain(piece, state, after: last))
    }

    /// Music that rests for longer than this has been broken off.
    private static let restMilliseconds: Int64 = 30_000

    private func beginsAgain(_ piece: ShowPiece, _ state: PodiumState, after last: EveningAccount.Bar) -> Bool
    {
        state.position.played < 2 && last.played >= 2 && piece.playedMeasureCount > 4
    }

    /// True if a piece that was played to its end is played once more. Unless a person begins it, the follower is some
    /// measures into it before its place counts as proven.
    private func beginsAfterEnd(_ piece: ShowPiece, _ state: PodiumState) -> Bool {
        piece.playedMeasureCount > 4 && isNearBeginning(of: piece, state)
    }

    /// True in the measures in which a piece can be that has just begun and that the follower has recognised.
    private func isNearBeginning(of piece: ShowPiece, _ state: PodiumState) -> Bool {
        state.position.played < max(2, min(Self.longestRecognition, piece.playedMeasureCount / 2))
    }

    /// The number of measures that a follower needs at most to recognise a piece that has begun.
    private static let longestRecognition = 12

    private mutating func begin(_ piece: ShowPiece, _ state: PodiumState, at now: Int64) {
        // Music that stops and goes on in the same piece is one playing. If it begins again from the beginning, what
        // was broken off counts only if it was half of the piece.
        isUnderWay = false
        if let last = account.playings.indices.last, account.playings[last].isOf(piece),
            let bar = account.playings[last].bars.last, bar.played < piece.playedMeasureCount - 2
        {
            guard beginsAgain(piece, state, after: bar) else {
                (current, isUnderWay) = (last, true)
                isBarInterrupted = true
                return
            }
            if account.playings[last].isFalseStart { account.playings.removeLast() }
        }
        let parts = EveningAccount.Playing.parts(of: piece.name.text)
        account.playings.append(
            EveningAccount.Playing(
                folder: piece.folder, name: piece.name.text, composer: parts.composer, work: parts.work,
                movement: parts.movement, from: now, to: now, isEncore: isEncore(piece),
                barCount: piece.playedMeasureCount))
        current = account.playings.count - 1
        hasBrokenOff = false
        confidences = (0, 0)
    }

    /// True if the programme as it was when the music began has been played already.
    private func isEncore(_ piece: ShowPiece) -> Bool {
        guard let plannedPieces, let last = plannedPieces.last, !account.playings.isEmpty else {
            return false
        }
        // A piece of the programme that was not played in its turn is none.
        if plannedPieces.contains(piece.folder) {
            return hasReachedEnd && account.folders.contains(piece.folder)
        }
        return hasReachedEnd || account.folders.contains(last)
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
            if last == 0, bar.played < 2,
                let began = Podium.trueBeginning(
                    (bar.at, now), lasting: followsOn ? bar.referenceSeconds : nil)
            {
                account.playings[index].from = began
                (account.playings[index].bars[0].at, account.playings[index].bars[0].seconds) = (began, nil)
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
        if state.mode == .lost || state.mode == .undecided {
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

    private static func beginsMusic(_ line: ShowReplay.ReplayedLine) -> Bool {
        guard case .command(.beginMusic, _, _)? = line.event else { return false }
        return refusal(of: line) == nil
    }

    private static func beginsPiece(_ line: ShowReplay.ReplayedLine) -> Bool {
        guard case .command(.beginPiece, _, _)? = line.event else { return false }
        return refusal(of: line) == nil
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
    /// Computes the accounts of a show from its log: one for each run through the programme, in their order; at least
    /// one.
    /// - Parameter show: the path of the show's folder.
    /// - Throws: ``ShowLogFault`` if the folder cannot be read; damaged lines are skipped and counted.
    /// - Complexity: some 0.1 ms a line of the log.
    package static func runs(ofShow show: String) throws(ShowLogFault) -> [EveningAccount] {
        var replay = try ShowReplay(show: show, whenDamaged: .skipAndRecord)
        var builder = EveningAccountBuilder()
        while let line = try replay.replayNextLine() {
            if let podium = replay.podium { builder.addReplayedLine(line, podium) }
        }
        var runs = builder.finished()
        for index in runs.indices {
            runs[index].show = replay.origin?.folder ?? ServerDataFolder.name(ofShow: show)
            let evening = replay.podium?.course.evening
            runs[index].title = evening?.name ?? replay.header?.show ?? ""
            if let evening, evening.kind != .concert { runs[index].type = evening.kind.word }
            runs[index].venue = evening?.place
            if let evening, !evening.people.isEmpty { runs[index].people = evening.people }
            runs[index].started = replay.started ?? ""
            runs[index].missingLines = Int(clamping: replay.lostLineCount) + replay.damage.count
        }
        return runs
    }

    /// Adds what was played after the end; what was played before is an encore.
    fileprivate mutating func addEncore(_ later: EveningAccount) {
        let known = folders
        playings += later.playings.map { playing in
            var playing = playing
            playing.isEncore = known.contains(playing.folder)
            return playing
        }
        intermissions += later.intermissions
        interventions += later.interventions
        servers += later.servers.filter { !servers.contains($0) }
    }
}
