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
    let rooms = Mutex<[RehearsalRoom.ID: RoomActor]>([:])
    let passkeyGuessGuard = Mutex(SignInGuard())
    let rateLimit = Mutex(StandRateLimit())
    /// Limits the number of passkeys that are being hashed or wait for hashing.
    let hashingQuota = SharedResourceQuota(ResourceQuota.Limits(total: 32, perAccount: 2))
    /// Number of rooms that each user is creating at this moment.
    private let roomsBeingCreated = Mutex<[Rehearsal.User.ID: Int]>([:])
    let roomLoading = Mutex(RoomLoading())
    /// Ids of stored rooms that this version cannot read.
    let unreadableRooms = Mutex<Set<RehearsalRoom.ID>>([])

    var store: RehearsalRoomStore { dependencies.store }
    var pieceMaps: ProgrammePieceMaps { dependencies.readPieceMaps() }

    init(scoreLookup: any ScoreLookup, dependencies: RoomActor.RoomDependencies, hasher: PasswordHasher) {
        self.scoreLookup = scoreLookup
        var dependencies = dependencies
        dependencies.findScore = { await scoreLookup.findScore($0) }
        self.dependencies = dependencies
        self.hasher = hasher
        _ = startLoading()
    }

    func allRooms() async throws(RoomError) -> [RoomActor] {
        try await waitUntilRoomsLoaded()
        return rooms.withLock { Array($0.values) }
    }

    func findRoom(_ id: RehearsalRoom.ID) async throws(RoomError) -> RoomActor {
        while true {
            let number = roomLoading.withLock { $0.generation }
            try await waitUntilRoomsLoaded()
            if let room = rooms.withLock({ $0[id] }) { return room }
            if unreadableRooms.withLock({ $0.contains(id) }) { throw .roomUnavailable }
            // The rooms were dropped in the meantime, so they are loaded once more.
            guard roomLoading.withLock({ $0.generation }) != number else { throw .noRoom }
        }
    }

    /// Makes a signed-in person an acting user of the room. The name and the rights come from this server, not from
    /// the stand.
    /// - Parameter others: scores that the person is about to add to the room's programme.
    /// - Throws: if the person's right to a score cannot be looked up. This error is not a refusal.
    func makeActingUser(
        _ person: RehearsalRoomUser, of room: RoomActor, knowsPasskey: Bool = false,
        alsoFor others: Set<Rehearsal.Score.ID> = []
    ) async throws(RoomError) -> ActingUser {
        let programme = room.programmeScores.withLock { $0.all }
        let wanted = programme.union(others)
        var withheld: Set<Rehearsal.Score.ID> = []
        if !person.isLibrarian, wanted.count > 1 {
            do throws(CatalogueError) {
                withheld = wanted.subtracting(try await scoreLookup.listGrantedScoreIDs(of: person.id))
            } catch {
                throw .storeFailed(error)
            }
        } else if let only = wanted.first, try await !mayOpenScore(person, only) {
            withheld = [only]
        }
        return ActingUser(
            user: person.id, name: person.name, hasScoreGrant: !programme.isSubset(of: withheld),
            withheldScores: withheld, knowsPasskey: knowsPasskey)
    }

    private func mayOpenScore(
        _ person: RehearsalRoomUser, _ score: Rehearsal.Score.ID
    ) async throws(RoomError) -> Bool {
        do throws(CatalogueError) { return try await person.mayOpenScore(score, in: scoreLookup) } catch {
            throw .storeFailed(error)
        }
    }

    /// Lists the scores that a user may see.
    /// - Parameter user: nil for all scores.
    func scores(of user: Rehearsal.User.ID?) async throws(RoomError) -> [Rehearsal.Score] {
        do throws(CatalogueError) { return try await scoreLookup.listGrantedScores(of: user) } catch {
            throw .storeFailed(error)
        }
    }

    // MARK: Creating and closing rooms

    /// The body of a request to create a room.
    struct RoomCreationRequest: Decodable {
        var id: RehearsalRoom.ID
        var membership: Membership.ID
        var score: Rehearsal.Score.ID
        /// The scores that follow it in the programme.
        var further: [Rehearsal.Score.ID]? = nil
        package var name: String
        var passkey: String?
        var published: Bool?
    }

    /// Creates a room. If the same person repeats the request, the existing room is returned.
    func createRoom(_ new: RoomCreationRequest, by person: RehearsalRoomUser) async throws(RoomError)
        -> RoomActor
    {
        try await waitUntilRoomsLoaded()
        let wanted = [new.score] + (new.further ?? [])
        guard wanted.count <= RoomLimits.mostProgrammeEntries else {
            throw .malformedRequest(
                sentence: "A programme has at most \(RoomLimits.mostProgrammeEntries) scores; leave some out."
            )
        }
        var scores: [Rehearsal.Score] = []
        for id in wanted {
            guard let score = await scoreLookup.findScore(id) else { throw .noScore }
            guard try await mayOpenScore(person, id) else { throw .refused(.scoreNotGiven) }
            scores.append(score)
        }
        if let old = rooms.withLock({ $0[new.id] }) {
            guard await old.isOwner(person.id) else { throw .idAlreadyUsed }
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
        let made: RehearsalRoom
        do throws(RehearsalFault) {
            made = try RehearsalRoom(
                id: new.id, score: new.score, name: new.name, passkeyHash: hash, owner: person.id,
                isPublished: new.published ?? false)
        } catch {
            throw .badRoomName(sentence: error.sentence)
        }
        var state = RoomState(
            room: made, owner: new.membership, ownerName: person.name,
            pageCounts: scores[0].pageCountsByPart)
        for score in scores.dropFirst() {
            state.prepareProgramme(
                ProgrammeEntry(id: .new(), score: score.id), pageCounts: score.pageCountsByPart)
        }
        let encoded = RoomJSON.encode(state)
        let isNew: Bool
        do throws(CatalogueError) {
            isNew = try await store.addRoom(
                new.id.description, score: new.score.description, state: encoded,
                atMilliseconds: dependencies.wallClock().milliseconds)
        } catch {
            throw .storeFailed(error)
        }
        // The id of a removed room is never used again.
        guard isNew else { throw .idAlreadyUsed }
        let room = RoomActor(state, scores: scores, dependencies: dependencies)
        return rooms.withLock { rooms in
            rooms[new.id] = rooms[new.id] ?? room
            return rooms[new.id]!
        }
    }

    func removeRoom(_ id: RehearsalRoom.ID, by person: RehearsalRoomUser) async throws(RoomError) {
        let room = try await findRoom(id)
        guard await room.isOwner(person.id) else {
            throw .refused(RoomRefusal(.notAllowed, "Only the room's owner can close it; ask the owner."))
        }
        do throws(CatalogueError) {
            try await store.removeRoom(id.description, atMilliseconds: dependencies.wallClock().milliseconds)
        } catch {
            throw .storeFailed(error)
        }
        rooms.withLock { _ = $0.removeValue(forKey: id) }
        await room.announceRemoval()
    }

    /// Checks that this server is the active one.
    /// - Throws: ``RoomError/notActiveServer`` if it is on standby.
    func checkIsActiveServer() throws(RoomError) {
        guard dependencies.isActiveServer() else { throw .notActiveServer }
    }
}
