import Catalogue
import Rehearsal

/// Loading the rooms from disk.
///
/// The rooms are loaded in the background; requests wait for that. When another program has rewritten them
/// (replication), they are dropped from memory, and the next request loads them again.
extension RoomHub {
    /// One loading of all rooms. It is valid until the rooms are dropped from memory.
    struct Reading {
        /// Rises when the rooms are dropped; the result of an older loading is discarded.
        var number = 0
        /// The running or finished loading of all rooms; nil before the first request and after a failure.
        var task: Task<Result<[String], CatalogueError>, Never>?
        /// Ends the rooms that were dropped; the next loading waits until they have written their last events.
        var ending: Task<Void, Never>?
    }

    @discardableResult
    func load() -> Task<Result<[String], CatalogueError>, Never> {
        reading.withLock { reading in
            if let task = reading.task { return task }
            let (number, ending) = (reading.number, reading.ending)
            let task = Task {
                await ending?.value
                return await read(number)
            }
            reading.task = task
            return task
        }
    }

    /// First sequence number for events of this start: milliseconds since 2020. Higher than any number issued before,
    /// since no room receives a thousand events a second on average.
    private var firstNumber: Int {
        Int(max(around.wall().milliseconds - 1_577_836_800_000, 0))
    }

    /// - Returns: a sentence for each room that could not be read.
    private func read(_ number: Int) async -> Result<[String], CatalogueError> {
        let stored: [StoredRoom]
        do throws(CatalogueError) { stored = try await store.rooms() } catch {
            reading.withLock { if $0.number == number { $0.task = nil } }
            return .failure(error)
        }
        var found: [Room.ID: LiveRoom] = [:]
        var others: Set<Room.ID> = []
        var sentences: [String] = []
        for one in stored {
            do {
                var state = try RoomState(one)
                state.continueNumbering(below: firstNumber)
                let score = await shelf.score(state.content.room.score)
                let room = LiveRoom(state, score: score, around: around)
                found[room.id] = room
            } catch {
                if let id = Room.ID(one.id) { others.insert(id) }
                sentences.append(
                    "The room \(one.id) in \(store.path) cannot be read and is left out: \(error)")
            }
        }
        reading.withLock { reading in
            guard reading.number == number else { return }
            rooms.withLock { $0 = found }
            unread.withLock { $0 = others }
        }
        return .success(sentences)
    }

    /// Waits until the rooms are loaded.
    /// - Returns: a sentence for each room that could not be read.
    /// - Throws: if no room could be read; the next call tries again.
    @discardableResult
    package func loaded() async throws(RoomFault) -> [String] {
        do throws(CatalogueError) { return try await load().value.get() } catch { throw .notStored(error) }
    }

    /// Drops all rooms from memory because another program has rewritten them on disk; the next request loads them.
    ///
    /// The dropped rooms are ended and their stands reconnect. Otherwise those stands would go on watching a room in
    /// which nothing happens any more.
    package func forget() {
        reading.withLock { reading in
            reading.number += 1
            reading.task = nil
            let old = rooms.withLock { rooms in
                defer { rooms = [:] }
                return Array(rooms.values)
            }
            unread.withLock { $0 = [] }
            guard !old.isEmpty else { return }
            let before = reading.ending
            reading.ending = Task {
                await before?.value
                for room in old { await room.retire() }
            }
        }
    }
}
