/// A cue that fired but could not be sent; the console shows it as “failed” instead of “done”.
///
/// The failure is recorded as a technical fault whose id names piece and cue. The cue stays failed until this fault
/// ends. A restart does not end it, although other faults count as over after a restart.
public struct FailedCue: Hashable, Sendable {
    /// The piece, as an index into ``ShowProgramme/pieces``.
    public var piece: Int
    public var cue: Cue.ID

    public init(piece: Int, cue: Cue.ID) {
        self.piece = piece
        self.cue = cue
    }

    /// Parses the id of a fault; nil if the fault does not concern a cue.
    public init?(fault id: String) {
        let parts = id.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "cue", let piece = Int(parts[1]), piece > 0 else { return nil }
        self.init(piece: piece - 1, cue: String(parts[2]))
    }

    /// The id of the cue's fault, such as `cue:1:c3`; pieces count from 1.
    public var faultID: String { "cue:\(piece + 1):\(cue)" }
}

extension PodiumState {
    public func hasFailed(_ cue: FailedCue) -> Bool { failed?.contains(cue.faultID) ?? false }

    public var failedCues: [FailedCue] { (failed ?? []).compactMap { FailedCue(fault: $0) } }

    mutating func addFailedCue(fault: String) {
        guard FailedCue(fault: fault) != nil, !(failed?.contains(fault) ?? false) else { return }
        failed = (failed ?? []) + [fault]
    }

    mutating func removeFailedCue(fault: String) { keepFailedCues { $0.faultID != fault } }

    /// Forgets the failed cues of the last pass through a piece, because a new pass begins.
    mutating func removeFailedCues(ofPiece piece: Int) { keepFailedCues { $0.piece != piece } }

    mutating func keepFailedCues(where isKept: (FailedCue) -> Bool) {
        guard failed != nil else { return }
        let kept = failedCues.filter(isKept).map(\.faultID)
        failed = kept.isEmpty ? nil : kept
    }
}
