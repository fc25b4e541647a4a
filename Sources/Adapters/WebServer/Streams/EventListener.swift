import NIOCore

/// A listener of a hub whose own task writes its events. For connections with a socket, `HubStreamWriter` costs less.
struct EventListener: Sendable {
    /// The hub's record of one listener.
    ///
    /// @unchecked Sendable: its mutable state is used only under the hub's lock.
    final class Registration: @unchecked Sendable {
        let wakeUps: AsyncStream<Void>.Continuation
        var index: Int
        /// The number of the newest event that this listener has received.
        var lastSeenID: UInt64
        var snapshot: ByteBuffer?
        var isWoken = true

        init(index: Int, wakeUps: AsyncStream<Void>.Continuation, snapshot: ByteBuffer, lastSeenID: UInt64) {
            self.index = index
            self.wakeUps = wakeUps
            self.snapshot = snapshot
            self.lastSeenID = lastSeenID
        }
    }

    let hub: EventHub
    let registration: Registration
    let wakeUps: AsyncStream<Void>

    /// Passes all unreceived events to `write`, and the next ones each time `write` has returned. It ends when the hub
    /// is closed, the task is cancelled, or `write` throws.
    func listen(_ write: ([ByteBuffer]) async throws -> Void) async throws {
        for await _ in wakeUps {
            while true {
                let unseen = hub.takeUnseenEvents(registration)
                if unseen.isEmpty { break }
                try await write(unseen)
            }
        }
    }

    func leave() { hub.removeListener(registration) }
}
