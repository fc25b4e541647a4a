/// The state of the show as other machines get it, by OSC and MQTT alike: plain texts and numbers.
public struct PublishedShowState: Hashable, Sendable {
    /// The number of the piece, from 1; 0 before the first piece.
    public var pieceNumber = 0
    public var pieceName = ""
    /// The measure number printed in the score.
    public var printedMeasure = 0
    /// Index of the played measure, from 0; repeats are counted as played.
    public var playedMeasure = 0
    /// The rehearsal letter or section label of the measure; empty for none.
    public var sectionLabel = ""
    /// Fraction of the measure that has passed, 0 to 1.
    public var measureFraction = 0.0
    /// Tempo relative to the reference recording: 1.1 is a tenth faster.
    public var relativeTempo = 1.0
    public var beatsPerMinute: Double?
    /// The follower's confidence, 0 to 1.
    public var followerConfidence = 0.0
    /// The mode of the position: following, coasting, lost, undecided, waiting, finished, held or manual.
    public var positionMode = "waiting"
    /// The part of the evening: not yet, armed, under way, intermission or over.
    public var eveningStage = EveningStage.armed.words
    /// The kind of the baton's holder: follower, technician, conductor or presenter.
    public var holderKind = "follower"
    public var holderName = ""
    public var epochText = "1.0"
    public var standbyCue: NamedCue?
    /// The next automatic cue, with the number of measures and seconds until it.
    public var nextCueCountdown: CueCountdown?
    /// The state of the audience's screens: live, frozen, black or ended.
    public var audienceView = "ended"
    /// The level of a panic: none, safe or stop.
    public var panicLevel = "none"
    public var faultCount = 0
    /// The newest fault that is not over; empty for none.
    public var newestFaultSentence = ""

    public init() {}
}

/// A cue with its name, as the console shows it.
public struct NamedCue: Hashable, Sendable {
    public var id: String
    public var name: String

    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}
