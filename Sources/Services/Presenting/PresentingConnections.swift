import Floor
import Hosting
import Podium
import PresentingProtocol
import Synchronization

/// The presenters' connections, which are told what happens to the floor.
final class PresentingConnections: ShowOutput {
    private struct Open {
        var connection: PresentingConnection
        var presenter: FloorPresenter.ID?
    }

    private let open = Mutex<[String: Open]>([:])
    /// The presenter who has the floor after the effects so far.
    private let holder = Mutex<FloorPresenter.ID?>(nil)

    func add(_ connection: PresentingConnection) {
        open.withLock { $0[connection.name] = Open(connection: connection) }
    }

    func remove(_ connection: PresentingConnection) {
        _ = open.withLock { $0.removeValue(forKey: connection.name) }
    }

    func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) {
        guard case .floor(let effect) = effect else { return }
        switch effect {
        case .registered(let presenter, let name):
            let connection = open.withLock { connections in
                connections[name]?.presenter = presenter
                return connections[name]?.connection
            }
            connection?.send(.registerSuccess, id: presenter.rawValue)
            // Somebody who comes back with the floor is told so here: a later look at the state may show a grant that
            // its own effect tells.
            if holder.withLock({ $0 == presenter }) {
                connection?.send(.grantControl, id: presenter.rawValue)
            }
        case .left(let presenter, let name?):
            // The number may be another presenter's at once, before this connection has ended.
            let connection = open.withLock { connections in
                connections[name]?.presenter = nil
                return connections[name]?.connection
            }
            // Without this answer, the program of somebody who was removed would come back by itself.
            connection?.confirmUnregistration(id: presenter.rawValue)
            connection?.close()
        case .holderChanged(let from, let to, _):
            holder.withLock { $0 = to }
            guard from != to else { break }
            if let from { send(.withdrawControl, to: from) }
            if let to { send(.grantControl, to: to) }
        case .left, .requested, .announceRequest, .declined, .screenChanged, .annotated, .drawn, .refused:
            break
        }
    }

    /// On a server that is not active nobody speaks; the presenters' programs connect to the other one.
    func receiveSnapshot(_ snapshot: ShowEngineSnapshot) {
        holder.withLock { $0 = snapshot.state.floor?.holder }
        guard !snapshot.isActiveServer else { return }
        for each in open.withLock({ Array($0.values) }) { each.connection.close() }
    }

    private func send(_ message: PresentingMessage, to presenter: FloorPresenter.ID) {
        let found = open.withLock { $0.values.first { $0.presenter == presenter } }
        found?.connection.send(message, id: presenter.rawValue)
    }
}
