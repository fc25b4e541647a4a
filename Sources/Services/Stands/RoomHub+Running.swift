import Rehearsal
import WebServer

/// Periodic upkeep of all rooms, and updates to them.
extension RoomHub {
    /// A score has a new edition: all its rooms take it over.
    func scoreChanged(_ id: Rehearsal.Score.ID) async {
        guard let score = await shelf.score(id) else { return }
        for room in rooms.withLock({ Array($0.values) }) where room.scoreID == id {
            await room.adoptEdition(score)
        }
    }

    /// Passes a position of the music to every active room.
    func setPosition(_ place: PerformancePosition) async {
        for room in rooms.withLock({ Array($0.values) }) where room.isActive.withLock({ $0 }) {
            await room.setPosition(place)
        }
    }

    /// Every two seconds until cancelled: sends heartbeats and writes snapshots of idle rooms. Every ten seconds it
    /// also checks users' rights to scores and moves SQLite's write-ahead log into the database.
    package func run() async {
        var round = 0
        while !Task.isCancelled {
            let beat = StreamFrame(
                RoomJSON.bytes(["at": dependencies.wall().milliseconds]), event: "beat")
            for room in rooms.withLock({ Array($0.values) }) {
                if dependencies.isActiveServer() {
                    await room.maintain()
                } else {
                    await room.disconnectStands()
                }
                guard room.isActive.withLock({ $0 }) else { continue }
                await room.sendHeartbeat(beat)
                if round % 5 == 4 { await refreshRights(room) }
            }
            if round % 5 == 4 { try? await store.checkpoint() }
            round += 1
            try? await Task.sleep(for: .seconds(2))
        }
    }

    /// Checks the rights of a room's users to its score, and takes over a new edition. A user who has lost the right
    /// loses sight of the room. If a right cannot be looked up, nothing changes.
    func refreshRights(_ room: RoomActor) async {
        await room.adoptEdition(shelf.score(room.scoreID))
        for person in await room.users {
            guard let holds = try? await person.holds(room.scoreID, on: shelf) else { continue }
            await room.setScoreGrant(holds, of: person.id)
        }
    }
}
