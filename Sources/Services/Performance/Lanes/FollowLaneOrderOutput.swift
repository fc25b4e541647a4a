import Hosting
import Podium
import Synchronization

/// Passes the show engine's orders to the follower.
///
/// While the audio device is unplugged, the follow thread takes no orders and their queue may fill up. The newest order
/// is then offered again until the queue accepts it, because the Podium ignores reports that were made before that
/// order.
final class FollowLaneOrderOutput: ShowOutput {
    private let orders: FollowLaneOrderQueue
    private let unsentOrder = Mutex<FollowLaneOrder?>(nil)

    init(orders: FollowLaneOrderQueue) { self.orders = orders }

    func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) {
        switch effect {
        case .anchorFollower(let piece, let position, let order):
            sendOrKeepOrder(FollowLaneOrder(kind: .anchor, piece: piece, position: position, number: order))
        case .makeFollowerWait(let piece, let position, let order):
            sendOrKeepOrder(
                FollowLaneOrder(kind: .awaitMusicStart, piece: piece, position: position, number: order))
        default: break
        }
    }

    func receiveSnapshot(_ snapshot: ShowEngineSnapshot) {
        if let order = unsentOrder.withLock({ $0 }) { sendOrKeepOrder(order) }
    }

    private func sendOrKeepOrder(_ order: FollowLaneOrder) {
        let isTaken = orders.add(order)
        unsentOrder.withLock { $0 = isTaken ? nil : order }
    }
}
