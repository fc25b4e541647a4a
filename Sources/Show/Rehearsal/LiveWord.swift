import Podium
import Score

/// Where the music is, as stands are told.
public struct LiveWord: Hashable, Sendable, Codable {
    /// Index into ``Score/movements``.
    public var movement: Int
    /// Played measure of the reference and how far into it; nil while nobody knows.
    public var position: ScorePosition?
    /// The printed number of the measure; nil while nobody knows.
    public var measure: Int?
    /// Seconds of reference a second; 0 where the position stands.
    public var tempo: Double
    public var trust: LiveTrust
    /// The position has left its path for another place since the word before.
    public var jumped: Bool

    public init(
        movement: Int, position: ScorePosition?, measure: Int? = nil, tempo: Double = 1, trust: LiveTrust,
        jumped: Bool = false
    ) {
        self.movement = movement
        self.position = position
        self.measure = measure
        self.tempo = tempo.isFinite ? min(max(tempo, 0), 10) : 0
        self.trust = trust
        self.jumped = jumped
    }

    /// - Parameter movement: of the score, that the word's piece is.
    public init(_ word: FollowerWord, movement: Int) {
        let trust: LiveTrust =
            switch word.state {
            case .waiting: .waiting
            case .following: .playing
            case .coasting: .coasting
            case .lost: .lost
            case .finished: .finished
            }
        self.init(
            movement: movement, position: word.position, measure: word.printed, tempo: word.tempo,
            trust: trust,
            jumped: word.jumped)
    }

    /// The authoritative position, which is a person's while one holds the baton.
    /// - Parameters:
    ///   - movement: of the score, that the Podium's piece is.
    ///   - jumped: a command has just put it elsewhere.
    public init(_ state: PodiumState, printed: Int?, movement: Int, jumped: Bool = false) {
        let trust: LiveTrust =
            switch state.mode {
            case .following, .manual: .playing
            case .coasting: .coasting
            case .lost: .lost
            case .waiting, .held, .resting: .waiting
            case .finished: .finished
            }
        self.init(
            movement: movement, position: state.isPlaceKnown ? state.position : nil, measure: printed,
            tempo: state.pace, trust: trust, jumped: jumped)
    }
}

/// How far a live position is to be believed.
public enum LiveTrust: String, Hashable, Sendable, Codable, CaseIterable {
    /// The music waits, or stands still.
    case waiting
    case playing
    /// Goes on by tempo for a short time.
    case coasting
    case lost
    /// The movement is over.
    case finished
}
