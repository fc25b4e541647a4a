/// How far it is to the next cue.
public struct Countdown: Hashable, Sendable, Codable {
    public var cue: Cue.ID
    /// Bar lines until its measure begins.
    public var measures: Int
    /// By the present tempo; nil where the position stands.
    public var seconds: Double?

    public init(cue: Cue.ID, measures: Int, seconds: Double?) {
        self.cue = cue
        self.measures = measures
        self.seconds = seconds
    }
}

extension Podium {
    /// How far it is to the next cue that has not fired and whose measure has not begun; nil behind the last.
    public func countdown(at now: ShowTime) -> Countdown? {
        let here = state.position.played
        let next = piece.cues.cues.first {
            !state.fired.contains($0.id) && ($0.played > here || ($0.played == here && !hasBegun))
        }
        guard let next else { return nil }
        let seconds = secondsUntil(next.played, at: now).map { ($0 * 10).rounded() / 10 }
        return Countdown(cue: next.id, measures: next.played - here, seconds: seconds)
    }

    /// The music of the measure sounds already.
    private var hasBegun: Bool { state.pace > 0 || state.position.fraction > 0 }
}
