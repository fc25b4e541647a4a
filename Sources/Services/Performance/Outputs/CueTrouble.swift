import Hosting
import Podium
import Synchronization

/// Records cues that could not be sent. Each is a fault until it is sent after all, edited or removed; until then the
/// cue counts as failed (``FailedCue``).
///
/// The outputs that send cues report to it. It comes after them in the list of outputs, to see edits, and itself
/// reports cues that no output can send.
package final class CueTrouble: ShowOutput {
    package let targets: CueTargets
    private let tell: @Sendable (PodiumEvent) -> Void
    /// The failed cues as they were when they failed. `isFilled` is false until the first snapshot, which may contain
    /// failures from before a restart.
    private let failed = Mutex<(cues: [FailedCue: Cue], isFilled: Bool)>(([:], false))

    /// - Parameter tell: called when a fault begins or ends.
    package init(targets: CueTargets, tell: @escaping @Sendable (PodiumEvent) -> Void) {
        self.targets = targets
        self.tell = tell
    }

    /// True if an output may try to send the cue; if not, this object reports the reason itself.
    func mayBeSent(_ cue: Cue) -> Bool { targets.trouble(of: cue) == nil }

    package func failed(_ cue: Cue, of course: ShowProgramme, because sentence: String) {
        guard let failure = Self.place(of: cue, in: course) else { return }
        failed.withLock { $0.cues[failure] = cue }
        tell(
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
        for failure in known { tell(.faultEnded(failure.fault)) }
    }

    package func carry(_ effect: PodiumEffect, of course: ShowProgramme) {
        guard case .fire(let cue, _) = effect, let trouble = targets.trouble(of: cue) else { return }
        failed(cue, of: course, because: trouble)
    }

    package func show(_ picture: DeskPicture) {
        let gone = failed.withLock { failed in
            if !failed.isFilled {
                failed.isFilled = true
                for failure in picture.state.failedCues where failed.cues[failure] == nil {
                    failed.cues[failure] = picture.course.pieces[failure.piece].cues[failure.cue]
                }
            }
            return failed.cues.filter { failure, cue in
                !picture.course.pieces.indices.contains(failure.piece)
                    || picture.course.pieces[failure.piece].cues[failure.cue] != cue
            }
        }
        end(Array(gone.keys))
    }
}
