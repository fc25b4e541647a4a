/// The settings of the Podium; they stay the same for a whole show, and are stored in the show's log.
public struct PodiumSettings: Hashable, Sendable, Codable {
    /// Milliseconds for which a follower is trusted while it coasts, that is, moves on by tempo alone.
    public var longestCoast: Int64 = 8_000
    /// Milliseconds without a report after which the follower counts as lost; the follower reports at least every 5 s.
    public var longestSilence: Int64 = 6_500
    /// Milliseconds after a cue during which GO is treated as an accident.
    public var goGuard: Int64 = 500
    /// Milliseconds after a tap during which another tap is treated as an accident.
    public var tapGuard: Int64 = 120
    /// Milliseconds after a panic during which a second one of the same sender stops everything.
    public var panicWindow: Int64 = 3_000
    /// Milliseconds during which the same act of one device is one that was sent twice: a contact that bounces, or a
    /// packet that was doubled. People press deliberately at least 160 ms apart.
    public var repeatGuard: Int64 = 150
    /// If true, a nudge corrects a follower that follows, and the follower keeps the baton: a person can nudge and
    /// walk away. If false, a nudge takes the baton.
    public var nudgeKeepsFollowing = true
    /// True if cues fire by themselves in rehearsals too.
    public var rehearsalCues = false
    /// The number of measures at the beginning of a piece whose cues still fire late, because the follower recognises
    /// the next piece only after hearing some of it.
    public var lateBeginning = 8
    /// The version of the rules; a log is replayed by the rules under which it was written.
    ///
    /// Version 1 is the first. Since 2 a place must be proven after the follower was lost or jumped, silence is a mode,
    /// and an intermission ends with the position that was live before it. Since 3 the live position ends with the
    /// concert. Since 4 cues that fire before their measure are timed by the speed of the last seconds, not by the
    /// tempo of the last report alone. Since 5 a changed programme leaves the piece being played undisturbed. Since 6
    /// a concert that begins again is over only after its last piece has been played again. Since 7 GO goes on to the
    /// next cue that has not fired, a missed cue does not stay on standby, a rehearsal does not go live before its
    /// music pauses, and a concert that is over stays over in a rehearsal. Since 8 the show goes on where it was before
    /// a rehearsal, a last piece that is played out of its order is not the end, and a follower that has finished may be
    /// silent. Since 9 two panics stop everything only if one sender gives both, a step that a desk sends twice counts
    /// once, a piece must be under way before its automatic cues fire and before a place far from its beginning is
    /// believed, and an intermission after the end of a piece leads to the beginning of the next. Since 10
    /// a follower that cannot decide between copies of a passage leads only where the copies agree, and a finished
    /// piece stays finished over a restart. Since 11 a title waits until its measure has certainly begun.
    public var rules = 11
    /// Milliseconds for which the follower must be sure of its place before it is trusted again after it was lost or
    /// jumped far.
    public var proof: Int64 = 3_000
    /// Milliseconds after which a place found after a loss or a far jump is trusted even if the follower is only
    /// fairly sure of it. In some halls the follower is never quite sure.
    public var slowProof: Int64 = 8_000
    /// The least confidence, 0…1, with which the follower counts as sure of its place.
    public var sureConfidence = 0.75
    /// The least confidence, 0…1, with which the follower's place counts as likely.
    public var likelyConfidence = 0.5
    /// The distance in measures up to which a jump needs no proof.
    public var nearJump = 2
    /// Milliseconds without music in the last measures of the concert after which the concert counts as over: longer
    /// than a fermata, about as long as the first applause.
    public var ending: Int64 = 10_000
    /// The same after the first piece, if nothing but that piece was played since the concert was over: it may be an
    /// encore, or the first piece of another round with a long pause after it.
    public var endingAfterFirstPiece: Int64 = 180_000

    /// Who says when a new show and its pieces may begin.
    public var arming = ShowArming.atOnce
    /// Milliseconds after the beginning of a piece during which “begin” begins it once more: a false start.
    public var beginAgain: Int64 = 60_000

    private enum CodingKeys: CodingKey {
        case longestCoast, longestSilence, goGuard, tapGuard, panicWindow, repeatGuard, nudgeKeepsFollowing
        case rehearsalCues
        case lateBeginning, rules, proof, slowProof, sureConfidence, likelyConfidence, nearJump
        case ending, endingAfterFirstPiece, arming, beginAgain
    }

    public init() {}
}

/// Fields missing in older logs get the values that applied then.
extension PodiumSettings {
    public init(from decoder: any Decoder) throws {
        self.init()
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        longestCoast = try fields.decode(Int64.self, forKey: .longestCoast)
        longestSilence = try fields.decode(Int64.self, forKey: .longestSilence)
        goGuard = try fields.decode(Int64.self, forKey: .goGuard)
        tapGuard = try fields.decode(Int64.self, forKey: .tapGuard)
        panicWindow = try fields.decode(Int64.self, forKey: .panicWindow)
        repeatGuard = try fields.decodeIfPresent(Int64.self, forKey: .repeatGuard) ?? repeatGuard
        nudgeKeepsFollowing = try fields.decode(Bool.self, forKey: .nudgeKeepsFollowing)
        rehearsalCues = try fields.decode(Bool.self, forKey: .rehearsalCues)
        lateBeginning = try fields.decode(Int.self, forKey: .lateBeginning)
        rules = try fields.decodeIfPresent(Int.self, forKey: .rules) ?? 1
        proof = try fields.decodeIfPresent(Int64.self, forKey: .proof) ?? proof
        slowProof = try fields.decodeIfPresent(Int64.self, forKey: .slowProof) ?? slowProof
        sureConfidence = try fields.decodeIfPresent(Double.self, forKey: .sureConfidence) ?? sureConfidence
        likelyConfidence =
            try fields.decodeIfPresent(Double.self, forKey: .likelyConfidence) ?? likelyConfidence
        nearJump = try fields.decodeIfPresent(Int.self, forKey: .nearJump) ?? nearJump
        ending = try fields.decodeIfPresent(Int64.self, forKey: .ending) ?? ending
        endingAfterFirstPiece =
            try fields.decodeIfPresent(Int64.self, forKey: .endingAfterFirstPiece) ?? endingAfterFirstPiece
        arming = try fields.decodeIfPresent(ShowArming.self, forKey: .arming) ?? arming
        beginAgain = try fields.decodeIfPresent(Int64.self, forKey: .beginAgain) ?? beginAgain
    }
}

/// Who says when the music of a new show may begin.
public enum ShowArming: String, Hashable, Sendable, Codable, CaseIterable {
    /// Nobody: the show listens for its first bar at once.
    case atOnce = "at-once"
    /// A technician arms the show; its later pieces are then listened for by themselves.
    case byHand = "by-hand"
    /// A technician arms the show, and each later piece.
    case eachPiece = "each-piece"
}
