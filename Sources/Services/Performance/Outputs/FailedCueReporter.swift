import Hosting
import Podium
import Synchronization

/// Records cues that could not be sent. Each is a fault until it is sent after all, edited or removed; until then the
/// cue counts as failed (``FailedCue``).
///
/// The outputs that send cues report to it. It comes after them in the list of outputs, to see edits, and itself
/// reports cues that no output can send.
package final class FailedCueReporter: ShowOutput {
    package let targets: CueTargets
    private let postEvent: @Sendable (PodiumEvent) -> Void
    /// The failed cues as they were when they failed. `isFilled` is false until the first snapshot, which may contain
    /// failures from before a restart.
    private let failed = Mutex<(cues: [FailedCue: Cue], isFilled: Bool)>(([:], false))

    /// - Parameter tell: called when a fault begins or ends.
    package init(targets: CueTargets, postEvent: @escaping @Sendable (PodiumEvent) -> Void) {
        self.targets = targets
        self.postEvent = postEvent
    }

    /// True if an output may try to send the cue; if not, this object reports the reason itself.
    func canBeSent(_ cue: Cue) -> Bool { targets.problem(of: cue) == nil }

    package func failed(_ cue: Cue, of course: ShowProgramme, because sentence: String) {
        guard let failure = Self.place(of: cue, in: course) else { return }
        failed.withLock { $0.cues[failure] = cue }
        postEvent(
            .fault(
                TechnicalFault(id: failure.fault, sentence: "The cue “\(cue.name)” was not sent: \(sentence)")
            )
        )
    }

    package func sent(_ cue: Cue, of course: ShowProgramme) {
        if let failure = Self.place(of: cue, in: course) { end([failure]) }
    }

    /// Finds the piece of a cue, because a cue's id is unique only within its piece.
    private static func place(of cue: Cue, in course: ShowProgramme) -> FailedCue? {
        course.pieces.firstIndex { $0.cues[cue.id] == cue }.map { FailedCue(piece: $0, cue: cue.id) }
    }

    private func end(_ failures: [FailedCue]) {
        let known = failed.withLock { failed in failures.filter { failed.cues.removeValue(forKey: $0) != nil }
        }
        for failure in known { postEvent(.faultEnded(failure.fault)) }
    }

    package func carryOut(_ effect: PodiumEffect, of course: ShowProgramme) {
        guard case .fire(let cue, _) = effect, let trouble = targets.problem(of: cue) else { return }
        failed(cue, of: course, because: trouble)
    }

    package func update(_ snapshot: ShowEngineSnapshot) {
        let gone = failed.withLock { failed in
            if !failed.isFilled {
                failed.isFilled = true
                for failure in snapshot.state.failedCues where failed.cues[failure] == nil {
                    failed.cues[failure] = snapshot.course.pieces[failure.piece].cues[failure.cue]
                }
            }
            return failed.cues.filter { failure, cue in
                !snapshot.course.pieces.indices.contains(failure.piece)
                    || snapshot.course.pieces[failure.piece].cues[failure.cue] != cue
            }
        }
        end(Array(gone.keys))
    }
}
