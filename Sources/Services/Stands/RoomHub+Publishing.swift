import Hosting
import Rehearsal
import WebServer

/// Limits the rooms that one musician publishes, because the published rooms of all are in everybody's list.
extension RoomHub {
    /// Runs work that may publish a room of the person, and counts it while it runs, so that parallel requests do not
    /// exceed the limit.
    /// - Parameter work: gets false if the person has published as many rooms as one may.
    func countPublishing<Result>(
        of arrivals: [ReceivedStandMessage], by person: RehearsalRoomUser,
        _ work: (_ mayPublishAnotherRoom: Bool) async throws(Refusal) -> Result
    ) async throws(Refusal) -> Result {
        guard ReceivedStandMessage.publishesRoom(arrivals) else { return try await work(true) }
        let others = beginRoomRequest(by: person.id)
        defer { endRoomRequest(by: person.id) }
        return try await work(mayPublishAnotherRoom(person, beingPublished: others))
    }

    /// True if the person may publish one more room. Librarians are not limited.
    /// - Parameter others: the number of rooms that the person is publishing or creating besides this one.
    func mayPublishAnotherRoom(_ person: RehearsalRoomUser, beingPublished others: Int) async -> Bool {
        if person.isLibrarian { return true }
        var count = others
        for room in rooms.withLock({ Array($0.values) }) where await room.isPublished(by: person.id) {
            count += 1
        }
        return count < RoomLimits.mostPublishedRooms
    }
}
