import Podium
import Score

/// The position of the music as it is sent to stands.
public struct LivePositionUpdate: Hashable, Sendable, Codable {
    /// The movement, as an index into ``Score/movements``.
    public var movement: Int
    /// The score whose movement it is; nil for the one with which the room was made.
    public var score: Score.ID?
    /// The played measure of the reference, with the fraction of it that has passed; nil while the position is unknown.
    public var position: ScorePosition?
    /// The printed number of the measure; nil while the position is unknown.
    public var measure: Int?
    /// The tempo in seconds of reference per second; 0 while the position stands still.
    public var tempo: Double
    public var trust: LivePositionTrust
    /// True if the position has jumped to another place since the previous message.
    public var jumped: Bool

    public init(
        movement: Int, position: ScorePosition?, measure: Int? = nil, tempo: Double = 1,
        trust: LivePositionTrust,
        jumped: Bool = false
    ) {
        self.movement = movement
        self.position = position
        self.measure = measure
        self.tempo = tempo.isFinite ? min(max(tempo, 0), 10) : 0
        self.trust = trust
        self.jumped = jumped
    }

    /// Creates the update from a report of the follower.
    /// - Parameter movement: the index of the score's movement that is the report's piece.
    public init(_ word: FollowerReport, movement: Int) {
        let trust: LivePositionTrust =
            switch word.state {
            case .waiting: .waiting
            case .following: .playing
            case .coasting: .coasting
            case .lost: .lost
            case .finished: .finished
            }
        let isLost = !word.isPrintedMeasureKnown && (trust == .playing || trust == .coasting)
        self.init(
            movement: movement, position: word.position, measure: word.printed, tempo: word.tempo,
            trust: isLost ? .lost : trust,
            jumped: word.jumped)
    }

    /// Creates the update from the Podium's authoritative position, which a person may have set.
    /// - Parameters:
    ///   - movement: the index of the score's movement that is the Podium's piece.
    ///   - jumped: true if a command has just moved the position.
    public init(_ state: PodiumState, printed: Int?, movement: Int, jumped: Bool = false) {
        let trust: LivePositionTrust =
            switch state.mode {
            case .following, .manual: .playing
            case .coasting: .coasting
            case .lost: .lost
            // It moves on where the copies have the same number in the score.
            case .undecided: state.pace > 0 ? .playing : .lost
            case .waiting, .held, .resting: .waiting
            case .finished: .finished
            }
        self.init(
            movement: movement, position: state.isPlaceKnown ? state.position : nil, measure: printed,
            tempo: state.pace, trust: trust, jumped: jumped)
    }
}

/// The degree to which a live position can be trusted.
public enum LivePositionTrust: String, Hashable, Sendable, Codable, CaseIterable {
    /// The music has not begun, or it stands still.
    case waiting
    case playing
    /// The follower is in doubt, and the position moves on by tempo for a short time.
    case coasting
    case lost
    /// The movement is over.
    case finished
}
