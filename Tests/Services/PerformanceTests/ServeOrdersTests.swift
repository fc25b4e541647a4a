import Following
import Podium
import Score
import Synchronization
import Testing

@testable import Console
@testable import Hosting
@testable import Performance
@testable import ShowStages
@testable import TestHelpers

@Suite(.ownThreads) struct ServeOrdersTests {
    private func order(_ number: UInt32, piece: Int = 0) -> FollowLaneOrder {
        FollowLaneOrder(
            kind: .anchor, piece: piece, position: ScorePosition(played: 0, fraction: 0), number: number)
    }

    @Test func ordersComeOutAsTheyWentIn() {
        let orders = FollowLaneOrderQueue()
        for round in 0..<UInt32(50) {
            for number in 0..<UInt32(5) { #expect(orders.add(order(5 * round + number))) }
            let taken = (0..<5).compactMap { _ in orders.removeOldest()?.number }
            #expect(taken == (0..<5).map { 5 * round + UInt32($0) })
        }
        #expect(orders.removeOldest() == nil)
    }

    @Test func aFullBoxRefusesAndKeepsWhatItHas() {
        let orders = FollowLaneOrderQueue()
        for number in 0..<UInt32(64) { #expect(orders.add(order(number))) }
        #expect(!orders.add(order(99)))
        #expect(orders.removeOldest()?.number == 0)
        #expect(orders.add(order(64)))
        var rest: [UInt32] = []
        while let order = orders.removeOldest() { rest.append(order.number) }
        #expect(rest == (1...64).map(UInt32.init))
    }

    @Test func ordersOfManyThreadsAreNeitherLostNorDoubled() async {
        let orders = FollowLaneOrderQueue()
        let threads = 6
        let each = 2_000
        let taken = await withTaskGroup(of: [FollowLaneOrder].self) { group in
            for piece in 0..<threads {
                group.addTask { [self] in
                    for number in 0..<each {
                        while !orders.add(order(UInt32(number), piece: piece)) { await Task.yield() }
                    }
                    return []
                }
            }
            group.addTask {
                var taken: [FollowLaneOrder] = []
                while taken.count < threads * each {
                    if let order = orders.removeOldest() { taken.append(order) } else { await Task.yield() }
                }
                return taken
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        for piece in 0..<threads {
            #expect(taken.filter { $0.piece == piece }.map(\.number) == (0..<each).map(UInt32.init))
        }
    }

    /// While the device is away the lane takes nothing; what it gets at last is the newest order.
    @Test func theNewestOrderIsGivenAgainUntilItIsTaken() throws {
        let orders = FollowLaneOrderQueue()
        let output = FollowLaneOrderOutput(orders: orders)
        let course = try madeCourse()
        for number in UInt32(1)...70 {
            output.performEffect(
                .anchorFollower(piece: 0, at: ScorePosition(played: 1, fraction: 0), order: number),
                of: course)
        }
        while orders.removeOldest() != nil {}
        let stage = try ServeStage()
        output.receiveSnapshot(stage.desk.inbox.newestSnapshot)
        #expect(orders.removeOldest()?.number == 70)
        output.receiveSnapshot(stage.desk.inbox.newestSnapshot)
        #expect(orders.removeOldest() == nil)
    }
}
