import MusicalTime

/// Keeps a finished piece at its end until its own music has certainly returned, and notices other sound.
///
/// A follower at the end of its piece would keep searching the piece for whatever sounds next, and would trust wrong
/// places for seconds.
struct PieceEndHold {
    private(set) var isHeld = false
    private var own = ConfidenceStreak()
    private var soundSince: Double?
    private var quietSince: Double?
    private var newest = 0.0

    /// Seconds for which the piece's own music must be heard again: a repeat from the beginning, or an encore.
    static let returning = 4.0
    /// Seconds of sound after which it is other music, or applause.
    private static let otherSound = 5.0
    /// Seconds of silence that are more than a rest.
    private static let breath = 1.0

    /// Updates the state after a hop.
    mutating func step(_ report: PositionReport, isQuiet: Bool) {
        newest = report.live.seconds
        quietSince = isQuiet ? quietSince ?? newest : nil
        let isSilent = quietSince.map { newest - $0 >= Self.breath } ?? false
        soundSince = isSilent || !isHeld ? nil : soundSince ?? newest
        if report.state == .finished { hold() }
        guard isHeld else { return }
        own.see(report, at: newest)
        if own.seconds >= Self.returning { isHeld = false }
    }

    mutating func hold() {
        guard !isHeld else { return }
        isHeld = true
        own.startAnew()
        soundSince = nil
    }

    mutating func release() { self = PieceEndHold() }

    /// The state to display at a held end: `finished`, then `waiting` once something else sounds.
    var state: FollowerState {
        soundSince.map { newest - $0 >= Self.otherSound } ?? false ? .waiting : .finished
    }
}
