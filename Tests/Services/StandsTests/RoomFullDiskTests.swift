import Podium
import Rehearsal
import Testing

@testable import Catalogue
@testable import Hosting
@testable import Stands
@testable import TestHelpers
@testable import WebServer

/// A disk that takes nothing: pages turn all the same, and what could not be kept is not said to be.
@Suite(.ownThreads) struct RoomFullDiskTests {
    private let stage: RoomStage

    init() throws { stage = try RoomStage() }

    /// Every table refuses what is written to it, as a full disk does.
    private func fill() async throws {
        try await stage.hub.store.pool.write { db in
            for table in ["event", "spot", "word", "stand"] {
                try db.execute(
                    sql: """
                        CREATE TRIGGER full_\(table) BEFORE INSERT ON \(table)
                        BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END
                        """)
            }
        }
    }

    private func free() async throws {
        try await stage.hub.store.pool.write { db in
            for table in ["event", "spot", "word", "stand"] {
                try db.execute(sql: "DROP TRIGGER full_\(table)")
            }
        }
    }

    private var faults: [String] {
        stage.told.withLock { $0 }.map { event in
            switch event {
            case .fault(let fault): "begins: \(fault.id)"
            case .faultEnded(let id): "over: \(id)"
            default: "\(event)"
            }
        }
    }

    @Test func pagesTurnOnAFullDiskAndTheDeskIsToldOnce() async throws {
        let room = try await stage.makeRoom()
        try await stage.send(
            [
                .beginSession(roomID(800), publicLayer: roomID(900), performances: []),
                .enterSession(roomID(801), part: 0),
            ],
            by: anna, to: room)
        let stand = try await stage.stand(anna, room)
        _ = try stand.heard()
        try await fill()
        for (page, played) in [12, 22, 32].enumerated() {
            await stage.play(played, at: 2 * Double(played), in: room)
            #expect(await room.waitUntilAllWritten() == false)
            #expect(try stand.heard().compactMap(\.followed).map(\.page) == [page + 1])
        }
        #expect(!stand.stream.isOver)
        // A stand that comes is let in, and a page by hand is taken.
        let again = try await stage.stand(anna, room)
        #expect(try again.heard().contains { $0.snapshot != nil })
        let answers = try await room.processMessages(
            [.message(.turnedPage(page: 1))], from: again.key, by: stage.hub.makeActingUser(anna, of: room))
        #expect(answers.isEmpty)
        #expect(faults == ["begins: rooms"])
        try await free()
        _ = try await room.processMessages(
            [.message(.turnedPage(page: 2))], from: again.key, by: stage.hub.makeActingUser(anna, of: room))
        #expect(faults == ["begins: rooms", "over: rooms"])
        guard case .fault(let fault)? = stage.told.withLock({ $0.first }) else { return }
        #expect(fault.sentence.contains("cannot be written") && fault.sentence.hasSuffix("."))
    }

    @Test func whatHappensInARoomIsRefusedAndTheStandsStay() async throws {
        let room = try await stage.makeRoom()
        let stand = try await stage.stand(anna, room)
        try await stage.lay(0, on: stand, in: room, by: anna)
        _ = try stand.heard()
        try await fill()
        let turn = RoomAct.turnPagesForAll(PageTurnForAll(part: 0, page: 3))
        for _ in 0..<3 {
            await #expect(throws: Refusal.roomUnavailable) {
                try await stage.send([turn], by: anna, to: room, ids: [roomID(5)])
            }
        }
        #expect(try stand.heard().isEmpty && !stand.stream.isOver)
        #expect(await room.roomWriteFailureCount == 1, "it is not tried again at once")
        await stage.play(12, at: 24, in: room)
        #expect(try stand.heard().compactMap(\.followed).map(\.page) == [1])
        try await free()
        stage.showMilliseconds.withLock { $0 += 1_000 }
        #expect(
            try await stage.send([turn], by: anna, to: room, ids: [roomID(5)]).compactMap(\.receipt) == [1])
        #expect(try stand.heard().compactMap(\.event).map(\.sequence) == [1])
        #expect(faults == ["begins: rooms", "over: rooms"])
        #expect(try await RoomState(stage.hub.store.room(room.id.description)!).sequence == 1)
    }
}
