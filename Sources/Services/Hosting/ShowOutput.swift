import Podium

/// Carries out what follows from an event: sends packets, moves the follower, tells show control.
///
/// Called on the desk's thread, in order; must not wait for anybody.
package protocol ShowOutput: Sendable {
    func carry(_ effect: PodiumEffect, of course: ShowProgramme)
    /// After all effects of an event, and now and then in between.
    func show(_ picture: DeskPicture)
    func close() async
}

extension ShowOutput {
    package func show(_ picture: DeskPicture) {}
    package func close() async {}
}

/// Everything that the desk knows at one moment, for those who show it.
package struct DeskPicture: Sendable {
    package var now: ShowTime
    package var course: ShowProgramme
    package var state: PodiumState
    /// The authoritative position now, within its measure too.
    package var fraction: Double
    package var newest: LiveReport?
    /// False while another server reigns: only this server's consoles are told.
    package var isOurs: Bool
    /// How far it is to the next cue.
    package var countdown: CueCountdown?
    /// A place of the follower's that must prove itself, and when it will have; nil where none does.
    package var proofEnd: PlaceProofTime?

    package init(
        now: ShowTime, course: ShowProgramme, state: PodiumState, fraction: Double, newest: LiveReport? = nil,
        isOurs: Bool, countdown: CueCountdown? = nil, proofEnd: PlaceProofTime? = nil
    ) {
        self.now = now
        self.course = course
        self.state = state
        self.fraction = fraction
        self.newest = newest
        self.isOurs = isOurs
        self.countdown = countdown
        self.proofEnd = proofEnd
    }
}

/// What every output says of a picture.
extension DeskPicture {
    package var piece: ShowPiece { course.pieces[state.piece] }
    package var printed: Int { piece.printed(at: state.position.played) }
    /// Empty where the piece has none.
    package var sectionLabel: String { piece.section(at: state.position.played)?.label ?? "" }
    /// 0 while no music is heard.
    package var confidence: Double { heardConfidence ?? 0 }
    /// The newest is the last.
    package var openFaults: [TechnicalFaultRecord] { state.faults.filter { !$0.isOver } }

    /// Of the newest report; nil where no music is heard that it could be about: what a follower makes of a silent
    /// room, or of a hall before the first note, is no measure of anything.
    package var heardConfidence: Double? {
        guard let said = newest?.said, !said.isSilent else { return nil }
        switch said.report.state {
        case .following, .coasting, .lost: return thousandths(said.report.confidence)
        case .waiting, .finished: return nil
        }
    }
}
