import Catalogue
import Hosting
import Passwords
import Podium
import Rehearsal
import Synchronization
import WebServer

/// All rehearsal rooms of this server.
package final class RoomHub: Sendable {
    private static let mostRoomsOfOwner = 200

    let shelf: any ScoreShelf
    let around: LiveRoom.Surroundings
    let hasher: PasswordHasher
    let rooms = Mutex<[Room.ID: LiveRoom]>([:])
    let passkeyTries = Mutex(SignInGuard())
    let allowance = Mutex(SendAllowance())
    /// Limits the passkeys that are being hashed or wait for it.
    let hashing = QuotaPlaces(ResourceQuota.Shares(total: 32, perAccount: 2))
    /// Number of rooms that each user is creating at this moment.
    private let making = Mutex<[Rehearsal.User.ID: Int]>([:])
    let reading = Mutex(Reading())
    /// Ids of stored rooms that this version cannot read.
    let unread = Mutex<Set<Room.ID>>([])

    var store: RoomStore { around.store }
    var pieces: PlayedPieces { around.pieces }

    init(shelf: any ScoreShelf, around: LiveRoom.Surroundings, hasher: PasswordHasher) {
        self.shelf = shelf
        self.around = around
        self.hasher = hasher
        _ = load()
    }

    func all() async throws(RoomFault) -> [LiveRoom] {
        try await loaded()
        return rooms.withLock { Array($0.values) }
    }

    func room(_ id: Room.ID) async throws(RoomFault) -> LiveRoom {
        while true {
            let number = reading.withLock { $0.number }
            try await loaded()
            if let room = rooms.withLock({ $0[id] }) { return room }
            if unread.withLock({ $0.contains(id) }) { throw .unreadable }
            // The rooms were dropped in the meantime, so they are loaded once more.
            guard reading.withLock({ $0.number }) != number else { throw .noRoom }
        }
    }

    /// The person as an acting user of the room; this server guarantees the name and the rights.
    /// - Throws: if the person's right to the score cannot be looked up. That is not a refusal.
    func member(
        _ person: RoomPerson, of room: LiveRoom, knowsPasskey: Bool = false
    ) async throws(RoomFault) -> ActingUser {
        ActingUser(
            user: person.id, name: person.name, hasScoreGrant: try await holds(person, room.scoreID),
            knowsPasskey: knowsPasskey)
    }

    private func holds(
        _ person: RoomPerson, _ score: Rehearsal.Score.ID
    ) async throws(RoomFault) -> Bool {
        do throws(CatalogueError) { return try await person.holds(score, on: shelf) } catch {
            throw .notStored(error)
        }
    }

    /// - Parameter user: nil for all scores.
    func scores(of user: Rehearsal.User.ID?) async throws(RoomFault) -> [Rehearsal.Score] {
        do throws(CatalogueError) { return try await shelf.scores(of: user) } catch {
            throw .notStored(error)
        }
    }

    // MARK: Creating and closing rooms

    /// The body of a request to create a room.
    struct NewRoom: Decodable {
        var id: Room.ID
        var membership: Membership.ID
        var score: Rehearsal.Score.ID
        package var name: String
        var passkey: String?
        var published: Bool?
    }

    /// Creates a room. A repeated request by the same person returns the room that exists.
    func make(_ new: NewRoom, by person: RoomPerson) async throws(RoomFault) -> LiveRoom {
        try await loaded()
        guard let score = await shelf.score(new.score) else { throw .noScore }
        guard try await holds(person, new.score) else {
            throw .refused(
                RoomRefusal(.noScoreGrant, "You have not been given this score; ask the librarian for it."))
        }
        if let old = rooms.withLock({ $0[new.id] }) {
            guard await old.isOwner(person.id) else { throw .usedID }
            return old
        }
        // Counts rooms that are being created too, so that parallel requests do not exceed the limit.
        var owned = making.withLock { making in
            defer { making[person.id, default: 0] += 1 }
            return making[person.id] ?? 0
        }
        defer {
            making.withLock { making in
                let left = (making[person.id] ?? 1) - 1
                making[person.id] = left > 0 ? left : nil
            }
        }
        for room in rooms.withLock({ Array($0.values) }) where await room.isOwner(person.id) { owned += 1 }
        guard owned < Self.mostRoomsOfOwner else { throw .tooManyRooms(most: Self.mostRoomsOfOwner) }
        let hash = try await hash(new.passkey, by: person)
        let made: Room
        do throws(RehearsalFault) {
            made = try Room(
                id: new.id, score: new.score, name: new.name, passkeyHash: hash, owner: person.id,
                isPublished: new.published ?? false)
        } catch {
            throw .badName(sentence: error.sentence)
        }
        let state = RoomState(
            room: made, owner: new.membership, ownerName: person.name, pageCounts: score.pageCounts)
        let isNew: Bool
        do throws(CatalogueError) {
            isNew = try await store.addRoom(
                new.id.description, score: new.score.description, state: RoomJSON.bytes(state),
                atMilliseconds: around.wall().milliseconds)
        } catch {
            throw .notStored(error)
        }
        // The id of a removed room is never used again.
        guard isNew else { throw .usedID }
        let room = LiveRoom(state, score: score, around: around)
        return rooms.withLock { rooms in
            rooms[new.id] = rooms[new.id] ?? room
            return rooms[new.id]!
        }
    }

    func remove(_ id: Room.ID, by person: RoomPerson) async throws(RoomFault) {
        let room = try await room(id)
        guard await room.isOwner(person.id) else {
            throw .refused(RoomRefusal(.notAllowed, "Only the room's owner can close it; ask the owner."))
        }
        do throws(CatalogueError) {
            try await store.removeRoom(id.description, atMilliseconds: around.wall().milliseconds)
        } catch {
            throw .notStored(error)
        }
        rooms.withLock { _ = $0.removeValue(forKey: id) }
        await room.remove()
    }

    /// - Throws: if this server is on standby; the rooms are at the active server.
    func checkReign() throws(RoomFault) {
        guard around.reigns() else { throw .notReigning }
    }
}
