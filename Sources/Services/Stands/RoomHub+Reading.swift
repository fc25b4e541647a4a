import Catalogue
import Rehearsal

/// The rooms as they lie on the disk.
///
/// They are read in the background; whoever asks before waits. Where another program writes them they are forgotten,
/// and read again by whoever asks next.
extension RoomHub {
    /// One reading of all rooms, until they are forgotten.
    struct Reading {
        /// Rises when the rooms are forgotten: what was read before is of no use then.
        var number = 0
        /// Nil where it has failed, or nobody has asked yet.
        var task: Task<Result<[String], CatalogueError>, Never>?
        /// Rooms that were forgotten are being ended: the next reading waits for what they still write.
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

    /// Of events of this start: a thousand a second since 2020, more than were made before it.
    private var firstNumber: Int {
        Int(max(around.wall().milliseconds - 1_577_836_800_000, 0))
    }

    /// - Returns: sentences about rooms that could not be read.
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

    /// Waits until the rooms are read.
    /// - Returns: sentences about those that could not be.
    /// - Throws: where none could; asked again, they are read again.
    @discardableResult
    package func loaded() async throws(RoomFault) -> [String] {
        do throws(CatalogueError) { return try await load().value.get() } catch { throw .notStored(error) }
    }

    /// Another program has written the rooms: whoever asks next reads them from the disk.
    ///
    /// Those there were are ended. Their stands come back and say what they have seen; left alone they would look at
    /// a room that nothing happens in any more.
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
