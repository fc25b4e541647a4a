import Foundation
import Rehearsal
import Synchronization
import Testing
import WebServer

@testable import Stands
@testable import TestHelpers

/// A disk that takes its time: whoever wrote something is answered when the disk has it, and no turn waits.
@Suite(.ownThreads) struct RoomPowerCutTests {
    /// A disk that is waited for until it is let go.
    private final class SlowDisk: Sendable {
        let waits = Mutex(0)
        let code = Mutex<CInt>(0)
        private let isOpen = Mutex(true)

        func close() { isOpen.withLock { $0 = false } }
        func open() { isOpen.withLock { $0 = true } }

        @Sendable func synchronize(_ path: String) -> CInt {
            waits.withLock { $0 += 1 }
            while !isOpen.withLock({ $0 }) { usleep(1_000) }
            return code.withLock { $0 }
        }
    }

    private let disk = SlowDisk()
    private let stage: RoomStage

    init() throws { stage = try RoomStage(synchronize: disk.synchronize) }

    private let turn = RoomAct.turnPagesForAll(PageTurnForAll(part: 0, page: 3))

    @Test func whatMembersWroteIsAcknowledgedWhenTheDiskHasItAndTurnsDoNotWait() async throws {
        let room = try await stage.makeRoom()
        let stand = try await stage.stand(anna, room)
        _ = try stand.heard()
        disk.close()
        let isAnswered = Mutex(false)
        async let answers = {
            let answers = try await stage.send([.renameRoom("Friday")], by: anna, to: room)
            isAnswered.withLock { $0 = true }
            return answers
        }()
        // The others see it, and pages turn meanwhile.
        var heard: [Int] = []
        #expect(
            try await eventually {
                heard += try stand.heard().compactMap(\.event).map(\.sequence)
                return heard == [1]
            })
        #expect(try await stage.send([turn], by: anna, to: room).compactMap(\.receipt) == [2])
        #expect(try stand.heard().compactMap(\.event).map(\.sequence) == [2])
        #expect(!isAnswered.withLock { $0 })
        disk.open()
        #expect(try await answers.compactMap(\.receipt) == [1])
    }

    @Test func whatTheDiskDidNotTakeHasNoReceiptUntilItDoes() async throws {
        let room = try await stage.makeRoom()
        disk.code.withLock { $0 = EIO }
        let rename = RoomAct.renameRoom("Friday")
        for _ in 0..<2 {
            await #expect(throws: Refusal.roomUnavailable) {
                try await stage.send([rename], by: anna, to: room, ids: [roomID(5)])
            }
        }
        disk.code.withLock { $0 = 0 }
        let answers = try await stage.send([rename], by: anna, to: room, ids: [roomID(5)])
        #expect(answers.compactMap(\.receipt) == [1])
    }

    @Test func turnsNeverWaitForTheDisk() async throws {
        let room = try await stage.makeRoom()
        let before = disk.waits.withLock { $0 }
        try await stage.send([turn], by: anna, to: room)
        #expect(disk.waits.withLock { $0 } == before)
        try await stage.send([.renameRoom("Friday")], by: anna, to: room)
        #expect(disk.waits.withLock { $0 } == before + 1)
    }
}
