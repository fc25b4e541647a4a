import Basics
import Following
import Score

/// Passes on the follower's reports that matter: a few per second at most in normal operation, instead of fifty.
///
/// A report matters if the measure, the piece, the state, the silence or the order has changed; if the position
/// jumped; if a follower that is lost or undecided has other candidates; if the tempo or the confidence has changed; or
/// if the position differs from the one extrapolated from the last report that was passed on. After five seconds without
/// a report, the next one is passed on in any case. The only clock is the live time of the reports.
public struct FollowerReportFilter: Sendable {
    /// Seconds after which a report is passed on even if nothing has changed, as a heartbeat.
    static let heartbeatSeconds = 5.0
    /// The relative difference in tempo that counts as a change.
    static let significantTempoChange = 0.03
    /// A report is passed on if its position differs by more than this, in seconds of reference, from the one
    /// extrapolated from the last report that was passed on.
    static let allowedDriftSeconds = 0.05
    /// The least number of seconds between two reports that are passed on because of tempo or confidence.
    static let leastTempoInterval = 0.5
    /// The least number of seconds between two reports that are passed on because of candidates.
    static let leastCandidateInterval = 1.0
    /// The least number of seconds between two reports that are passed on because the position differs.
    static let leastDriftInterval = 0.2
    /// A step back by more than this many seconds of reference counts as a jump.
    static let backwardJumpSeconds = 0.05
    /// A step forward counts as a jump if it exceeds this many seconds of reference plus four times the live time since
    /// the previous report.
    static let forwardJumpSeconds = 1.0

    private var lastPassedOn: FollowerReport?
    private var lastPassedOnLiveSeconds = 0.0
    private var lastPassedOnReferenceSeconds: Double?
    private var lastReportLiveSeconds = 0.0
    private var lastReportReferenceSeconds: Double?
    private var lastReportPiece = 0
    private var hasJumped = false

    public init() {}

    /// Returns the report to pass on, if this one contains something new.
    /// - Parameter order: the newest order that the follower had carried out when it reported; see
    ///   ``PodiumEffect/anchorFollower(piece:at:order:)``.
    /// - Returns: nil if the report contains nothing new.
    /// - Complexity: O(1); allocates only if a report is passed on.
    public mutating func significantReport(_ said: ConcertReport, order: UInt32) -> FollowerReport? {
        let live = said.positionReport.liveTime.seconds
        let reference = said.positionReport.referenceTime?.seconds
        let isOrdered = lastPassedOn.map { $0.order != order } ?? true
        if isOrdered {
            hasJumped = false
        } else if isJump(said, live: live, reference: reference) {
            hasJumped = true
        }
        (lastReportLiveSeconds, lastReportReferenceSeconds, lastReportPiece) = (
            live, reference, said.pieceIndex
        )
        guard isOrdered || isSignificant(said, live: live, reference: reference) else { return nil }
        let new = FollowerReport(said, jumped: hasJumped, order: order)
        hasJumped = false
        (lastPassedOn, lastPassedOnLiveSeconds, lastPassedOnReferenceSeconds) = (new, live, reference)
        return new
    }

    private func isJump(_ said: ConcertReport, live: Double, reference: Double?) -> Bool {
        if said.pieceIndex != lastReportPiece { return said.pieceIndex != lastReportPiece + 1 }
        guard let reference, let lastReportReferenceSeconds else { return false }
        let gone = reference - lastReportReferenceSeconds
        return gone < -Self.backwardJumpSeconds
            || gone > Self.forwardJumpSeconds + 4 * max(live - lastReportLiveSeconds, 0)
    }

    private func isSignificant(_ said: ConcertReport, live: Double, reference: Double?) -> Bool {
        guard let lastPassedOn else { return true }
        let report = said.positionReport
        if hasJumped || said.pieceIndex != lastPassedOn.piece || report.state != lastPassedOn.state
            || said.isSilent != lastPassedOn.isRoomSilent
            || report.isUndecided != lastPassedOn.isUndecided
            || report.position?.played != lastPassedOn.position?.played
        {
            return true
        }
        let since = live - lastPassedOnLiveSeconds
        // A clock that went back means a new start.
        if since >= Self.heartbeatSeconds || since < 0 { return true }
        if since >= Self.leastTempoInterval {
            let tempo = report.tempo.value
            if abs(tempo - lastPassedOn.tempo) > Self.significantTempoChange * max(lastPassedOn.tempo, 0.1) {
                return true
            }
            // Only steps of a tenth count, so that a confidence that wavers does not cause a series of reports.
            if abs(report.confidence - lastPassedOn.confidence) >= 0.1 { return true }
        }
        if since >= Self.leastDriftInterval,
            hasDrifted(report, since: since, reference: reference, lastPassedOn)
        {
            return true
        }
        return since >= Self.leastCandidateInterval && (report.state == .lost || report.isUndecided)
            && hasOtherCandidates(report, lastPassedOn)
    }

    private func hasDrifted(
        _ report: PositionReport, since: Double, reference: Double?, _ word: FollowerReport
    ) -> Bool {
        guard report.state == .following || report.state == .coasting else { return false }
        guard let reference, let lastPassedOnReferenceSeconds else {
            return reference != lastPassedOnReferenceSeconds
        }
        return abs(reference - (lastPassedOnReferenceSeconds + since * word.tempo)) > Self.allowedDriftSeconds
    }

    private func hasOtherCandidates(_ report: PositionReport, _ word: FollowerReport) -> Bool {
        let places = report.isUndecided ? report.copies : report.likelyMeasures
        guard places.count == word.candidates.count else { return true }
        return zip(places, word.candidates).contains { new, old in
            abs(new.position.played - old.played) > 1 || abs(new.probability - old.probability) > 0.1
        }
    }
}
