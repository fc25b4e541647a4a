import Catalogue
import Podium
import Rehearsal
import Synchronization

/// Reports a technical fault to the show while any room cannot be written, and ends the fault when all rooms can be
/// written again.
final class RoomWriteFaultReporter: Sendable {
    static let faultID = "rooms"

    private let failingRooms = Mutex<Set<RehearsalRoom.ID>>([])
    private let sendFaultEvent: @Sendable (PodiumEvent) -> Void

    /// - Parameter tell: sends an event to the show.
    init(_ tell: @escaping @Sendable (PodiumEvent) -> Void = { _ in }) { self.sendFaultEvent = tell }

    /// Reports that a write of this room has failed.
    func reportWriteFailure(in room: RehearsalRoom.ID, _ error: any Error) {
        let isFirst = failingRooms.withLock { failingRooms in
            let wasNone = failingRooms.isEmpty
            failingRooms.insert(room)
            return wasNone
        }
        guard isFirst else { return }
        let cause = (error as? CatalogueError)?.sentence ?? "\(error)"
        sendFaultEvent(
            .fault(
                TechnicalFault(
                    id: Self.faultID,
                    sentence:
                        "Rehearsal rooms cannot be written: \(cause) Pages are still turned by the music; changes wait "
                        + "on the stands. Free some space on the disk.")))
    }

    /// Reports that this room has been written again or has been closed.
    package func reportWriteSuccess(in room: RehearsalRoom.ID) {
        let isLast = failingRooms.withLock { failingRooms in
            guard !failingRooms.isEmpty, failingRooms.remove(room) != nil else { return false }
            return failingRooms.isEmpty
        }
        if isLast { sendFaultEvent(.faultEnded(Self.faultID)) }
    }
}
