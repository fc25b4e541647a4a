import Basics

/// Keeps a finished piece at its end until the piece's own music has certainly returned, and notices other sound.
///
/// Without this, a follower at the end of its piece would search the piece for whatever sounds next, and would trust
/// wrong places for seconds.
struct FinishedPieceKeeper {
    private(set) var isKeptAtEnd = false
    private var ownMusicStreak = ConfidenceStreak()
    private var soundSince: Double?
    private var quietSince: Double?
    private var newestLiveSeconds = 0.0

    /// The seconds for which the piece's own music must be heard again, as in a repeat from the beginning or an encore.
    static let ownMusicSecondsToRelease = 4.0
    /// The seconds of sound after which the sound counts as other music or applause.
    private static let otherSoundSeconds = 5.0
    /// The seconds of silence that are more than a rest in the music.
    private static let silenceSeconds = 1.0

    /// Updates the state after a hop.
    mutating func updateAfterHop(_ report: PositionReport, isQuiet: Bool) {
        newestLiveSeconds = report.liveTime.seconds
        quietSince = isQuiet ? quietSince ?? newestLiveSeconds : nil
        let isSilent = quietSince.map { newestLiveSeconds - $0 >= Self.silenceSeconds } ?? false
        soundSince = isSilent || !isKeptAtEnd ? nil : soundSince ?? newestLiveSeconds
        if report.state == .finished { keepAtEnd() }
        guard isKeptAtEnd else { return }
        ownMusicStreak.addReport(report, at: newestLiveSeconds)
        if ownMusicStreak.durationSeconds >= Self.ownMusicSecondsToRelease { isKeptAtEnd = false }
    }

    mutating func keepAtEnd() {
        guard !isKeptAtEnd else { return }
        isKeptAtEnd = true
        ownMusicStreak.endStreak()
        soundSince = nil
    }

    mutating func releaseFromEnd() { self = FinishedPieceKeeper() }

    /// The state to display while the piece is kept at its end: `finished` at first, `waiting` once something else
    /// sounds.
    var displayedState: FollowerState {
        soundSince.map { newestLiveSeconds - $0 >= Self.otherSoundSeconds } ?? false ? .waiting : .finished
    }
}
