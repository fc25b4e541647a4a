import Catalogue
import Hosting
import Platform
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
    /// For each user, the number of requests in progress that create or publish a room.
    private let roomRequestsInProgress = Mutex<[Rehearsal.User.ID: Int]>([:])
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

    func allRooms() async throws(Refusal) -> [RoomActor] {
        try await waitUntilRoomsLoaded()
        return rooms.withLock { Array($0.values) }
    }

    func findRoom(_ id: RehearsalRoom.ID) async throws(Refusal) -> RoomActor {
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
    /// - Parameters:
    ///   - others: scores that the person is about to add to the room's programme.
    ///   - mayPublishAnotherRoom: see ``mayPublishAnotherRoom(_:beingPublished:)``; it matters only for publishing.
    /// - Throws: if the person's right to a score cannot be looked up. This error is not a refusal.
    func makeActingUser(
        _ person: RehearsalRoomUser, of room: RoomActor, knowsPasskey: Bool = false,
        alsoFor others: Set<Rehearsal.Score.ID> = [], mayPublishAnotherRoom: Bool = true
    ) async throws(Refusal) -> ActingUser {
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
            withheldScores: withheld, knowsPasskey: knowsPasskey,
            mayPublishAnotherRoom: mayPublishAnotherRoom)
    }

    private func mayOpenScore(
        _ person: RehearsalRoomUser, _ score: Rehearsal.Score.ID
    ) async throws(Refusal) -> Bool {
        do throws(CatalogueError) { return try await person.mayOpenScore(score, in: scoreLookup) } catch {
            throw .storeFailed(error)
        }
    }

    /// Lists the scores that a user may see.
    /// - Parameter user: nil for all scores.
    func scores(of user: Rehearsal.User.ID?) async throws(Refusal) -> [Rehearsal.Score] {
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
    func createRoom(_ new: RoomCreationRequest, by person: RehearsalRoomUser) async throws(Refusal)
        -> RoomActor
    {
        try await waitUntilRoomsLoaded()
        let scores = try await findScores(of: new, for: person)
        if let old = rooms.withLock({ $0[new.id] }) {
            guard await old.isOwner(person.id) else { throw .idAlreadyUsed }
            return old
        }
        // Counts rooms that are being created too, so that parallel requests do not exceed the limit.
        let created = beginRoomRequest(by: person.id)
        defer { endRoomRequest(by: person.id) }
        try await checkRoomCount(of: person.id, beingCreated: created)
        if new.published == true {
            guard await mayPublishAnotherRoom(person, beingPublished: created) else {
                throw .refused(.tooManyPublishedRooms)
            }
        }
        let state = try await makeState(of: new, scores: scores, by: person)
        try await storeNewRoom(new, state)
        let room = RoomActor(state, scores: scores, dependencies: dependencies)
        return rooms.withLock { rooms in
            rooms[new.id] = rooms[new.id] ?? room
            return rooms[new.id]!
        }
    }

    /// Finds the scores of a new room, each of which its owner must be able to open.
    private func findScores(
        of new: RoomCreationRequest, for person: RehearsalRoomUser
    ) async throws(Refusal) -> [Rehearsal.Score] {
        let wanted = [new.score] + (new.further ?? [])
        guard wanted.count <= RoomLimits.mostProgrammeEntries else {
            throw .malformed(
                "A programme has at most \(RoomLimits.mostProgrammeEntries) scores; leave some out."
            )
        }
        var scores: [Rehearsal.Score] = []
        for id in wanted {
            guard let score = await scoreLookup.findScore(id) else { throw .noScore }
            guard try await mayOpenScore(person, id) else { throw .refused(.scoreNotGiven) }
            scores.append(score)
        }
        return scores
    }

    /// Begins a request that creates or publishes a room.
    /// - Returns: the number of the person's other requests of this kind that have not ended.
    func beginRoomRequest(by owner: Rehearsal.User.ID) -> Int {
        roomRequestsInProgress.withLock { roomRequestsInProgress in
            defer { roomRequestsInProgress[owner, default: 0] += 1 }
            return roomRequestsInProgress[owner] ?? 0
        }
    }

    func endRoomRequest(by owner: Rehearsal.User.ID) {
        roomRequestsInProgress.withLock { roomRequestsInProgress in
            let left = (roomRequestsInProgress[owner] ?? 1) - 1
            roomRequestsInProgress[owner] = left > 0 ? left : nil
        }
    }

    private func checkRoomCount(
        of owner: Rehearsal.User.ID, beingCreated: Int
    ) async throws(Refusal) {
        var owned = beingCreated
        for room in rooms.withLock({ Array($0.values) }) where await room.isOwner(owner) { owned += 1 }
        guard owned < Self.mostRoomsOfOwner else { throw .tooManyRooms(most: Self.mostRoomsOfOwner) }
    }

    /// Makes the first state of a room: its owner, and its programme of scores.
    private func makeState(
        of new: RoomCreationRequest, scores: [Rehearsal.Score], by person: RehearsalRoomUser
    ) async throws(Refusal) -> RoomState {
        let hash = try await hashPasskey(new.passkey, by: person)
        let room: RehearsalRoom
        do throws(RehearsalFault) {
            room = try RehearsalRoom(
                id: new.id, score: new.score, name: new.name, passkeyHash: hash, owner: person.id,
                isPublished: new.published ?? false)
        } catch {
            throw .badRoomName(sentence: error.sentence)
        }
        var state = RoomState(
            room: room, owner: new.membership, ownerName: person.name,
            pageCounts: scores[0].pageCountsByPart)
        for score in scores.dropFirst() {
            state.prepareProgramme(
                ProgrammeEntry(id: .new(), score: score.id), pageCounts: score.pageCountsByPart)
        }
        return state
    }

    /// Stores a new room. The id of a removed room is never used again.
    private func storeNewRoom(_ new: RoomCreationRequest, _ state: RoomState) async throws(Refusal) {
        let encoded = RoomJSON.encode(state)
        let isNew: Bool
        do throws(CatalogueError) {
            isNew = try await store.addRoom(
                new.id.description, score: new.score.description, state: encoded,
                atMilliseconds: dependencies.wallClock().milliseconds)
        } catch {
            throw .storeFailed(error)
        }
        guard isNew else { throw .idAlreadyUsed }
    }

    func removeRoom(_ id: RehearsalRoom.ID, by person: RehearsalRoomUser) async throws(Refusal) {
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
    /// - Throws: ``Refusal/notActiveServer`` if it is on standby.
    func checkIsActiveServer() throws(Refusal) {
        guard dependencies.isActiveServer() else {
            throw .notActiveServer(address: dependencies.findOtherServer())
        }
    }
}
