import Concert
import Following
import Foundation
import Hosting
import Platform
import Podium
import Score

/// Builds the console's sections from a snapshot of the show.
extension ShowEngineSnapshot {
    var positionSection: PositionSection {
        let shown = state.shown
        return PositionSection(
            piece: state.piece, pieceName: piece.name.text,
            measure: state.isPlaceKnown && !programme.isEmpty ? printedMeasure : nil,
            played: state.isPlaceKnown && !programme.isEmpty ? state.position.played : nil,
            playedCount: piece.playedMeasureCount,
            fraction: roundedToThousandths(measureFraction),
            section: piece.section(at: state.position.played)?.label,
            tempo: roundedToThousandths(state.tempo),
            holder: PositionSection.HolderJSON(kind: state.holder.kind, name: state.holder.name),
            epoch: state.epoch.description, mode: state.mode.rawValue,
            sinceMs: max(now.milliseconds(since: state.modeSince), 0), sentAt: reportTimeMilliseconds,
            audience: PositionSection.AudiencePositionJSON(
                view: state.view.rawValue, why: reasonNothingIsLive, piece: shown?.piece,
                measure: shown?.printed),
            proving: positionAwaitingConfirmation)
    }

    /// The reason why the audience sees nothing live, in the spelling of the console's API; nil while something is
    /// live.
    private var reasonNothingIsLive: String? {
        guard state.view == .ended else { return nil }
        if state.panic == .stop { return "stop" }
        if state.check != nil { return "check" }
        if state.isIntermission { return "intermission" }
        if state.isRehearsal { return "rehearsal" }
        if state.isAwaitingPause { return "pause" }
        if state.isAwaitingArming { return "not-armed" }
        switch state.phase {
        case .before: return "before"
        case .during: return "ended"
        case .over: return "over"
        }
    }

    private var positionAwaitingConfirmation: PositionSection.PositionAwaitingConfirmation? {
        guard let proof = pendingPositionProof, let measure = state.follower?.printed else { return nil }
        return PositionSection.PositionAwaitingConfirmation(
            measure: measure, inMs: proof.provenAt.map { max($0.milliseconds(since: now), 0) })
    }

    /// The time of the newest report by the wall clock, in milliseconds since 1970, so that a page on the same machine
    /// can measure the delay.
    private var reportTimeMilliseconds: Int64 {
        let age = newestReport.map { MonotonicClock.now.nanoseconds - $0.publishedAt.nanoseconds } ?? 0
        return Int64(Date().timeIntervalSince1970 * 1_000) - age / 1_000_000
    }

    var followerSection: FollowerSection? {
        guard let said = newestReport?.concertReport, programme.pieces.indices.contains(said.pieceIndex)
        else {
            return nil
        }
        let report = said.positionReport
        return FollowerSection(
            piece: said.pieceIndex, measure: report.printedMeasure, played: report.position?.played,
            fraction: roundedToThousandths(report.position?.fraction ?? 0), state: report.state.rawValue,
            confidence: confidenceInMusic, silent: said.isSilent,
            tempo: roundedToThousandths(report.tempo.value),
            transposition: report.transpositionSemitones, tuningCents: report.tuningCents.rounded(),
            candidates: FollowerReport(said, order: 0).candidates.map {
                makeCandidateJSON($0, in: programme.pieces[said.pieceIndex])
            })
    }

    var followerHelpRequestSection: FollowerHelpRequestSection? {
        state.askedHelp.map {
            FollowerHelpRequestSection(candidates: $0.map { makeCandidateJSON($0, in: piece) })
        }
    }

    private func makeCandidateJSON(_ candidate: CandidateMeasure, in piece: ShowPiece)
        -> PositionCandidateJSON
    {
        PositionCandidateJSON(
            place: "p:\(candidate.played)", measure: candidate.printed,
            section: piece.section(at: candidate.played)?.label, probability: candidate.probability)
    }

    /// Makes the console's section `cues`.
    /// - Parameter troubles: the reason for each cue of the present piece that cannot be sent, by the cue's id.
    func cuesSection(troubles: [Cue.ID: String] = [:]) -> CuesSection {
        let list = piece.cues.cues.map { cue in
            CuesSection.CueItemJSON(
                id: cue.id, place: cue.place.description, played: cue.played, name: cue.name,
                kind: cue.kind.rawValue, auto: cue.isAutomatic, earlinessMs: cue.earlinessMilliseconds,
                begin: CueBeginning(cue).rawValue, notes: cue.notes, fired: state.fired.contains(cue.id),
                failed: state.hasFailed(FailedCue(piece: state.piece, cue: cue.id)),
                detail: cue.target.isEmpty ? cue.payload : "\(cue.target) \(cue.payload)",
                trouble: troubles[cue.id])
        }
        let next = nextCueCountdown.map {
            CuesSection.NextCueJSON(id: $0.cue, inMeasures: $0.measures, inSeconds: $0.seconds)
        }
        return CuesSection(piece: state.piece, standby: state.standby, next: next, list: list)
    }

    var programmeSection: ProgrammeSection {
        ProgrammeSection(
            pieces: programme.pieces.enumerated().map { index, piece in
                ProgrammeSection.PieceItemJSON(
                    index: index, name: piece.name.text, folder: piece.folder,
                    measures: piece.playedMeasureCount,
                    state: pieceStateInProgramme(of: index),
                    sections: piece.sections.map {
                        ProgrammeSection.SectionJSON(
                            label: $0.label, place: piece.measureReference(at: $0.start).description,
                            played: $0.start)
                    },
                    durationSeconds: roundedToThousandths(
                        piece.measures.end.seconds - piece.measures.marks[0].onset.seconds))
            }, empty: programme.isEmpty, intermissions: programme.intermissions,
            encores: programme.evening.encores)
    }

    /// Returns a piece's state in the programme: now, played, next, skipped or later. A piece counts as played if music
    /// was followed or tapped in it, in any order.
    private func pieceStateInProgramme(of index: Int) -> String {
        if index == state.piece { return "now" }
        if state.heard?.contains(index) == true { return "played" }
        if index == state.piece + 1 { return "next" }
        return index < state.piece ? "skipped" : "later"
    }

    /// Makes the console's section `message`.
    /// - Parameter content: the messages prepared in this concert's content.
    func pushMessageSection(from content: [PushMessage] = []) -> PushMessageSection {
        PushMessageSection(
            current: state.message.map(PushMessageSection.Message.init),
            templates: PushMessageSection.readyMadeMessages,
            content: content.map(PushMessageSection.Message.init))
    }

    func makeFaultsJSON(wallClock: (ShowTime) -> String) -> [FaultJSON] {
        state.faults.map {
            FaultJSON(
                id: $0.id, sentence: $0.sentence, since: wallClock($0.since), count: $0.count, over: $0.isOver
            )
        }
    }

    /// - Parameter goneOn: where the evening went on after an interruption; nil if it was not interrupted.
    func showSwitchesSection(server: ServerJSON, started: String, goneOn: PodiumState? = nil)
        -> ShowSwitchesSection
    {
        let evening = programme.evening
        return ShowSwitchesSection(
            title: evening.title, kind: evening.kind.rawValue, date: evening.date, place: evening.place,
            people: evening.peopleText,
            goesOn: goneOn.map { $0.mayHavePlayed && standsAsBefore($0) } ?? false, server: server,
            locked: state.isLocked, panic: state.panic.rawValue,
            rehearsal: state.isRehearsal, black: state.isBlack, frozen: state.isFrozen,
            paused: state.isPaused, held: state.isHeld, intermission: state.isIntermission,
            autoAdvance: state.advancesByItself, evening: state.stage.rawValue,
            armEachPiece: state.isEachPieceArmed, started: started)
    }
}

extension ShowEngineSnapshot {
    private func standsAsBefore(_ earlier: PodiumState) -> Bool {
        state.piece == earlier.piece && state.position.played == earlier.position.played
            && state.isRehearsal == earlier.isRehearsal && state.phase == earlier.phase
    }
}

extension PushMessageSection.Message {
    init(_ message: PushMessage) {
        self.init(
            title: message.title, body: message.body, style: message.style.spelling,
            buttonText: message.buttonText)
    }
}

extension PushMessageSection {
    /// Ready-made messages for every concert.
    static let readyMadeMessages = [
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
