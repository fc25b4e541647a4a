import Hosting
import Podium
import Score
import Synchronization

/// Passes the show engine's orders to the follower, and the follower of a changed programme before them; tells it
/// whether this is a rehearsal.
///
/// While the audio device is unplugged, the follow thread takes no orders and their queue may fill up; and after a
/// takeover the follower of the programme in force may still be loading. The newest order is then offered again until
/// the follower has it, because the Podium ignores reports that were made before that order.
final class FollowLaneOrderOutput: ShowOutput {
    private let orders: FollowLaneOrderQueue
    private let exchange: FollowerExchange?
    private let unsentOrder = Mutex<FollowLaneOrder?>(nil)

    /// - Parameter exchange: nil if the programme never changes.
    init(orders: FollowLaneOrderQueue, exchange: FollowerExchange? = nil) {
        (self.orders, self.exchange) = (orders, exchange)
    }

    func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) {
        switch effect {
        case .anchorFollower(let piece, let position, let order):
            sendOrKeepOrder(
                FollowLaneOrder(kind: .anchor, piece: piece, position: position, number: order), course)
        case .makeFollowerWait(let piece, let position, let order):
            sendOrKeepOrder(
                FollowLaneOrder(kind: .awaitMusicStart, piece: piece, position: position, number: order),
                course)
        case .beginMusic(let piece, let position, let order):
            sendOrKeepOrder(
                FollowLaneOrder(kind: .beginMusic, piece: piece, position: position, number: order), course)
        case .changeFollowerProgramme(let order):
            sendOrKeepOrder(FollowLaneOrder(kind: .confirm, piece: 0, position: nil, number: order), course)
        default: break
        }
    }

    func receiveSnapshot(_ snapshot: ShowEngineSnapshot) {
        orders.isRehearsal.store(snapshot.state.isRehearsal, ordering: .relaxed)
        if let order = unsentOrder.withLock({ $0 }) {
            sendOrKeepOrder(order.moved(to: snapshot), snapshot.programme)
        } else {
            // On a backup, the follower is kept ready for the programme that it copies.
            _ = exchange?.handOver(for: snapshot.programme)
            awaitRenewedPiece(snapshot)
        }
        exchange?.releaseReplaced()
    }

    /// Pieces that were prepared anew are followed from now on. The current one, which is not being played, is awaited
    /// where it was; the order has the number of the one before, so that reports count as before.
    private func awaitRenewedPiece(_ snapshot: ShowEngineSnapshot) {
        let state = snapshot.state
        guard let exchange, state.check == nil,
            exchange.handOverRenewed(for: snapshot.programme, at: state.piece, isAwaited: state.awaitsPiece)
        else { return }
        sendOrKeepOrder(
            FollowLaneOrder(
                kind: .awaitMusicStart, piece: state.piece,
                position: state.isPlaceKnown ? state.position : nil, number: state.order), snapshot.programme)
    }

    private func sendOrKeepOrder(_ order: FollowLaneOrder, _ course: ShowProgramme) {
        let isTaken = (exchange?.handOver(for: course) ?? true) && orders.add(order)
        unsentOrder.withLock { $0 = isTaken ? nil : order }
    }
}

extension FollowLaneOrder {
    /// The same order for a later moment: the music has gone on since it was given.
    fileprivate func moved(to snapshot: ShowEngineSnapshot) -> FollowLaneOrder {
        guard case .anchor = kind, piece == snapshot.state.piece else { return self }
        var order = self
        order.position = ScorePosition(
            played: snapshot.state.position.played, fraction: snapshot.measureFraction)
        return order
    }
}
