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
    private func order(_ number: UInt32, piece: Int = 0) -> LiveOrder {
        LiveOrder(
            kind: .anchor, piece: piece, position: ScorePosition(played: 0, fraction: 0), number: number)
    }

    @Test func ordersComeOutAsTheyWentIn() {
        let orders = LiveOrders()
        for round in 0..<UInt32(50) {
            for number in 0..<UInt32(5) { #expect(orders.give(order(5 * round + number))) }
            let taken = (0..<5).compactMap { _ in orders.take()?.number }
            #expect(taken == (0..<5).map { 5 * round + UInt32($0) })
        }
        #expect(orders.take() == nil)
    }

    @Test func aFullBoxRefusesAndKeepsWhatItHas() {
        let orders = LiveOrders()
        for number in 0..<UInt32(64) { #expect(orders.give(order(number))) }
        #expect(!orders.give(order(99)))
        #expect(orders.take()?.number == 0)
        #expect(orders.give(order(64)))
        var rest: [UInt32] = []
        while let order = orders.take() { rest.append(order.number) }
        #expect(rest == (1...64).map(UInt32.init))
    }

    @Test func ordersOfManyThreadsAreNeitherLostNorDoubled() async {
        let orders = LiveOrders()
        let threads = 6
        let each = 2_000
        let taken = await withTaskGroup(of: [LiveOrder].self) { group in
            for piece in 0..<threads {
                group.addTask { [self] in
                    for number in 0..<each {
                        while !orders.give(order(UInt32(number), piece: piece)) { await Task.yield() }
                    }
                    return []
                }
            }
            group.addTask {
                var taken: [LiveOrder] = []
                while taken.count < threads * each {
                    if let order = orders.take() { taken.append(order) } else { await Task.yield() }
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
        let orders = LiveOrders()
        let output = LaneOutput(orders: orders)
        let course = try madeCourse()
        for number in UInt32(1)...70 {
            output.carry(
                .anchorFollower(piece: 0, at: ScorePosition(played: 1, fraction: 0), order: number),
                of: course)
        }
        while orders.take() != nil {}
        let stage = try ServeStage()
        output.show(stage.desk.inbox.newestPicture)
        #expect(orders.take()?.number == 70)
        output.show(stage.desk.inbox.newestPicture)
        #expect(orders.take() == nil)
    }
}
