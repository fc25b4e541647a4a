import Hosting
import Podium
import Synchronization

/// Passes the show engine's orders to the follower.
///
/// While the audio device is unplugged the follow thread takes no orders, and their queue may fill up. The newest
/// order is then given again until it is accepted, because the Podium ignores reports that were made before it.
final class LaneOutput: ShowOutput {
    private let orders: LiveOrders
    private let owed = Mutex<LiveOrder?>(nil)

    init(orders: LiveOrders) { self.orders = orders }

    func carry(_ effect: PodiumEffect, of course: ShowProgramme) {
        switch effect {
        case .anchorFollower(let piece, let position, let order):
            give(LiveOrder(kind: .anchor, piece: piece, position: position, number: order))
        case .beginFollower(let piece, let position, let order):
            give(LiveOrder(kind: .begin, piece: piece, position: position, number: order))
        default: break
        }
    }

    func show(_ picture: DeskPicture) {
        if let order = owed.withLock({ $0 }) { give(order) }
    }

    private func give(_ order: LiveOrder) {
        let isTaken = orders.give(order)
        owed.withLock { $0 = isTaken ? nil : order }
    }
}
