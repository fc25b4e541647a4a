import Rehearsal
import WebServer

/// Maintains all rooms at intervals, and passes updates to them.
extension RoomHub {
    /// Makes all rooms of a score adopt the score's new edition.
    func adoptChangedScore(_ id: Rehearsal.Score.ID) async {
        guard let score = await scoreLookup.findScore(id) else { return }
        for room in rooms.withLock({ Array($0.values) })
        where room.programmeScores.withLock({ $0.all.contains(id) }) {
            await room.adoptScoreEdition(score)
        }
    }

    /// Passes a position of the music to every active room.
    func passPositionToRooms(_ place: PerformancePosition) async {
        for room in rooms.withLock({ Array($0.values) }) where room.hasStandsOrSession.withLock({ $0 }) {
            await room.processPerformancePosition(place)
        }
    }

    /// Sends heartbeats and writes snapshots of idle rooms every two seconds until cancelled. Every ten seconds it also
    /// checks users' rights to scores and moves SQLite's write-ahead log into the database.
    package func runPeriodicUpkeep() async {
        var round = 0
        while !Task.isCancelled {
            let evening = await eveningScores()
            if dependencies.isActiveServer() { try? await giveEveningScores() }
            let beat = EncodedStreamMessage(
                RoomJSON.encode(["at": dependencies.wallClock().milliseconds]), event: "beat")
            for room in rooms.withLock({ Array($0.values) }) {
                if dependencies.isActiveServer() {
                    await room.performPeriodicUpkeep()
                    try? await room.carryRemarks()
                    await room.takeEvening(evening)
                } else {
                    await room.disconnectStands()
                }
                guard room.hasStandsOrSession.withLock({ $0 }) else { continue }
                await room.sendHeartbeat(beat)
                if round % 5 == 4 { await refreshRights(room) }
            }
            if round % 5 == 4 { try? await store.checkpoint() }
            round += 1
            try? await Task.sleep(for: .seconds(2))
        }
    }

    /// Checks the rights of a room's users to its scores, and adopts their new editions. A user who has lost the right
    /// to all of them can no longer see the room. If a right cannot be looked up, nothing changes.
    func refreshRights(_ room: RoomActor) async {
        for score in room.programmeScores.withLock({ $0.all }) {
            await room.adoptScoreEdition(scoreLookup.findScore(score))
        }
        for person in await room.standUsers {
            guard let member = try? await makeActingUser(person, of: room) else { continue }
            await room.setScoreGrants(member.hasScoreGrant, without: member.withheldScores, of: person.id)
        }
    }
}
