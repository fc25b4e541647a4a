import Catalogue
import Podium
import Rehearsal
import Synchronization

/// Reports one technical fault while any room cannot be written, and its end when all can be written again.
final class RoomTrouble: Sendable {
    static let fault = "rooms"

    private let troubled = Mutex<Set<Room.ID>>([])
    private let tell: @Sendable (PodiumEvent) -> Void

    /// - Parameter tell: sends an event to the show.
    init(_ tell: @escaping @Sendable (PodiumEvent) -> Void = { _ in }) { self.tell = tell }

    /// Reports that a write of this room has failed.
    func began(in room: Room.ID, _ error: any Error) {
        let isFirst = troubled.withLock { troubled in
            let wasNone = troubled.isEmpty
            troubled.insert(room)
            return wasNone
        }
        guard isFirst else { return }
        let cause = (error as? CatalogueError)?.sentence ?? "\(error)"
        tell(
            .fault(
                TechnicalFault(
                    id: Self.fault,
                    sentence:
                        "Rehearsal rooms cannot be written: \(cause) Pages are still turned by the music; changes wait "
                        + "on the stands. Free some space on the disk.")))
    }

    /// Reports that this room was written again, or has been closed.
    package func isOver(in room: Room.ID) {
        let isLast = troubled.withLock { troubled in
            guard !troubled.isEmpty, troubled.remove(room) != nil else { return false }
            return troubled.isEmpty
        }
        if isLast { tell(.faultEnded(Self.fault)) }
    }
}
