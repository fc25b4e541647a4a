import Hosting
import Podium
import Synchronization

/// The follower's side: brings the desk's orders to the follow lane.
///
/// A lane whose device is away takes no orders, and its box is full at some time. The newest order is then given
/// again until it is taken: the Podium believes no word from before it.
package final class LaneOutput: ShowOutput {
    private let orders: LiveOrders
    private let owed = Mutex<LiveOrder?>(nil)

    package init(orders: LiveOrders) { self.orders = orders }

    package func carry(_ effect: PodiumEffect, of course: ShowProgramme) {
        switch effect {
        case .anchorFollower(let piece, let position, let order):
            give(LiveOrder(kind: .anchor, piece: piece, position: position, number: order))
        case .beginFollower(let piece, let position, let order):
            give(LiveOrder(kind: .begin, piece: piece, position: position, number: order))
        default: break
        }
    }

    package func show(_ picture: DeskPicture) {
        if let order = owed.withLock({ $0 }) { give(order) }
    }

    private func give(_ order: LiveOrder) {
        let isTaken = orders.give(order)
        owed.withLock { $0 = isTaken ? nil : order }
    }
}
