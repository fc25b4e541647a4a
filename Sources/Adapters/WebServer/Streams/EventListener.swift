import NIOCore

/// A listener whose own task writes the events; on a socket, `HubStreamWriter` is cheaper.
struct EventListener: Sendable {
    /// The hub's record of a listener.
    ///
    /// @unchecked: mutable state is touched only under the hub's lock.
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

    /// Passes each batch of unseen events to `write`, and the next one when `write` has returned; ends with the hub,
    /// the task, or an error of `write`.
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
