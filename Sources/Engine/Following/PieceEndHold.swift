import MusicalTime

/// Keeps a finished piece at its end until the piece's own music has certainly returned, and notices other sound.
///
/// Without this, a follower at the end of its piece would search the piece for whatever sounds next, and would trust
/// wrong places for seconds.
struct PieceEndHold {
    private(set) var isHeld = false
    private var ownMusicStreak = ConfidenceStreak()
    private var soundSince: Double?
    private var quietSince: Double?
    private var newest = 0.0

    /// The seconds for which the piece's own music must be heard again, as in a repeat from the beginning or an encore.
    static let returnSeconds = 4.0
    /// The seconds of sound after which the sound counts as other music or applause.
    private static let otherSoundSeconds = 5.0
    /// The seconds of silence that are more than a rest in the music.
    private static let silenceSeconds = 1.0

    /// Updates the state after a hop.
    mutating func step(_ report: PositionReport, isQuiet: Bool) {
        newest = report.liveTime.seconds
        quietSince = isQuiet ? quietSince ?? newest : nil
        let isSilent = quietSince.map { newest - $0 >= Self.silenceSeconds } ?? false
        soundSince = isSilent || !isHeld ? nil : soundSince ?? newest
        if report.state == .finished { hold() }
        guard isHeld else { return }
        ownMusicStreak.add(report, at: newest)
        if ownMusicStreak.seconds >= Self.returnSeconds { isHeld = false }
    }

    mutating func hold() {
        guard !isHeld else { return }
        isHeld = true
        ownMusicStreak.startAnew()
        soundSince = nil
    }

    mutating func release() { self = PieceEndHold() }

    /// The state to display while the piece is kept at its end: `finished` at first, `waiting` once something else
    /// sounds.
    var state: FollowerState {
        soundSince.map { newest - $0 >= Self.otherSoundSeconds } ?? false ? .waiting : .finished
    }
}
