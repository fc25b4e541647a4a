import Catalogue
import Rehearsal
import WebServer

/// Loads the rooms from disk.
///
/// The rooms are loaded in the background, and requests wait until the rooms are loaded. When replication has
/// rewritten the rooms on disk, they are dropped from memory, and the next request loads them again.
extension RoomHub {
    /// The state of loading all rooms from disk. A loading is valid until the rooms are dropped from memory.
    struct RoomLoading {
        /// Rises each time the rooms are dropped; the result of an older loading is discarded.
        var generation = 0
        /// The running or finished loading of all rooms; nil before the first request and after a failure.
        var loadingTask: Task<Result<[String], CatalogueError>, Never>?
        /// The task that ends the dropped rooms. The next loading waits until they have written their last events.
        var endDroppedRoomsTask: Task<Void, Never>?
    }

    @discardableResult
    func startLoading() -> Task<Result<[String], CatalogueError>, Never> {
        roomLoading.withLock { loading in
            if let task = loading.loadingTask { return task }
            let (number, endingDroppedRooms) = (loading.generation, loading.endDroppedRoomsTask)
            let task = Task {
                await endingDroppedRooms?.value
                return await loadRooms(number)
            }
            loading.loadingTask = task
            return task
        }
    }

    /// First sequence number for events of this run: milliseconds since 2020. No room receives a thousand events a
    /// second on average, so the number is higher than any number issued before.
    private var firstEventSequenceNumber: Int {
        Int(max(dependencies.wallClock().milliseconds - 1_577_836_800_000, 0))
    }

    /// Reads all rooms from disk into memory.
    /// - Returns: a sentence for each room that could not be read.
    private func loadRooms(_ number: Int) async -> Result<[String], CatalogueError> {
        let stored: [StoredRehearsalRoom]
        do throws(CatalogueError) { stored = try await store.rooms() } catch {
            roomLoading.withLock { if $0.generation == number { $0.loadingTask = nil } }
            return .failure(error)
        }
        var found: [RehearsalRoom.ID: RoomActor] = [:]
        var others: Set<RehearsalRoom.ID> = []
        var sentences: [String] = []
        for one in stored {
            do {
                var state = try RoomState(one)
                state.continueNumbering(below: firstEventSequenceNumber)
                var scores: [Rehearsal.Score] = []
                for id in state.content.programme.scores {
                    if let score = await scoreLookup.findScore(id) { scores.append(score) }
                }
                let room = RoomActor(state, scores: scores, dependencies: dependencies)
                // If the catalogue does not answer, it is tried again every two seconds.
                try? await room.carryRemarks()
                found[room.id] = room
            } catch {
                if let id = RehearsalRoom.ID(one.id) { others.insert(id) }
                sentences.append(
                    "The room \(one.id) in \(store.path) cannot be read and is left out: \(error)")
            }
        }
        roomLoading.withLock { loading in
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
    package func waitUntilRoomsLoaded() async throws(Refusal) -> [String] {
        do throws(CatalogueError) { return try await startLoading().value.get() } catch {
            throw .storeFailed(error)
        }
    }

    /// Drops all rooms from memory because another program has rewritten them on disk; the next request loads them.
    ///
    /// The dropped rooms are ended, so that their stands reconnect. Otherwise the stands would go on watching a room in
    /// which nothing happens any more.
    package func dropAllRooms() {
        roomLoading.withLock { loading in
            loading.generation += 1
            loading.loadingTask = nil
            let old = rooms.withLock { rooms in
                defer { rooms = [:] }
                return Array(rooms.values)
            }
            unreadableRooms.withLock { $0 = [] }
            guard !old.isEmpty else { return }
            let before = loading.endDroppedRoomsTask
            loading.endDroppedRoomsTask = Task {
                await before?.value
                for room in old { await room.endBeforeReload() }
            }
        }
    }
}
