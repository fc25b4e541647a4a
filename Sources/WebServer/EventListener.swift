import NIOCore

/// One who listens to a hub.
struct EventListener: Sendable {
    /// What the hub keeps for a listener.
    ///
    /// @unchecked: everything that changes is touched only under the hub's lock.
    final class Place: @unchecked Sendable {
        let doorbell: AsyncStream<Void>.Continuation
        var index: Int
        /// A bit for each section that changed since this listener last took.
        var unseen: UInt64 = 0
        var beatUnseen = false
        var passing: [EventFrame] = []
        var first: ByteBuffer?
        var isRung = true

        init(index: Int, doorbell: AsyncStream<Void>.Continuation, first: ByteBuffer) {
            self.index = index
            self.doorbell = doorbell
            self.first = first
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
