import Podium

/// Carries out what follows from an event: sends packets, moves the follower, tells show control.
///
/// Called on the desk's thread, in order; must not wait for anybody.
protocol ShowOutput: Sendable {
    func carry(_ effect: PodiumEffect, of course: ShowCourse)
    /// After all effects of an event, and now and then in between.
    func show(_ picture: DeskPicture)
    func close() async
}

extension ShowOutput {
    func show(_ picture: DeskPicture) {}
    func close() async {}
}

/// Everything that the desk knows at one moment, for those who show it.
struct DeskPicture: Sendable {
    var now: ShowTime
    var course: ShowCourse
    var state: PodiumState
    /// The authoritative position now, within its measure too.
    var fraction: Double
    var newest: LiveReport?
    /// False while another server reigns: only this server's consoles are told.
    var isOurs: Bool
    /// How far it is to the next cue.
    var countdown: Countdown?
    /// A place of the follower's that must prove itself, and when it will have; nil where none does.
    var proofEnd: PlaceProof?
}

/// What every output says of a picture.
extension DeskPicture {
    var piece: ShowPiece { course.pieces[state.piece] }
    var printed: Int { piece.printed(at: state.position.played) }
    /// Empty where the piece has none.
    var sectionLabel: String { piece.section(at: state.position.played)?.label ?? "" }
    /// 0 while no music is heard.
    var confidence: Double { heardConfidence ?? 0 }
    /// The newest is the last.
    var openFaults: [FaultRecord] { state.faults.filter { !$0.isOver } }
}
