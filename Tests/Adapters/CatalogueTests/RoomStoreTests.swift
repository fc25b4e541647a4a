import Foundation
import Synchronization
import Testing

@testable import Catalogue
@testable import TestHelpers

@Suite struct RoomStoreTests {
    private let folder: CatalogueFolder
    private let store: RehearsalRoomStore

    init() throws {
        folder = try CatalogueFolder()
        store = try RehearsalRoomStore(path: folder.path + "/rooms.sqlite")
    }

    private func json(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func event(_ number: Int) -> RehearsalRoomRecord {
        .event(sequence: number, json: json("\(number)"))
    }

    @discardableResult
    private func addRoom(_ id: String = "r") async throws -> Bool {
        try await store.addRoom(id, score: "s", state: json("begin"), atMilliseconds: 1)
    }

    /// As another process that opens the same file finds it while this one has not closed it.
    private func afterACrash() throws -> RehearsalRoomStore { try RehearsalRoomStore(path: store.path) }

    @Test func whatWasWrittenIsThereForTheNextStart() async throws {
        try await addRoom()
        try await store.write([event(1), event(2), .openPage(user: "u", part: 1, page: 7)], room: "r")
        try await store.write([.openPage(user: "u", part: 1, page: 8, atMilliseconds: 12)], room: "r")
        let found = try await afterACrash().rooms()
        #expect(
            found == [
                StoredRehearsalRoom(
                    id: "r", scoreID: "s", stateJSON: json("begin"),
                    eventsAfterState: [json("1"), json("2")],
                    openPages: [StoredRehearsalRoom.OpenPage(user: "u", part: 1, page: 8, atMilliseconds: 12)]
                )
            ])
    }

    @Test func onlyEventsBehindTheStateAreGoneThroughAgainButAllAreKept() async throws {
        try await addRoom()
        try await store.write([event(1), event(2), event(3)], room: "r")
        try await store.write([.state(sequence: 2, json: json("two"))], room: "r")
        let room = try #require(try await store.room("r"))
        #expect(room.stateJSON == json("two") && room.eventsAfterState == [json("3")])
        #expect(try await store.events(ofRoom: "r", from: 1) == [json("1"), json("2"), json("3")])
        #expect(try await store.events(ofRoom: "r", from: 2, before: 3) == [json("2")])
    }

    @Test func olderStateDoesNotReplaceANewerOne() async throws {
        try await addRoom()
        try await store.write([.state(sequence: 5, json: json("five"))], room: "r")
        try await store.write([.state(sequence: 4, json: json("four"))], room: "r")
        #expect(try await store.room("r")?.stateJSON == json("five"))
    }

    @Test func batchIsWrittenWholeOrNotAtAll() async throws {
        try await addRoom()
        try await store.write([event(1)], room: "r")
        await #expect(throws: CatalogueError.self) { try await store.write([event(2), event(1)], room: "r") }
        #expect(try await store.events(ofRoom: "r", from: 1) == [json("1")])
    }

    @Test func eventsOfARoomThatIsNotThereAreRefused() async throws {
        await #expect(throws: CatalogueError.self) { try await store.write([event(1)], room: "nowhere") }
        await #expect(throws: CatalogueError.self) { try await store.write([event(1)], room: nil) }
    }

    @Test func removedRoomIsOffTheListAndOnTheDiskAndKeepsItsID() async throws {
        #expect(try await addRoom())
        try await store.removeRoom("r", atMilliseconds: 9)
        #expect(try await store.rooms().isEmpty)
        #expect(try await store.room("r")?.id == "r")
        #expect(try await addRoom() == false)
    }

    @Test func sessionsAndTheirWordsAreInOrder() async throws {
        try await addRoom()
        try await store.write(
            [
                .sessionBegan(id: "a", atMilliseconds: 10, sequence: 1),
                .scorePosition(session: "a", atMilliseconds: 12, json: json("w2")),
                .scorePosition(session: "a", atMilliseconds: 11, json: json("w1")),
                .sessionEnded(id: "a", atMilliseconds: 20),
                .sessionBegan(id: "b", atMilliseconds: 30, sequence: 5),
                .scorePosition(session: "b", atMilliseconds: 31, json: json("w3")),
            ], room: "r")
        #expect(
            try await store.sessions(ofRoom: "r") == [
                StoredRehearsalSession(
                    id: "a", beganMilliseconds: 10, endedMilliseconds: 20, beginningEventSequence: 1),
                StoredRehearsalSession(
                    id: "b", beganMilliseconds: 30, endedMilliseconds: nil, beginningEventSequence: 5),
            ])
        #expect(
            try await store.scorePositions(ofRoom: "r", session: "a").map(\.json) == [json("w1"), json("w2")])
    }

    @Test func settingsBelongToUserAndScore() async throws {
        try await store.write([.pageTurningSettings(user: "u", score: "s", json: json("1"))], room: nil)
        try await store.write([.pageTurningSettings(user: "u", score: "s", json: json("2"))], room: nil)
        #expect(try await store.pageTurningSettings(ofUser: "u", score: "s") == json("2"))
        #expect(try await store.pageTurningSettings(ofUser: "v", score: "s") == nil)
    }

    @Test func carryingOverLosesNothing() async throws {
        try await addRoom()
        for number in 1...50 {
            try await store.write([event(number)], room: "r")
            if number % 10 == 0 { try await store.checkpoint() }
        }
        #expect(try await afterACrash().events(ofRoom: "r", from: 1).count == 50)
    }

    /// The number of rows in the file itself, without the log of writes beside it.
    private func carriedOver(_ name: String) async throws -> Int {
        let copy = folder.path + "/\(name).sqlite"
        try FileManager.default.copyItem(atPath: store.path, toPath: copy)
        return try await RehearsalRoomStore(path: copy).events(ofRoom: "r", from: 1).count
    }

    @Test func logIsCarriedOverWhenNothingMoreIsWritten() async throws {
        try await addRoom()
        try await store.write([event(1)], room: "r")
        try await store.checkpoint()
        #expect(try await carriedOver("busy") == 0)
        try await store.checkpoint()
        #expect(try await carriedOver("idle") == 1)
    }

    @Test func longLogIsCarriedOverThoughMoreIsWritten() async throws {
        try await addRoom()
        let large = RehearsalRoomRecord.event(sequence: 1, json: Array(repeating: 32, count: 9 << 20))
        try await store.write([large], room: "r")
        try await store.checkpoint()
        #expect(try await carriedOver("long") == 1)
        try await store.write([event(2)], room: "r")
        #expect(try await afterACrash().events(ofRoom: "r", from: 1).count == 2)
    }

    @Test func flushWaitsForTheLogAndTellsWhatTheDiskSaid() async throws {
        let asked = Mutex<[String]>([])
        let code = Mutex<CInt>(0)
        let path = folder.path + "/flushed.sqlite"
        let flushed = try RehearsalRoomStore(path: path) { file in
            asked.withLock { $0.append(file) }
            return code.withLock { $0 }
        }
        func storeList(changing revision: Int64) async throws -> DocumentSaving {
            try await flushed.storeSetlist(
                "list", ofUser: "u", json: json("list \(revision)"), changing: revision, most: 9)
        }
        #expect(try await storeList(changing: 0) == .saved(revision: 1))
        #expect(asked.withLock { $0 } == [path + "-wal"], "a setlist is on the disk when it is answered")
        #expect(try await flushed.addRoom("r", score: "s", state: json("begin"), atMilliseconds: 1))
        try await flushed.write([event(1)], room: "r")
        #expect(asked.withLock { $0 }.count == 2, "a room waits, an event does not")
        code.withLock { $0 = EIO }
        await #expect(throws: CatalogueError.self) { try await flushed.flush() }
        code.withLock { $0 = ENOSPC }
        await #expect(throws: CatalogueError.diskFull(path: path)) {
            _ = try await storeList(changing: 1)
        }
    }

    @Test func waitsForTheDiskAreShared() async throws {
        let waits = Mutex(0)
        let isOpen = Mutex(false)
        let flusher = FileFlusher {
            waits.withLock { $0 += 1 }
            while !isOpen.withLock({ $0 }) { usleep(1_000) }
            return 0
        }
        await withTaskGroup { group in
            for _ in 0..<50 { group.addTask { #expect(await flusher.flush() == 0) } }
            #expect(await eventually { await flusher.waitingCount == 49 })
            isOpen.withLock { $0 = true }
        }
        #expect(waits.withLock { $0 } == 2, "one that was under way, and one for all who came meanwhile")
    }

    @Test func databaseOfAnotherProgramIsRefused() throws {
        let path = folder.path + "/other.sqlite"
        try Data("no database at all, but some text that is long enough".utf8).write(to: URL(filePath: path))
        #expect(throws: CatalogueError.self) { try RehearsalRoomStore(path: path) }
    }
}
