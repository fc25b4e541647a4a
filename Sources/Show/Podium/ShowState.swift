/// What other machines are told of the concert, by OSC and MQTT in the same words: plain texts and numbers.
public struct ShowState: Hashable, Sendable {
    /// From 1; 0 before the first piece.
    public var piece = 0
    public var pieceName = ""
    /// The number printed in the score.
    public var printed = 0
    /// The index among the measures as played, repeats written out, from 0.
    public var played = 0
    /// The rehearsal letter or section label the measure belongs to; empty for none.
    public var section = ""
    /// How far into the measure, 0 to 1.
    public var fraction = 0.0
    /// Against the reference recording: 1.1 is a tenth faster.
    public var tempo = 1.0
    public var beatsPerMinute: Double?
    /// 0 to 1.
    public var confidence = 0.0
    /// following, coasting, lost, waiting, finished, held or manual.
    public var state = "waiting"
    /// follower, technician, conductor or presenter.
    public var holderKind = "follower"
    public var holderName = ""
    public var epoch = "1.0"
    public var standby: NamedCue?
    /// The next automatic cue and how far off it is.
    public var next: Countdown?
    /// What the audience is shown: live, frozen, black or ended.
    public var view = "ended"
    /// none, safe or stop.
    public var panic = "none"
    public var faultCount = 0
    /// The newest fault that is not over.
    public var fault = ""

    public init() {}
}

/// A cue as the console names it.
public struct NamedCue: Hashable, Sendable {
    public var id: String
    public var name: String

    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}
