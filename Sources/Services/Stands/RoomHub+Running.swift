import Rehearsal
import WebServer

/// What goes on in the rooms by itself.
extension RoomHub {
    /// A score has another edition: it is laid out on all stands.
    func scoreChanged(_ id: Rehearsal.Score.ID) async {
        guard let score = await shelf.score(id) else { return }
        for room in rooms.withLock({ Array($0.values) }) where room.scoreID == id { await room.renew(score) }
    }

    /// Where the music is, to every room it concerns.
    func hear(_ place: LivePlace) async {
        for room in rooms.withLock({ Array($0.values) }) where room.isActive.withLock({ $0 }) {
            await room.hear(place)
        }
    }

    /// Heartbeats, rights that were taken away, rooms written whole, and the log of writes carried over; every two
    /// seconds until it is cancelled.
    func run() async {
        var round = 0
        while !Task.isCancelled {
            let beat = StreamFrame(
                RoomJSON.bytes(["at": around.wall().milliseconds]), event: "beat")
            for room in rooms.withLock({ Array($0.values) }) {
                if around.reigns() { await room.tidy() } else { await room.sendStandsAway() }
                guard room.isActive.withLock({ $0 }) else { continue }
                await room.beat(beat)
                if round % 5 == 4 { await lookRightsUp(room) }
            }
            if round % 5 == 4 { try? await store.checkpoint() }
            round += 1
            try? await Task.sleep(for: .seconds(2))
        }
    }

    /// A bundle taken back closes the score on the stands that show it; what the librarian has added to it is there.
    /// What cannot be looked up stays as it is.
    func lookRightsUp(_ room: LiveRoom) async {
        await room.renew(shelf.score(room.scoreID))
        for person in await room.users {
            guard let holds = try? await person.holds(room.scoreID, on: shelf) else { continue }
            await room.setHolding(holds, of: person.id)
        }
    }
}
