import Podium

/// Builds a report line by line.
struct ShowReportBuilder {
    private var report = ShowReport()
    /// The measure being played: piece, and index into its rows.
    private var present: (piece: Int, row: Int)?
    /// True if the present measure was not entered at its beginning, or if somebody moved the position or stopped the
    /// music in it: its length then says nothing about the tempo.
    private var isMeasureBroken = false
    private var lastConfidence: (at: Int64, value: Double)?
    private var lastState: (piece: Int, state: String)?
    private var lastHolder = ""

    mutating func take(_ step: ShowReplay.Step, _ podium: Podium) {
        let now = step.time.milliseconds
        report.lastedMilliseconds = max(report.lastedMilliseconds, now)
        nameNewPieces(of: podium)
        if Self.breaksMeasure(step) { isMeasureBroken = true }
        takePosition(podium, at: now, isOnDownbeat: Self.isOnDownbeat(step))
        takeFollower(step, podium, at: now)
        takeHolder(podium, at: now)
        if let event = step.event { take(event, step.effects, podium, at: now) }
        if let count = step.count { take(count, at: now) }
        if let note = step.note { report.notes.append(.init(at: now, text: note)) }
        if step.isEnd { report.ended = step.wall } else if step.event != nil { report.ended = nil }
    }

    func finished() -> ShowReport { report }

    private mutating func nameNewPieces(of podium: Podium) {
        for piece in podium.course.pieces.dropFirst(report.pieces.count) {
            report.pieces.append(.init(name: piece.name.text))
        }
    }

    /// Adds a row if the authoritative position has entered another measure.
    /// - Parameter isOnDownbeat: true if a measure entered now also begins now; nil if unknown: then it begins now if
    ///   it follows the previous one.
    private mutating func takePosition(_ podium: Podium, at now: Int64, isOnDownbeat: Bool?) {
        let state = podium.state
        guard state.isLive, state.isPlaceKnown, podium.course.pieces.indices.contains(state.piece) else {
            present = nil
            return
        }
        let played = state.position.played
        var followsOn = true
        if let present, present.piece == state.piece {
            let row = report.pieces[present.piece].measures[present.row]
            guard row.played != played else { return }
            followsOn = played == row.played + 1
            if followsOn, !isMeasureBroken {
                report.pieces[present.piece].measures[present.row].liveSeconds = Self.seconds(now - row.at)
            }
        }
        let measures = podium.course.pieces[state.piece].measures
        guard measures.marks.indices.contains(played) else { return }
        let length = measures.onset(after: played).seconds - measures.marks[played].onset.seconds
        report.pieces[state.piece].measures.append(
            .init(
                measure: measures.marks[played].printed, played: played, at: now,
                referenceSeconds: (length * 1_000).rounded() / 1_000))
        present = (state.piece, report.pieces[state.piece].measures.count - 1)
        isMeasureBroken = !(isOnDownbeat ?? followsOn)
    }

    /// True for a successful command that moves the position, or stops or continues the music; and for a restart.
    private static func breaksMeasure(_ step: ShowReplay.Step) -> Bool {
        if case .restarted? = step.event { return true }
        guard case .command(let command, _, _)? = step.event else { return false }
        let isRefused = step.effects.contains { if case .refused = $0 { true } else { false } }
        guard !isRefused else { return false }
        switch command {
        case .nudge, .goTo, .barIsNow, .choose, .hold, .resume, .pauseAll, .resumeAll, .release, .piece,
            .nextPiece, .intermission:
            return true
        default: return false
        }
    }

    /// True if a person's command puts the music on the beginning of a measure; nil if the step is no person's
    /// command.
    private static func isOnDownbeat(_ step: ShowReplay.Step) -> Bool? {
        guard case .command(let command, _, _)? = step.event else { return nil }
        switch command {
        case .tap, .barIsNow: return true
        default: return false
        }
    }

    private mutating func takeFollower(_ step: ShowReplay.Step, _ podium: Podium, at now: Int64) {
        let piece = podium.state.piece
        guard report.pieces.indices.contains(piece) else { return }
        let mode = podium.state.mode.rawValue
        if lastState.map({ $0.piece != piece || $0.state != mode }) ?? true {
            lastState = (piece, mode)
            report.pieces[piece].states.append(.init(at: now, what: mode))
        }
        guard case .report(let word)? = step.event, report.pieces.indices.contains(word.piece) else { return }
        // Two points a second are enough for a curve.
        if let lastConfidence, now - lastConfidence.at < 500, lastConfidence.value == word.confidence {
            return
        }
        lastConfidence = (now, word.confidence)
        report.pieces[word.piece].confidence.append([Double(now), word.confidence])
    }

    private mutating func takeHolder(_ podium: Podium, at now: Int64) {
        let holder = podium.state.holder
        let text = holder.name.isEmpty ? holder.kind : holder.kind + " " + holder.name
        guard text != lastHolder else { return }
        lastHolder = text
        report.holders.append(.init(at: now, what: text))
    }

    private mutating func take(
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
            if let open = openFault(fault.id) {
                report.faults[open].sentence = fault.sentence
            } else {
                report.faults.append(.init(at: now, until: nil, id: fault.id, sentence: fault.sentence))
            }
        case .faultEnded(let id):
            if let open = openFault(id) { report.faults[open].until = now }
        case .restarted:
            report.notes.append(.init(at: now, text: "The server was restarted and continued the show."))
        case .report, .tick, .course, .term, .check: break
        }
    }

    private func openFault(_ id: String) -> Int? {
        report.faults.lastIndex { $0.id == id && $0.until == nil }
    }

    private mutating func take(_ count: TrafficCount, at now: Int64) {
        report.packets.append([now, Int64(clamping: count.packets)])
        let clients = Int64(count.clients.values.reduce(0, +))
        // No point is added while the number of clients stays the same.
        if let last = report.clients.last, last[1] == clients { return }
        report.clients.append([now, clients])
    }

    static func seconds(_ milliseconds: Int64) -> Double { Double(milliseconds) / 1_000 }
}
