import Floor
import Hosting
import Podium
import Synchronization

/// The documents that were on the screens in this show. Their files are kept for the event's PDF, also when their
/// speakers have left; of a video, its frame.
final class ShownDocuments: ShowOutput {
    private struct Shown {
        var ids: Set<FloorDocument.ID> = []
        var isComplete = false
    }

    private let shown = Mutex(Shown())

    /// The documents; nil until the show log has been read, because those shown before a restart are not known then.
    var ids: Set<FloorDocument.ID>? { shown.withLock { $0.isComplete ? $0.ids : nil } }

    /// Adds the documents that the show log has.
    func complete(with earlier: Set<FloorDocument.ID>) {
        shown.withLock {
            $0.ids.formUnion(earlier)
            $0.isComplete = true
        }
    }

    func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) {
        guard case .floor(.screenChanged(let screen)) = effect, let document = screen.document else { return }
        _ = shown.withLock { $0.ids.insert(document) }
    }
}
