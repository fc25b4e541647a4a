import NIOCore

/// One who listens to a hub and writes what is new by itself; where there is a socket, `EventOutlet` is cheaper.
struct EventListener: Sendable {
    /// What the hub keeps for a listener.
    ///
    /// @unchecked: everything that changes is touched only under the hub's lock.
    final class Place: @unchecked Sendable {
        let doorbell: AsyncStream<Void>.Continuation
        var index: Int
        /// The newest event that this listener took.
        var seen: UInt64
        var first: ByteBuffer?
        var isRung = true

        init(index: Int, doorbell: AsyncStream<Void>.Continuation, first: ByteBuffer, seen: UInt64) {
            self.index = index
            self.doorbell = doorbell
            self.first = first
            self.seen = seen
        }
    }

    let hub: EventHub
    let place: Place
    let doorbell: AsyncStream<Void>

    /// Hands each batch of unseen events to `write`, the next when that returned; ends with the hub, the task, or an
    /// error of `write`.
    func listen(_ write: ([ByteBuffer]) async throws -> Void) async throws {
        for await _ in doorbell {
            while true {
                let unseen = hub.take(place)
                if unseen.isEmpty { break }
                try await write(unseen)
            }
        }
    }

    func leave() { hub.leave(place) }
}
