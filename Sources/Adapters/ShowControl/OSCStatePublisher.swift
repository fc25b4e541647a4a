import Podium
import Synchronization

/// Holds the newest state of the show and sends its changes to all receivers.
final class OSCStatePublisher: Sendable {
    private let stateReceivers: OSCStateReceivers
    private let latestState = Mutex(LatestState())
    private let startInstant = ContinuousClock.now

    private struct LatestState {
        var showState: PublishedShowState?
        var messageFilter = StateMessageFilter()
    }

    init(_ subscribers: OSCStateReceivers) { self.stateReceivers = subscribers }

    var latestShowState: PublishedShowState? { latestState.withLock { $0.showState } }

    func publishState(_ state: PublishedShowState) {
        latestState.withLock { $0.showState = state }
        publishDueMessages()
    }

    func publishDueMessages() {
        let now = startInstant.duration(to: .now)
        // Sends inside the lock, so that the later of two states is also sent later. Sending never waits.
        latestState.withLock { held in
            guard let state = held.showState else { return }
            for message in held.messageFilter.selectDueMessages(for: state, at: now) {
                try? stateReceivers.sendToAllReceivers(message)
            }
        }
    }
}
