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

    public init() {}
}
