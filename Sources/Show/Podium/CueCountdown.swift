/// The distance to the next cue.
public struct CueCountdown: Hashable, Sendable, Codable {
    public var cue: Cue.ID
    /// Number of bar lines until its measure begins.
    public var measures: Int
    /// Seconds at the present tempo; nil while the position stands.
    public var seconds: Double?

    public init(cue: Cue.ID, measures: Int, seconds: Double?) {
        self.cue = cue
        self.measures = measures
        self.seconds = seconds
    }
}

extension Podium {
    /// The distance to the next cue that has not fired and whose measure has not begun; nil after the last one.
    public func countdown(at now: ShowTime) -> CueCountdown? {
        let here = state.position.played
        let next = piece.cues.cues.first {
            !state.fired.contains($0.id) && ($0.played > here || ($0.played == here && !hasBegun))
        }
        guard let next else { return nil }
        let seconds = secondsUntil(next.played, at: now).map { ($0 * 10).rounded() / 10 }
        return CueCountdown(cue: next.id, measures: next.played - here, seconds: seconds)
    }

    /// True if the music of the present measure already sounds.
    private var hasBegun: Bool { state.pace > 0 || state.position.fraction > 0 }
}
