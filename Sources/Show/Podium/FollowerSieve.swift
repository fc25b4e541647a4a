import Following
import MusicalTime
import Score

/// Lets through the reports that matter: a few a second at most while nothing goes wrong, instead of fifty.
///
/// A report matters where the measure, the piece, the state, silence or the order changes, where the position jumped, where
/// a lost follower has other candidates, where the tempo or the confidence has changed, where the position is not
/// where the last word let one expect, and after five seconds of nothing. Live time is its only clock.
public struct FollowerSieve: Sendable {
    /// Seconds of silence that a heartbeat breaks.
    static let heartbeat = 5.0
    /// Share of the tempo that counts as a change.
    static let tempoChange = 0.03
    /// Seconds of reference by which the last word's position and tempo may be wrong.
    static let drift = 0.15
    /// Seconds between two words of tempo or confidence, of candidates, of drift.
    static let calmly = 0.5
    static let rarely = 1.0
    static let promptly = 0.2
    /// Seconds of reference a position steps back before it is a jump.
    static let back = 0.05
    /// Seconds it may go forward between two reports, beside four times the live time between them.
    static let forward = 1.0

    private var word: FollowerWord?
    private var wordLive = 0.0
    private var wordReference: Double?
    private var lastLive = 0.0
    private var lastReference: Double?
    private var lastPiece = 0
    private var hasJumped = false

    public init() {}

    /// - Parameter order: the newest order the follower had obeyed when it reported; see
    ///   ``PodiumEffect/anchorFollower(piece:at:order:)``.
    /// - Returns: nil where the report says nothing new.
    /// - Complexity: O(1); allocates only for a word.
    public mutating func sift(_ said: ConcertReport, order: UInt32) -> FollowerWord? {
        let live = said.report.live.seconds
        let reference = said.report.reference?.seconds
        let isOrdered = word.map { $0.order != order } ?? true
        if isOrdered {
            hasJumped = false
        } else if jumped(said, live: live, reference: reference) {
            hasJumped = true
        }
        (lastLive, lastReference, lastPiece) = (live, reference, said.piece)
        guard isOrdered || matters(said, live: live, reference: reference) else { return nil }
        let new = FollowerWord(said, jumped: hasJumped, order: order)
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

    private func matters(_ said: ConcertReport, live: Double, reference: Double?) -> Bool {
        guard let word else { return true }
        let report = said.report
        if hasJumped || said.piece != word.piece || report.state != word.state
            || said.isSilent != word.isSilent
            || report.position?.played != word.position?.played
        {
            return true
        }
        let since = live - wordLive
        // A clock that went back is a new beginning.
        if since >= Self.heartbeat || since < 0 { return true }
        if since >= Self.calmly {
            let tempo = report.tempo.value
            if abs(tempo - word.tempo) > Self.tempoChange * max(word.tempo, 0.1) { return true }
            // A tenth, and no trembling about its edge.
            if abs(report.confidence - word.confidence) >= 0.1 { return true }
        }
        if since >= Self.promptly, isAstray(report, since: since, reference: reference, word) { return true }
        return since >= Self.rarely && report.state == .lost && hasOtherCandidates(report, word)
    }

    private func isAstray(
        _ report: PositionReport, since: Double, reference: Double?, _ word: FollowerWord
    ) -> Bool {
        guard report.state == .following || report.state == .coasting else { return false }
        guard let reference, let wordReference else { return reference != wordReference }
        return abs(reference - (wordReference + since * word.tempo)) > Self.drift
    }

    private func hasOtherCandidates(_ report: PositionReport, _ word: FollowerWord) -> Bool {
        guard report.candidates.count == word.candidates.count else { return true }
        return zip(report.candidates, word.candidates).contains { new, old in
            abs(new.position.played - old.played) > 1 || abs(new.probability - old.probability) > 0.1
        }
    }
}
