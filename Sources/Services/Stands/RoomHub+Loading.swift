import Catalogue
import Rehearsal

/// Loads the rooms from disk.
///
/// The rooms are loaded in the background, and requests wait until they are. When replication has rewritten them on
/// disk, they are dropped from memory, and the next request loads them again.
extension RoomHub {
    /// The state of loading all rooms from disk. A loading is valid until the rooms are dropped from memory.
    struct RoomLoading {
        /// Rises each time the rooms are dropped; the result of an older loading is discarded.
        var generation = 0
        /// The running or finished loading of all rooms; nil before the first request and after a failure.
        var task: Task<Result<[String], CatalogueError>, Never>?
        /// The task that ends the dropped rooms. The next loading waits until they have written their last events.
        var endingDroppedRooms: Task<Void, Never>?
    }

    @discardableResult
    func startLoading() -> Task<Result<[String], CatalogueError>, Never> {
        loading.withLock { loading in
            if let task = loading.task { return task }
            let (number, endingDroppedRooms) = (loading.generation, loading.endingDroppedRooms)
            let task = Task {
                await endingDroppedRooms?.value
                return await loadRooms(number)
            }
            loading.task = task
            return task
        }
    }

    /// First sequence number for events of this run: milliseconds since 2020. It is higher than any number issued
    /// before, since no room receives a thousand events a second on average.
    private var firstSequenceNumber: Int {
        Int(max(dependencies.wallClock().milliseconds - 1_577_836_800_000, 0))
    }

    /// Reads all rooms from disk into memory.
    /// - Returns: a sentence for each room that could not be read.
    private func loadRooms(_ number: Int) async -> Result<[String], CatalogueError> {
        let stored: [StoredRoom]
        do throws(CatalogueError) { stored = try await store.rooms() } catch {
            loading.withLock { if $0.generation == number { $0.task = nil } }
            return .failure(error)
        }
        var found: [Room.ID: RoomActor] = [:]
        var others: Set<Room.ID> = []
        var sentences: [String] = []
        for one in stored {
            do {
                var state = try RoomState(one)
                state.continueNumbering(below: firstSequenceNumber)
                let score = await scoreLookup.score(state.content.room.score)
                let room = RoomActor(state, score: score, dependencies: dependencies)
                found[room.id] = room
            } catch {
                if let id = Room.ID(one.id) { others.insert(id) }
                sentences.append(
                    "The room \(one.id) in \(store.path) cannot be read and is left out: \(error)")
            }
        }
        loading.withLock { loading in
            guard loading.generation == number else { return }
            rooms.withLock { $0 = found }
            unreadableRooms.withLock { $0 = others }
        }
        return .success(sentences)
    }

    /// Waits until the rooms are loaded.
    /// - Returns: a sentence for each room that could not be read.
    /// - Throws: if no room could be read; the next call tries again.
    @discardableResult
    package func waitUntilLoaded() async throws(RoomError) -> [String] {
        do throws(CatalogueError) { return try await startLoading().value.get() } catch {
            throw .notStored(error)
        }
    }

    /// Drops all rooms from memory because another program has rewritten them on disk; the next request loads them.
    ///
    /// The dropped rooms are ended, so that their stands reconnect. Otherwise the stands would go on watching a room in
    /// which nothing happens any more.
    package func dropAll() {
        loading.withLock { loading in
            loading.generation += 1
            loading.task = nil
            let old = rooms.withLock { rooms in
                defer { rooms = [:] }
                return Array(rooms.values)
            }
            unreadableRooms.withLock { $0 = [] }
            guard !old.isEmpty else { return }
            let before = loading.endingDroppedRooms
            loading.endingDroppedRooms = Task {
                await before?.value
                for room in old { await room.endBeforeReload() }
            }
        }
    }
}
