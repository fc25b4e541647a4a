import Podium
import Synchronization

/// Keeps the account of cues that could not be sent: a fault for each, over when it was sent after all, was edited
/// or is not there any more.
///
/// The outputs that send cues tell it; it stands behind them among the outputs, to see edits.
final class CueTrouble: ShowOutput {
    private let tell: @Sendable (PodiumEvent) -> Void
    /// As they were when they failed.
    private let failed = Mutex<[Cue.ID: Cue]>([:])

    /// - Parameter tell: takes faults and their ends.
    init(tell: @escaping @Sendable (PodiumEvent) -> Void) { self.tell = tell }

    func failed(_ cue: Cue, because sentence: String) {
        failed.withLock { $0[cue.id] = cue }
        tell(
            .fault(Fault(id: Self.fault(cue.id), sentence: "The cue “\(cue.name)” was not sent: \(sentence)"))
        )
    }

    func sent(_ cue: Cue) { end([cue.id]) }

    private static func fault(_ cue: Cue.ID) -> String { "cue-\(cue)" }

    private func end(_ cues: [Cue.ID]) {
        let known = failed.withLock { failed in cues.filter { failed.removeValue(forKey: $0) != nil } }
        for cue in known { tell(.faultEnded(Self.fault(cue))) }
    }

    func carry(_ effect: PodiumEffect, of course: ShowCourse) {}

    func show(_ picture: DeskPicture) {
        let gone = failed.withLock { failed in
            failed.filter { id, cue in !picture.course.pieces.contains { $0.cues[id] == cue } }
        }
        end(Array(gone.keys))
    }
}
