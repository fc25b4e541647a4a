import Podium

/// Carries out the show's effects in one medium, such as packets, the follower or show control.
///
/// Its methods are called in order on the show engine's thread and must not block.
package protocol ShowOutput: Sendable {
    func performEffect(_ effect: PodiumEffect, of course: ShowProgramme)
    /// Called with a snapshot of the show after all effects of an event, and otherwise about ten times a second.
    func receiveSnapshot(_ snapshot: ShowEngineSnapshot)
    func close() async
}

extension ShowOutput {
    package func receiveSnapshot(_ snapshot: ShowEngineSnapshot) {}
    package func close() async {}
}

/// A snapshot of the whole show at one moment, for the outputs that display or publish it.
package struct ShowEngineSnapshot: Sendable {
    package var now: ShowTime
    package var programme: ShowProgramme
    package var state: PodiumState
    /// The official position within its measure at this moment, from 0 to 1.
    package var measureFraction: Double
    package var newestReport: StampedReport?
    /// True while this server is the active one. While it is false, only this server's own consoles get the snapshot.
    package var isActiveServer: Bool
    /// The distance to the next cue, in measures and seconds; nil if there is none.
    package var nextCueCountdown: CueCountdown?
    /// The follower's position that is still in doubt, with the time at which it counts as proven; nil if none is in
    /// doubt.
    package var pendingPositionProof: ExpectedPlaceProof?

    package var secretEncores: [Int] { programme.secretEncores(heard: state.heard) }
    /// The programme as people are told of it.
    package var announcedProgramme: ShowProgramme { programme.leavingOut(secretEncores) }

    package init(
        now: ShowTime, programme: ShowProgramme, state: PodiumState, measureFraction: Double,
        newestReport: StampedReport? = nil,
        isActiveServer: Bool, nextCueCountdown: CueCountdown? = nil,
        pendingPositionProof: ExpectedPlaceProof? = nil
    ) {
        self.now = now
        self.programme = programme
        self.state = state
        self.measureFraction = measureFraction
        self.newestReport = newestReport
        self.isActiveServer = isActiveServer
        self.nextCueCountdown = nextCueCountdown
        self.pendingPositionProof = pendingPositionProof
    }
}

/// Values that several outputs derive from a snapshot of the show.
extension ShowEngineSnapshot {
    package var piece: ShowPiece { programme.pieces[state.piece] }
    package var printedMeasure: Int { piece.printedMeasure(at: state.position.played) }
    /// The label of the section at the position; empty if the piece has no sections.
    package var sectionLabel: String { piece.section(at: state.position.played)?.label ?? "" }
    /// The follower's confidence, from 0 to 1; 0 while no music is heard.
    package var confidence: Double { confidenceInMusic ?? 0 }
    /// Technical faults that are not over, oldest first.
    package var openFaults: [TechnicalFaultRecord] { state.faults.filter { !$0.isOver } }

    /// The confidence in the newest report; nil while there is no music. In a silent room, or before the first note,
    /// the follower's guesses mean nothing.
    package var confidenceInMusic: Double? {
        guard let said = newestReport?.concertReport, !said.isSilent else { return nil }
        switch said.positionReport.state {
        case .following, .coasting, .lost: return roundedToThousandths(said.positionReport.confidence)
        case .waiting, .finished: return nil
        }
    }
}
