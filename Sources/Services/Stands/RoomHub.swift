import Catalogue
import Hosting
import Passwords
import Podium
import Rehearsal
import Synchronization
import WebServer

/// Holds all rehearsal rooms of this server.
package final class RoomHub: Sendable {
    private static let mostRoomsOfOwner = 200

    let scoreLookup: any ScoreLookup
    let dependencies: RoomActor.RoomDependencies
    let hasher: PasswordHasher
    let rooms = Mutex<[Room.ID: RoomActor]>([:])
    let passkeyGuessGuard = Mutex(SignInGuard())
    let rateLimit = Mutex(StandRateLimit())
    /// Limits the number of passkeys that are being hashed or wait to be hashed.
    let hashingQuota = QuotaPool(ResourceQuota.Shares(total: 32, perAccount: 2))
    /// Number of rooms that each user is creating at this moment.
    private let roomsBeingCreated = Mutex<[Rehearsal.User.ID: Int]>([:])
    let loading = Mutex(RoomLoading())
    /// Ids of stored rooms that this version cannot read.
    let unreadableRooms = Mutex<Set<Room.ID>>([])

    var store: RoomStore { dependencies.store }
    var pieces: ProgrammePieceMaps { dependencies.pieces }

    init(scoreLookup: any ScoreLookup, dependencies: RoomActor.RoomDependencies, hasher: PasswordHasher) {
        self.scoreLookup = scoreLookup
        self.dependencies = dependencies
        self.hasher = hasher
        _ = startLoading()
    }

    func all() async throws(RoomError) -> [RoomActor] {
        try await waitUntilLoaded()
        return rooms.withLock { Array($0.values) }
    }

    func room(_ id: Room.ID) async throws(RoomError) -> RoomActor {
        while true {
            let number = loading.withLock { $0.generation }
            try await waitUntilLoaded()
            if let room = rooms.withLock({ $0[id] }) { return room }
            if unreadableRooms.withLock({ $0.contains(id) }) { throw .roomUnavailable }
            // The rooms were dropped in the meantime, so they are loaded once more.
            guard loading.withLock({ $0.generation }) != number else { throw .noRoom }
        }
    }

    /// Makes a signed-in person an acting user of the room. The name and the rights come from this server, not from the
    /// stand.
    /// - Throws: if the person's right to the score cannot be looked up. That is not a refusal.
    func actingUser(
        _ person: RoomPerson, of room: RoomActor, knowsPasskey: Bool = false
    ) async throws(RoomError) -> ActingUser {
        ActingUser(
            user: person.id, name: person.name, hasScoreGrant: try await holds(person, room.scoreID),
            knowsPasskey: knowsPasskey)
    }

    private func holds(
        _ person: RoomPerson, _ score: Rehearsal.Score.ID
    ) async throws(RoomError) -> Bool {
        do throws(CatalogueError) { return try await person.mayOpen(score, in: scoreLookup) } catch {
            throw .notStored(error)
        }
    }

    /// Lists the scores that a user may see.
    /// - Parameter user: nil for all scores.
    func scores(of user: Rehearsal.User.ID?) async throws(RoomError) -> [Rehearsal.Score] {
        do throws(CatalogueError) { return try await scoreLookup.scores(of: user) } catch {
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

    /// Creates a room. If the same person repeats the request, the existing room is returned.
    func createRoom(_ new: NewRoom, by person: RoomPerson) async throws(RoomError) -> RoomActor {
        try await waitUntilLoaded()
        guard let score = await scoreLookup.score(new.score) else { throw .noScore }
        guard try await holds(person, new.score) else {
            throw .refused(
                RoomRefusal(.noScoreGrant, "You have not been given this score; ask the librarian for it."))
        }
        if let old = rooms.withLock({ $0[new.id] }) {
            guard await old.isOwner(person.id) else { throw .usedID }
            return old
        }
        // Counts rooms that are being created too, so that parallel requests do not exceed the limit.
        var owned = roomsBeingCreated.withLock { roomsBeingCreated in
            defer { roomsBeingCreated[person.id, default: 0] += 1 }
            return roomsBeingCreated[person.id] ?? 0
        }
        defer {
            roomsBeingCreated.withLock { roomsBeingCreated in
                let left = (roomsBeingCreated[person.id] ?? 1) - 1
                roomsBeingCreated[person.id] = left > 0 ? left : nil
            }
        }
        for room in rooms.withLock({ Array($0.values) }) where await room.isOwner(person.id) { owned += 1 }
        guard owned < Self.mostRoomsOfOwner else { throw .tooManyRooms(most: Self.mostRoomsOfOwner) }
        let hash = try await hashPasskey(new.passkey, by: person)
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
                new.id.description, score: new.score.description, state: RoomJSON.encode(state),
                atMilliseconds: dependencies.wallClock().milliseconds)
        } catch {
            throw .notStored(error)
        }
        // The id of a removed room is never used again.
        guard isNew else { throw .usedID }
        let room = RoomActor(state, score: score, dependencies: dependencies)
        return rooms.withLock { rooms in
            rooms[new.id] = rooms[new.id] ?? room
            return rooms[new.id]!
        }
    }

    func removeRoom(_ id: Room.ID, by person: RoomPerson) async throws(RoomError) {
        let room = try await room(id)
        guard await room.isOwner(person.id) else {
            throw .refused(RoomRefusal(.notAllowed, "Only the room's owner can close it; ask the owner."))
        }
        do throws(CatalogueError) {
            try await store.removeRoom(id.description, atMilliseconds: dependencies.wallClock().milliseconds)
        } catch {
            throw .notStored(error)
        }
        rooms.withLock { _ = $0.removeValue(forKey: id) }
        await room.announceRemoval()
    }

    /// Checks that this server is the active one.
    /// - Throws: ``RoomError/notActiveServer`` if it is on standby.
    func checkIsActive() throws(RoomError) {
        guard dependencies.isActiveServer() else { throw .notActiveServer }
    }
}
