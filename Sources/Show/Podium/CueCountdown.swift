/// The distance to the next cue, in measures and in seconds.
public struct CueCountdown: Hashable, Sendable, Codable {
    public var cue: Cue.ID
    /// The number of bar lines from the present position to the cue's measure.
    public var measures: Int
    /// Seconds until the cue, as predicted; nil while the position of the music stands still.
    public var seconds: Double?

    public init(cue: Cue.ID, measures: Int, seconds: Double?) {
        self.cue = cue
        self.measures = measures
        self.seconds = seconds
    }
}

extension Podium {
    /// Returns the distance to the next cue that has not fired and whose measure has not begun; nil after the last cue.
    public func cueCountdown(at now: ShowTime) -> CueCountdown? {
        let here = state.position.played
        let next = currentPiece.cues.cues.first {
            !state.fired.contains($0.id) && ($0.played > here || ($0.played == here && !hasMeasureBegun))
        }
        guard let next else { return nil }
        let seconds = secondsUntilMeasure(next.played, at: now).map { ($0 * 10).rounded() / 10 }
        return CueCountdown(cue: next.id, measures: next.played - here, seconds: seconds)
    }

    /// True if the music of the present measure already sounds.
    private var hasMeasureBegun: Bool { state.pace > 0 || state.position.fraction > 0 }
}
