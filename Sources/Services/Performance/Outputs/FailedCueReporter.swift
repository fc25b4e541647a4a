import Hosting
import Podium
import Synchronization

/// Records cues that could not be sent. Each of them is a fault, and counts as failed (``FailedCue``), until the cue
/// is sent after all, edited or removed.
///
/// The outputs that send cues report their failures here. This output comes after them in the list of outputs, so
/// that it sees edits after they do. It also reports cues that no output can send.
package final class FailedCueReporter: ShowOutput {
    package let cueTargets: CueTargets
    private let postEvent: @Sendable (PodiumEvent) -> Void
    /// The failed cues as they were when they failed. `isFilled` is false until the first snapshot, which may contain
    /// failures from before a restart.
    private let failedCues = Mutex<(cues: [FailedCue: Cue], isFilled: Bool)>(([:], false))

    /// Creates a reporter without failed cues.
    /// - Parameter postEvent: called when a fault begins or ends.
    package init(cueTargets: CueTargets, postEvent: @escaping @Sendable (PodiumEvent) -> Void) {
        self.cueTargets = cueTargets
        self.postEvent = postEvent
    }

    /// True if an output may try to send the cue. If false, this object itself reports the reason.
    func canBeSent(_ cue: Cue) -> Bool { cueTargets.unsendableReason(of: cue) == nil }

    package func reportFailure(_ cue: Cue, of course: ShowProgramme, because sentence: String) {
        guard let failure = Self.identifyFailedCue(of: cue, in: course) else { return }
        failedCues.withLock { $0.cues[failure] = cue }
        postEvent(
            .fault(
                TechnicalFault(
                    id: failure.faultID, sentence: "The cue “\(cue.name)” was not sent: \(sentence)")
            )
        )
    }

    package func reportSent(_ cue: Cue, of course: ShowProgramme) {
        if let failure = Self.identifyFailedCue(of: cue, in: course) { endFaults([failure]) }
    }

    /// Identifies a cue by its piece and its id, because a cue's id is unique only within its piece.
    private static func identifyFailedCue(of cue: Cue, in course: ShowProgramme) -> FailedCue? {
        course.pieces.firstIndex { $0.cues[cue.id] == cue }.map { FailedCue(piece: $0, cue: cue.id) }
    }

    private func endFaults(_ failures: [FailedCue]) {
        let known = failedCues.withLock { failed in
            failures.filter { failed.cues.removeValue(forKey: $0) != nil }
        }
        for failure in known { postEvent(.faultEnded(failure.faultID)) }
    }

    package func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) {
        guard case .fireCue(let cue, _) = effect, let trouble = cueTargets.unsendableReason(of: cue) else {
            return
        }
        reportFailure(cue, of: course, because: trouble)
    }

    package func receiveSnapshot(_ snapshot: ShowEngineSnapshot) {
        let gone = failedCues.withLock { failed in
            if !failed.isFilled {
                failed.isFilled = true
                for failure in snapshot.state.failedCues where failed.cues[failure] == nil {
                    failed.cues[failure] = snapshot.programme.pieces[failure.piece].cues[failure.cue]
                }
            }
            return failed.cues.filter { failure, cue in
                !snapshot.programme.pieces.indices.contains(failure.piece)
                    || snapshot.programme.pieces[failure.piece].cues[failure.cue] != cue
            }
        }
        endFaults(Array(gone.keys))
    }
}
