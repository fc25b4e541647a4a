import Following
import MusicalTime
import Score

/// Passes on the follower's reports that matter: a few per second at most in normal operation, instead of fifty.
///
/// A report matters if the measure, the piece, the state, the silence or the order has changed; if the position
/// jumped; if a lost follower has other candidates; if the tempo or the confidence has changed; if the position is
/// not where the last report passed on leads one to expect; and after five seconds without a report. Live time is
/// its only clock.
public struct FollowerReportFilter: Sendable {
    /// Seconds without a report after which one is passed on as a heartbeat.
    static let heartbeat = 5.0
    /// Share of the tempo that counts as a change.
    static let tempoChange = 0.03
    /// Allowed difference, in seconds of reference, from the position extrapolated from the last report passed on.
    static let drift = 0.15
    /// Least seconds between two reports because of tempo or confidence (`leastTempoInterval`), candidates
    /// (`leastCandidateInterval`), or drift (`leastDriftInterval`).
    static let leastTempoInterval = 0.5
    static let leastCandidateInterval = 1.0
    static let leastDriftInterval = 0.2
    /// Step back, in seconds of reference, above which it is a jump.
    static let back = 0.05
    /// Step forward between two reports above which it is a jump, in seconds of reference, in addition to four times
    /// the live time between them.
    static let forward = 1.0

    private var word: FollowerReport?
    private var wordLive = 0.0
    private var wordReference: Double?
    private var lastLive = 0.0
    private var lastReference: Double?
    private var lastPiece = 0
    private var hasJumped = false

    public init() {}

    /// - Parameter order: the newest order that the follower had carried out when it reported; see
    ///   ``PodiumEffect/anchorFollower(piece:at:order:)``.
    /// - Returns: nil if the report contains nothing new.
    /// - Complexity: O(1); allocates only if a report is passed on.
    public mutating func significantReport(_ said: ConcertReport, order: UInt32) -> FollowerReport? {
        let live = said.report.live.seconds
        let reference = said.report.reference?.seconds
        let isOrdered = word.map { $0.order != order } ?? true
        if isOrdered {
            hasJumped = false
        } else if jumped(said, live: live, reference: reference) {
            hasJumped = true
        }
        (lastLive, lastReference, lastPiece) = (live, reference, said.piece)
        guard isOrdered || isSignificant(said, live: live, reference: reference) else { return nil }
        let new = FollowerReport(said, jumped: hasJumped, order: order)
        hasJumped = false
        (word, wordLive, wordReference) = (new, live, reference)
        return new
    }

    private func jumped(_ said: ConcertReport, live: Double, reference: Double?) -> Bool {
        if said.piece != lastPiece { return said.piece != lastPiece + 1 }
        guard let reference, let lastReference else { return false }
        let gone = reference - lastReference
        return gone < -Self.back || gone > Self.forward + 4 * max(live - lastLive, 0)
    }

    private func isSignificant(_ said: ConcertReport, live: Double, reference: Double?) -> Bool {
        guard let word else { return true }
        let report = said.report
        if hasJumped || said.piece != word.piece || report.state != word.state
            || said.isSilent != word.isSilent
            || report.position?.played != word.position?.played
        {
            return true
        }
        let since = live - wordLive
        // A clock that went back means a new start.
        if since >= Self.heartbeat || since < 0 { return true }
        if since >= Self.leastTempoInterval {
            let tempo = report.tempo.value
            if abs(tempo - word.tempo) > Self.tempoChange * max(word.tempo, 0.1) { return true }
            // Only steps of a tenth count, so that a confidence that wavers does not cause a series of reports.
            if abs(report.confidence - word.confidence) >= 0.1 { return true }
        }
        if since >= Self.leastDriftInterval, isAstray(report, since: since, reference: reference, word) {
            return true
        }
        return since >= Self.leastCandidateInterval && report.state == .lost
            && hasOtherCandidates(report, word)
    }

    private func isAstray(
        _ report: PositionReport, since: Double, reference: Double?, _ word: FollowerReport
    ) -> Bool {
        guard report.state == .following || report.state == .coasting else { return false }
        guard let reference, let wordReference else { return reference != wordReference }
        return abs(reference - (wordReference + since * word.tempo)) > Self.drift
    }

    private func hasOtherCandidates(_ report: PositionReport, _ word: FollowerReport) -> Bool {
        guard report.candidates.count == word.candidates.count else { return true }
        return zip(report.candidates, word.candidates).contains { new, old in
            abs(new.position.played - old.played) > 1 || abs(new.probability - old.probability) > 0.1
        }
    }
}
