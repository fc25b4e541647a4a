import Catalogue
import Passwords
import Podium
import Rehearsal
import Synchronization
import WebServer

/// All rehearsal rooms of this server.
final class RoomHub: Sendable {
    private static let mostRoomsOfOwner = 200
    private static let longestPasskeyBytes = 128

    let shelf: any ScoreShelf
    let around: LiveRoom.Surroundings
    private let hasher: PasswordHasher
    /// Changed here alone.
    let rooms = Mutex<[Room.ID: LiveRoom]>([:])
    private let passkeyTries = Mutex(SignInGuard())
    private let allowance = Mutex(SendAllowance())
    private let began = ContinuousClock.now
    /// Rooms that are being made, by their owners.
    private let making = Mutex<[Rehearsal.User.ID: Int]>([:])
    /// The rooms as they lie on the disk are read in the background; whoever asks before waits. Nil where that has
    /// failed: whoever asks next reads them again.
    private let reading = Mutex<Task<Result<[String], CatalogueError>, Never>?>(nil)
    /// They are there, but this version cannot read them.
    private let unread = Mutex<Set<Room.ID>>([])

    var store: RoomStore { around.store }
    var pieces: PlayedPieces { around.pieces }

    init(shelf: any ScoreShelf, around: LiveRoom.Surroundings, hasher: PasswordHasher) {
        self.shelf = shelf
        self.around = around
        self.hasher = hasher
        _ = load()
    }

    private func load() -> Task<Result<[String], CatalogueError>, Never> {
        reading.withLock { reading in
            if let reading { return reading }
            let task = Task { await read() }
            reading = task
            return task
        }
    }

    /// Of events of this start: a thousand a second since 2020, more than were made before it.
    private var firstNumber: Int {
        Int(max(around.wall().milliseconds - 1_577_836_800_000, 0))
    }

    /// - Returns: sentences about rooms that could not be read.
    private func read() async -> Result<[String], CatalogueError> {
        let stored: [StoredRoom]
        do throws(CatalogueError) { stored = try await store.rooms() } catch {
            reading.withLock { $0 = nil }
            return .failure(error)
        }
        var sentences: [String] = []
        for one in stored {
            do {
                var state = try RoomState(one)
                state.skipNumbers(below: firstNumber)
                let score = await shelf.score(state.content.room.score)
                let room = LiveRoom(state, score: score, around: around)
                rooms.withLock { $0[room.id] = room }
            } catch {
                if let id = Room.ID(one.id) { unread.withLock { _ = $0.insert(id) } }
                sentences.append(
                    "The room \(one.id) in \(store.path) cannot be read and is left out: \(error)")
            }
        }
        return .success(sentences)
    }

    /// Waits until the rooms are read.
    /// - Returns: sentences about those that could not be.
    /// - Throws: where none could; asked again, they are read again.
    @discardableResult
    func loaded() async throws(RoomFault) -> [String] {
        do throws(CatalogueError) { return try await load().value.get() } catch { throw .notStored(error) }
    }

    /// Another program has written the rooms: whoever asks next reads them from the disk.
    func forget() {
        reading.withLock { $0 = nil }
        unread.withLock { $0 = [] }
        rooms.withLock { $0 = [:] }
    }

    func all() async throws(RoomFault) -> [LiveRoom] {
        try await loaded()
        return rooms.withLock { Array($0.values) }
    }

    func room(_ id: Room.ID) async throws(RoomFault) -> LiveRoom {
        try await loaded()
        if let room = rooms.withLock({ $0[id] }) { return room }
        throw unread.withLock { $0.contains(id) } ? .unreadable : .noRoom
    }

    /// Who acts in a room, as this server vouches for.
    /// - Throws: where it cannot be looked up what the person holds; nothing is refused for that.
    func member(
        _ person: RoomPerson, of room: LiveRoom, knowsPasskey: Bool = false
    ) async throws(RoomFault) -> Member {
        Member(
            user: person.id, name: person.name, holdsBundle: try await holds(person, room.scoreID),
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

    // MARK: Making and closing

    /// What somebody says of a room to be made.
    struct NewRoom: Decodable {
        var id: Room.ID
        var membership: Membership.ID
        var score: Rehearsal.Score.ID
        var name: String
        var passkey: String?
        var published: Bool?
    }

    /// Makes a room; asked again for the same one by the same person it does nothing.
    func make(_ new: NewRoom, by person: RoomPerson) async throws(RoomFault) -> LiveRoom {
        try await loaded()
        guard let score = await shelf.score(new.score) else { throw .noScore }
        guard try await holds(person, new.score) else {
            throw .refused(
                RoomRefusal(.noBundle, "You have not been given this score; ask the librarian for it."))
        }
        if let old = rooms.withLock({ $0[new.id] }) {
            guard await old.isOwner(person.id) else { throw .usedID }
            return old
        }
        // Those that are made at this moment count, whichever comes first.
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
        let hash = try await hash(new.passkey)
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
        // A removed room keeps its id.
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
            throw .refused(RoomRefusal(.notAllowed, "Only the room's owner closes it; ask there."))
        }
        do throws(CatalogueError) {
            try await store.removeRoom(id.description, atMilliseconds: around.wall().milliseconds)
        } catch {
            throw .notStored(error)
        }
        rooms.withLock { _ = $0.removeValue(forKey: id) }
        await room.remove()
    }

    // MARK: Passkeys

    /// - Parameter passkey: nil or empty where nobody needs one.
    func hash(_ passkey: String?) async throws(RoomFault) -> String? {
        guard let passkey, !passkey.isEmpty else { return nil }
        guard passkey.utf8.count <= Self.longestPasskeyBytes else {
            throw .badPasskey(
                sentence: "The passkey has more than \(Self.longestPasskeyBytes) bytes; choose a shorter one."
            )
        }
        do throws(PasswordError) {
            return try await hasher.hash(Passphrase(tried: passkey))
        } catch {
            if case .busy = error { throw .waitFirst(milliseconds: 1_000) }
            throw .badPasskey(sentence: error.sentence)
        }
    }

    /// Whether a passkey is a room's; guessing gets slower and slower.
    func knows(
        _ passkey: String?, of room: LiveRoom, _ person: RoomPerson, from address: String
    ) async throws(RoomFault) -> Bool {
        guard let passkey, !passkey.isEmpty, let hash = await room.passkeyHash else { return false }
        // Who mistakes one room's passkey may enter another; 64 letters, all that the guard tells apart.
        let account = "\(room.id)\(person.id)".filter { $0 != "-" }
        let now = milliseconds
        if let wait = passkeyTries.withLock({ $0.begin(account: account, from: address, at: now) }) {
            throw .waitFirst(milliseconds: wait)
        }
        do throws(PasswordError) {
            let isRight = try await hasher.verify(Passphrase(tried: passkey), against: hash) != .wrong
            if isRight { passkeyTries.withLock { $0.succeeded(account: account, from: address) } }
            return isRight
        } catch {
            passkeyTries.withLock { $0.withdraw(account: account, from: address) }
            if case .busy = error { throw .waitFirst(milliseconds: 1_000) }
            throw .badPasskey(sentence: error.sentence)
        }
    }

    private var milliseconds: Int64 { Int64((ContinuousClock.now - began) / .milliseconds(1)) }

    /// - Throws: where a stand sends too much.
    func allow(_ count: Int, by stand: StandKey) throws(RoomFault) {
        let now = milliseconds
        if let wait = allowance.withLock({ $0.take(count, by: stand, at: now) }) {
            throw .tooFast(milliseconds: wait)
        }
    }

    /// The same, of somebody who asks for something that no stand does by itself.
    func allow(_ count: Int, by person: RoomPerson) throws(RoomFault) {
        try allow(count, by: StandKey(user: person.id, stand: .init(high: 0, low: 0)))
    }

    /// - Throws: where another server has the show: the rooms are there.
    func checkReign() throws(RoomFault) {
        guard around.reigns() else { throw .notReigning }
    }
}
