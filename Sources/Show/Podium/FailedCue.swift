/// A cue that fired but could not be sent: shown as “failed” where others are “done”.
///
/// It is recorded as a fault whose id names piece and cue. It stays failed until that fault ends, even over a
/// restart, when other faults count as over.
public struct FailedCue: Hashable, Sendable {
    /// The piece, as an index into ``ShowProgramme/pieces``.
    public var piece: Int
    public var cue: Cue.ID

    public init(piece: Int, cue: Cue.ID) {
        self.piece = piece
        self.cue = cue
    }

    /// Reads the id of a fault; nil if the fault is about something else.
    public init?(fault id: String) {
        let parts = id.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "cue", let piece = Int(parts[1]), piece > 0 else { return nil }
        self.init(piece: piece - 1, cue: String(parts[2]))
    }

    /// The id of the fault, such as `cue:1:c3`; pieces count from 1.
    public var fault: String { "cue:\(piece + 1):\(cue)" }
}

extension PodiumState {
    public func hasFailed(_ cue: FailedCue) -> Bool { failed?.contains(cue.fault) ?? false }

    public var failedCues: [FailedCue] { (failed ?? []).compactMap { FailedCue(fault: $0) } }

    mutating func noteFailure(_ fault: String) {
        guard FailedCue(fault: fault) != nil, !(failed?.contains(fault) ?? false) else { return }
        failed = (failed ?? []) + [fault]
    }

    mutating func endFailure(_ fault: String) { keepFailures { $0.fault != fault } }

    /// Forgets the failures of the last pass through a piece, because a new pass begins.
    mutating func endFailures(ofPiece piece: Int) { keepFailures { $0.piece != piece } }

    mutating func keepFailures(where isKept: (FailedCue) -> Bool) {
        guard failed != nil else { return }
        let kept = failedCues.filter(isKept).map(\.fault)
        failed = kept.isEmpty ? nil : kept
    }
}
