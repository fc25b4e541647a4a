import Concert
import Following
import Foundation
import Hosting
import Podium
import RealTime
import Score

/// Builds the console's sections from a snapshot of the show.
extension ShowEngineSnapshot {
    var positionSection: PositionSection {
        let shown = state.shown
        return PositionSection(
            piece: state.piece, pieceName: piece.name.text,
            measure: state.isPlaceKnown ? printed : nil,
            played: state.isPlaceKnown ? state.position.played : nil, playedCount: piece.playedCount,
            fraction: roundedToThousandths(fraction),
            section: piece.section(at: state.position.played)?.label,
            tempo: roundedToThousandths(state.tempo),
            holder: PositionSection.HolderJSON(kind: state.holder.kind, name: state.holder.name),
            epoch: state.epoch.description, mode: state.mode.rawValue,
            sinceMs: max(now.milliseconds(since: state.modeSince), 0), sentAt: reportTimeMilliseconds,
            audience: PositionSection.Audience(
                view: state.view.rawValue, why: reasonNothingIsLive, piece: shown?.piece,
                measure: shown?.printed),
            proving: proving)
    }

    /// Why the audience sees nothing live, in the spelling of the console's API; nil while something is live.
    private var reasonNothingIsLive: String? {
        guard state.view == .ended else { return nil }
        if state.panic == .stop { return "stop" }
        if state.check != nil { return "check" }
        if state.isIntermission { return "intermission" }
        if state.isRehearsal { return "rehearsal" }
        switch state.phase {
        case .before: return "before"
        case .during: return "ended"
        case .over: return "over"
        }
    }

    private var proving: PositionSection.Proving? {
        guard let proof = proofEnd, let measure = state.follower?.printed else { return nil }
        return PositionSection.Proving(
            measure: measure, inMs: proof.end.map { max($0.milliseconds(since: now), 0) })
    }

    /// The time of the newest report by the wall clock, so that a page on the same machine can measure the delay.
    private var reportTimeMilliseconds: Int64 {
        let age = newest.map { MonotonicClock.now.nanoseconds - $0.made.nanoseconds } ?? 0
        return Int64(Date().timeIntervalSince1970 * 1_000) - age / 1_000_000
    }

    var followerSection: FollowerSection? {
        guard let said = newest?.concertReport, course.pieces.indices.contains(said.piece) else { return nil }
        let report = said.report
        return FollowerSection(
            piece: said.piece, measure: report.printedMeasure, played: report.position?.played,
            fraction: roundedToThousandths(report.position?.fraction ?? 0), state: report.state.rawValue,
            confidence: confidenceInMusic, silent: said.isSilent,
            tempo: roundedToThousandths(report.tempo.value),
            transposition: report.transpositionSemitones, tuningCents: report.tuningCents.rounded(),
            candidates: FollowerReport(said, order: 0).candidates.map {
                candidateJSON($0, in: course.pieces[said.piece])
            })
    }

    var helpSection: HelpSection? {
        state.askedHelp.map { HelpSection(candidates: $0.map { candidateJSON($0, in: piece) }) }
    }

    private func candidateJSON(_ candidate: Candidate, in piece: ShowPiece) -> CandidateJSON {
        CandidateJSON(
            place: "p:\(candidate.played)", measure: candidate.printed,
            section: piece.section(at: candidate.played)?.label, probability: candidate.probability)
    }

    /// - Parameter troubles: for each cue of the present piece that cannot be sent, the reason.
    func cuesSection(troubles: [Cue.ID: String] = [:]) -> CuesSection {
        let list = piece.cues.cues.map { cue in
            CuesSection.Item(
                id: cue.id, place: cue.place.description, played: cue.played, name: cue.name,
                kind: cue.kind.rawValue, auto: cue.isAutomatic, earlinessMs: cue.earlinessMilliseconds,
                notes: cue.notes, fired: state.fired.contains(cue.id),
                failed: state.hasFailed(FailedCue(piece: state.piece, cue: cue.id)),
                detail: cue.target.isEmpty ? cue.payload : "\(cue.target) \(cue.payload)",
                trouble: troubles[cue.id])
        }
        let next = countdown.map {
            CuesSection.Next(id: $0.cue, inMeasures: $0.measures, inSeconds: $0.seconds)
        }
        return CuesSection(piece: state.piece, standby: state.standby, next: next, list: list)
    }

    var programmeSection: ProgrammeSection {
        ProgrammeSection(
            pieces: course.pieces.enumerated().map { index, piece in
                ProgrammeSection.Item(
                    index: index, name: piece.name.text, folder: piece.folder, measures: piece.playedCount,
                    state: programmeState(of: index),
                    sections: piece.sections.map {
                        ProgrammeSection.SectionJSON(
                            label: $0.label, place: piece.place(at: $0.start).description, played: $0.start)
                    },
                    durationSeconds: roundedToThousandths(
                        piece.measures.end.seconds - piece.measures.marks[0].onset.seconds))
            })
    }

    /// The piece's state in the programme. It counts as played if music was followed or tapped in it, in any order.
    private func programmeState(of index: Int) -> String {
        if index == state.piece { return "now" }
        if state.heard?.contains(index) == true { return "played" }
        if index == state.piece + 1 { return "next" }
        return index < state.piece ? "skipped" : "later"
    }

    /// - Parameter content: the messages prepared in this concert's content.
    func messageSection(from content: [PushMessage] = []) -> MessageSection {
        MessageSection(
            current: state.message.map(MessageSection.Message.init), templates: MessageSection.usual,
            content: content.map(MessageSection.Message.init))
    }

    func faultFields(wallClock: (ShowTime) -> String) -> [FaultJSON] {
        state.faults.map {
            FaultJSON(
                id: $0.id, sentence: $0.sentence, since: wallClock($0.since), count: $0.count, over: $0.isOver
            )
        }
    }

    func showSection(server: ServerJSON, started: String) -> ShowSwitchesSection {
        ShowSwitchesSection(
            title: course.title, server: server, locked: state.isLocked, panic: state.panic.rawValue,
            rehearsal: state.isRehearsal, black: state.isBlack, frozen: state.isFrozen,
            paused: state.isPaused, held: state.isHeld, intermission: state.isIntermission,
            autoAdvance: state.advancesByItself, started: started)
    }
}

extension MessageSection.Message {
    init(_ message: PushMessage) {
        self.init(
            title: message.title, body: message.body, style: message.style.spelling,
            buttonText: message.buttonText)
    }
}

extension MessageSection {
    /// Ready-made messages for every concert.
    static let usual = [
        Message(
            title: "Welcome", body: "Please silence your phone. Enjoy the concert.", style: "BUTTON",
            buttonText: "Will do"),
        Message(
            title: "Intermission", body: "The concert goes on in 20 minutes.", style: "AUTO", buttonText: ""),
        Message(title: "In a moment", body: "The music is about to begin.", style: "AUTO", buttonText: ""),
        Message(
            title: "Thank you", body: "Thank you for listening with us tonight.", style: "BUTTON",
            buttonText: "Good night"),
    ]
}
