/// How the Podium decides; the same for a whole show, and part of its log.
public struct PodiumSettings: Hashable, Sendable, Codable {
    /// Milliseconds a coasting follower is believed.
    public var longestCoast: Int64 = 8_000
    /// Milliseconds after which a follower that says nothing is taken for lost; its heartbeat is 5 s.
    public var longestSilence: Int64 = 6_500
    /// Milliseconds after a cue in which GO is taken for an accident.
    public var goGuard: Int64 = 500
    /// Milliseconds after a tap in which another is taken for an accident.
    public var tapGuard: Int64 = 120
    /// Milliseconds after a panic in which another one stops everything.
    public var panicWindow: Int64 = 3_000
    /// A nudge corrects a follower that follows, and it keeps the baton: whoever nudges and walks away leaves
    /// an autopilot behind, not a standing position. Where false a nudge takes the baton.
    public var nudgeKeepsFollowing = true
    /// Cues fire by themselves in rehearsals too.
    public var rehearsalCues = false
    /// A follower that goes on to the next piece has heard some of it already; cues of so many first measures
    /// still fire then.
    public var lateBeginning = 8
    /// Which rules decide. A log leads to the effects of the rules it was written under: 1 before they were counted,
    /// 2 since a place that was lost or jumped to must prove itself, silence is a mode, and an intermission ends
    /// with what was live before it; 3 since the live position ends with the concert.
    public var rules = 3
    /// Milliseconds for which the follower must be sure of a place after it was lost or jumped far.
    public var proof: Int64 = 3_000
    /// The same while it is rather sure than not: a hall in which it is never quite sure is followed too.
    public var slowProof: Int64 = 8_000
    /// The confidence that is sure, and the one that is rather sure than not.
    public var sureConfidence = 0.75
    public var likelyConfidence = 0.5
    /// Measures that a jump may go without having to prove itself.
    public var nearJump = 2
    /// Milliseconds without music in the last measures of the concert after which it is over: longer than a fermata,
    /// about as long as the first applause.
    public var ending: Int64 = 10_000

    private enum CodingKeys: CodingKey {
        case longestCoast, longestSilence, goGuard, tapGuard, panicWindow, nudgeKeepsFollowing, rehearsalCues
        case lateBeginning, rules, proof, slowProof, sureConfidence, likelyConfidence, nearJump
        case ending
    }

    public init() {}
}

/// Fields that older logs lack get the meaning they had then.
extension PodiumSettings {
    public init(from decoder: any Decoder) throws {
        self.init()
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        longestCoast = try fields.decode(Int64.self, forKey: .longestCoast)
        longestSilence = try fields.decode(Int64.self, forKey: .longestSilence)
        goGuard = try fields.decode(Int64.self, forKey: .goGuard)
        tapGuard = try fields.decode(Int64.self, forKey: .tapGuard)
        panicWindow = try fields.decode(Int64.self, forKey: .panicWindow)
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
    }
}
