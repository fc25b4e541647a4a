import Podium
import Synchronization

/// Holds the newest state of the show and sends its changes to all receivers.
final class OSCStatePublisher: Sendable {
    private let subscribers: OSCSubscribers
    private let latest = Mutex(LatestState())
    private let start = ContinuousClock.now

    private struct LatestState {
        var state: PublishedShowState?
        var filter = StateMessageFilter()
    }

    init(_ subscribers: OSCSubscribers) { self.subscribers = subscribers }

    var state: PublishedShowState? { latest.withLock { $0.state } }

    func publish(_ state: PublishedShowState) {
        latest.withLock { $0.state = state }
        publishDueMessages()
    }

    func publishDueMessages() {
        let now = start.duration(to: .now)
        // Sends inside the lock, so that the later of two states is also sent later. Sending never waits.
        latest.withLock { held in
            guard let state = held.state else { return }
            for message in held.filter.messages(for: state, at: now) { try? subscribers.publish(message) }
        }
    }
}
