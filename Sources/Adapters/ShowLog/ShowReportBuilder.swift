import Podium

/// Builds the report of a show from its replayed log, line by line.
struct ShowReportBuilder {
    private var report = ShowReport()
    /// The measure being played: the index of its piece in the report, and its index in that piece's list of measures.
    private var currentMeasure: (piece: Int, row: Int)?
    /// The row of the piece's list with which the music that is played began.
    private var firstRow = 0
    /// True once it was under way, so that it is no false start.
    private var isUnderWay = false
    /// True if the current measure was not entered at its beginning, or if somebody moved the position or stopped the
    /// music during it. Its length then says nothing about the tempo.
    private var isMeasureInterrupted = false
    /// For each piece of the programme in force, its index in the report. A piece keeps its index in the report however
    /// the programme changes.
    private var reportIndices: [Int] = []
    /// The pieces of the report: folder and name.
    private var reportedPieces: [PieceKey] = []
    private var programmePieces: [PieceKey] = []
    private var lastConfidence: (at: Int64, value: Double)?
    private var lastState: (piece: Int, state: String)?
    private var lastHolder = ""
    /// True once something has happened: a server of a pair that takes over before that does not continue anything.
    private var hasBegun = false

    mutating func addReplayedLine(_ step: ShowReplay.ReplayedLine, _ podium: Podium) {
        let now = step.time.milliseconds
        report.lastedMilliseconds = max(report.lastedMilliseconds, now)
        addNewPieces(of: podium)
        if Self.interruptsMeasure(step) { isMeasureInterrupted = true }
        if Self.beginsMusic(step), podium.state.position.played < 2, let currentMeasure,
            (currentMeasure.row - firstRow + 1) * 2
                < podium.course.pieces[podium.state.piece].playedMeasureCount
        {
            takeBack()
        }
        addMeasureIfEntered(podium, at: now, isOnDownbeat: Self.placesMusicOnDownbeat(step))
        recordFollowerState(step, podium, at: now)
        recordHolderChange(podium, at: now)
        if let event = step.event { addEvent(event, step.replayedEffects, podium, at: now) }
        if let event = step.event, Self.isNews(event) { hasBegun = true }
        if let count = step.packetAndClientCounts { addTraffic(count, at: now) }
        if let note = step.note { report.notes.append(.init(at: now, text: note)) }
        if step.isEnd { report.ended = step.timeOfDay } else if step.event != nil { report.ended = nil }
    }

    private static func isNews(_ event: PodiumEvent) -> Bool {
        switch event {
        case .failoverTermChanged, .restarted, .fault, .faultEnded, .tick: false
        default: true
        }
    }

    private struct PieceKey: Hashable {
        var folder: String
        var name: String

        init(_ piece: ShowPiece) { (folder, name) = (piece.folder, piece.name.text) }
    }

    /// The report. Pieces that were taken off the programme before they were played are left out.
    func finishedReport() -> ShowReport {
        var finished = report
        let inForce = Set(reportIndices)
        finished.pieces = report.pieces.enumerated().filter { index, piece in
            inForce.contains(index) || !piece.measures.isEmpty
        }.map(\.element)
        return finished
    }

    /// Finds each piece of the programme in the report; those that are new in it are added. A piece that is on the
    /// programme twice is in the report twice.
    private mutating func addNewPieces(of podium: Podium) {
        let pieces = podium.course.pieces.map(PieceKey.init)
        guard pieces != programmePieces else { return }
        programmePieces = pieces
        var free = Dictionary(grouping: reportedPieces.indices) { reportedPieces[$0] }
        reportIndices = pieces.map { key in
            if let known = free[key]?.first {
                free[key]?.removeFirst()
                return known
            }
            reportedPieces.append(key)
            report.pieces.append(.init(name: key.name))
            return reportedPieces.count - 1
        }
    }

    /// Adds a measure to the report if the position has entered another measure.
    /// - Parameter isOnDownbeat: true if a newly entered measure begins at this moment, nil if this is unknown. If
    ///   nil, a measure that follows the previous one counts as beginning now. The first measure does not: the follower
    ///   finds the music after its first notes.
    private mutating func addMeasureIfEntered(_ podium: Podium, at now: Int64, isOnDownbeat: Bool?) {
        let state = podium.state
        guard state.isLive || podium.isMusicRehearsed, state.isPlaceKnown,
            reportIndices.indices.contains(state.piece)
        else {
            let isOfPiece =
                reportIndices.indices.contains(state.piece)
                && currentMeasure?.piece == reportIndices[state.piece]
            if isOfPiece, !isUnderWay, podium.hasTakenBack { takeBack() }
            currentMeasure = nil
            return
        }
        defer { isUnderWay = isUnderWay || !podium.mayTakeBack }
        let piece = reportIndices[state.piece]
        let played = state.position.played
        var followsOn = false
        if let currentMeasure, currentMeasure.piece == piece {
            let row = report.pieces[currentMeasure.piece].measures[currentMeasure.row]
            guard row.played != played else { return }
            followsOn = played == row.played + 1
            if followsOn, !isMeasureInterrupted {
                report.pieces[currentMeasure.piece].measures[currentMeasure.row].liveSeconds =
                    Self.secondsFromMilliseconds(
                        now - row.at)
            }
            if currentMeasure.row == firstRow, row.played < 2,
                let began = Podium.trueBeginning(
                    (row.at, now), lasting: followsOn ? row.referenceSeconds : nil)
            {
                report.pieces[piece].measures[firstRow].at = began
                report.pieces[piece].measures[firstRow].liveSeconds = nil
            }
        } else {
            (firstRow, isUnderWay) = (report.pieces[piece].measures.count, false)
        }
        let measures = podium.course.pieces[state.piece].measures
        guard measures.marks.indices.contains(played) else { return }
        let length = measures.onset(after: played).seconds - measures.marks[played].onset.seconds
        report.pieces[piece].measures.append(
            .init(
                measure: measures.marks[played].printed, played: played, at: now,
                referenceSeconds: (length * 1_000).rounded() / 1_000))
        currentMeasure = (piece, report.pieces[piece].measures.count - 1)
        isMeasureInterrupted = !(isOnDownbeat ?? followsOn)
    }

    /// Removes the measures of the present piece from the report: they were a false start.
    private mutating func takeBack() {
        guard let piece = currentMeasure?.piece else { return }
        report.pieces[piece].measures.removeSubrange(firstRow...)
        currentMeasure = nil
    }

    private static func beginsMusic(_ step: ShowReplay.ReplayedLine) -> Bool {
        guard case .command(.beginMusic, _, _)? = step.event else { return false }
        return !step.replayedEffects.contains { if case .refused = $0 { true } else { false } }
    }

    /// True for a restart of the server, and for an accepted command that moves the position or stops or continues the
    /// music.
    private static func interruptsMeasure(_ step: ShowReplay.ReplayedLine) -> Bool {
        if case .restarted? = step.event { return true }
        guard case .command(let command, _, _)? = step.event else { return false }
        let isRefused = step.replayedEffects.contains { if case .refused = $0 { true } else { false } }
        guard !isRefused else { return false }
        switch command {
        case .nudgePosition, .goTo, .beginMeasureNow, .chooseCandidate, .holdPosition, .endHold, .pauseAll,
            .resumeAll, .releaseBaton,
            .beginPiece,
            .nextPiece, .setIntermission:
            return true
        default: return false
        }
    }

    /// True if a person's command placed the music at the beginning of a measure; nil if the line is not a person's
    /// command.
    private static func placesMusicOnDownbeat(_ step: ShowReplay.ReplayedLine) -> Bool? {
        guard case .command(let command, _, _)? = step.event else { return nil }
        switch command {
        case .tapMeasureBeginning, .beginMeasureNow: return true
        default: return false
        }
    }

    private mutating func recordFollowerState(
        _ step: ShowReplay.ReplayedLine, _ podium: Podium, at now: Int64
    ) {
        guard reportIndices.indices.contains(podium.state.piece) else { return }
        let piece = reportIndices[podium.state.piece]
        let mode = podium.state.mode.rawValue
        if lastState.map({ $0.piece != piece || $0.state != mode }) ?? true {
            // The last state of a piece that is left does not go on until it is played again.
            if let left = lastState?.piece, left != piece {
                report.pieces[left].states.append(
                    .init(atMilliseconds: now, stateName: ShowReport.leftStateName))
            }
            lastState = (piece, mode)
            report.pieces[piece].states.append(.init(atMilliseconds: now, stateName: mode))
        }
        guard case .followerReport(let word)? = step.event, reportIndices.indices.contains(word.piece) else {
            return
        }
        // Two points per second are enough for the curve of the confidence.
        if let lastConfidence, now - lastConfidence.at < 500, lastConfidence.value == word.confidence {
            return
        }
        lastConfidence = (now, word.confidence)
        report.pieces[reportIndices[word.piece]].confidence.append([Double(now), word.confidence])
    }

    private mutating func recordHolderChange(_ podium: Podium, at now: Int64) {
        let holder = podium.state.holder
        let text = holder.name.isEmpty ? holder.kind : holder.kind + " " + holder.name
        guard text != lastHolder else { return }
        lastHolder = text
        report.holders.append(.init(atMilliseconds: now, stateName: text))
    }

    private mutating func addEvent(
        _ event: PodiumEvent, _ effects: [PodiumEffect], _ podium: Podium, at now: Int64
    ) {
        switch event {
        case .command(let command, let person, _):
            let refusal = effects.lazy.compactMap { effect in
                if case .refused(let refusal) = effect { refusal.sentence } else { nil }
            }.first
            report.interventions.append(
                .init(
                    at: now, who: person.name, what: command.words.joined(separator: " "), refused: refusal))
        case .fault(let fault):
            if let open = indexOfOpenFault(fault.id) {
                report.faults[open].sentence = fault.sentence
            } else {
                report.faults.append(.init(at: now, until: nil, id: fault.id, sentence: fault.sentence))
            }
        case .faultEnded(let id):
            if let open = indexOfOpenFault(id) { report.faults[open].until = now }
        case .restarted:
            guard hasBegun else { break }
            let told = effects.lazy.compactMap { effect in
                if case .showNotice("restarted", let sentence) = effect { sentence } else { nil }
            }.first
            report.notes.append(
                .init(at: now, text: told ?? "The server was restarted and continued the show."))
        case .followerReport, .tick, .programmeChanged, .titlesEdited, .failoverTermChanged, .setPreShowCheck,
            .floor:
            break
        }
    }

    private func indexOfOpenFault(_ id: String) -> Int? {
        report.faults.lastIndex { $0.id == id && $0.until == nil }
    }

    private mutating func addTraffic(_ count: PacketAndClientCounts, at now: Int64) {
        report.packets.append([now, Int64(clamping: count.packets)])
        let clients = Int64(count.clients.values.reduce(0, +))
        // No point is added to the curve while the number of clients stays the same.
        if let last = report.clients.last, last[1] == clients { return }
        report.clients.append([now, clients])
    }

    static func secondsFromMilliseconds(_ milliseconds: Int64) -> Double { Double(milliseconds) / 1_000 }
}
