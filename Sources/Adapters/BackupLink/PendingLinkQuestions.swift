import NIOCore

/// The questions to the other server that wait for their answers. Used on the link's event loop only.
struct PendingLinkQuestions {
    private struct Waiting {
        var connection: ObjectIdentifier
        var promise: EventLoopPromise<[UInt8]>
        var limit: Scheduled<Void>
    }
    private var waiting: [UInt64: Waiting] = [:]
    private var last: UInt64 = 0

    /// Registers a question to the other server.
    /// - Parameter limit: called with the question's number; schedules its timeout.
    /// - Returns: the question's number.
    mutating func register(
        on connection: ObjectIdentifier, _ promise: EventLoopPromise<[UInt8]>,
        limit: (UInt64) -> Scheduled<Void>
    ) -> UInt64 {
        last += 1
        waiting[last] = Waiting(connection: connection, promise: promise, limit: limit(last))
        return last
    }

    /// Passes an answer to the caller that waits for it. An answer is dropped if nobody waits for it, or if it comes on
    /// another connection than the question.
    mutating func answered(_ number: UInt64, on connection: ObjectIdentifier, _ answer: [UInt8]) {
        guard waiting[number]?.connection == connection, let one = waiting.removeValue(forKey: number) else {
            return
        }
        one.limit.cancel()
        one.promise.succeed(answer)
    }

    mutating func fail(_ number: UInt64, _ why: LinkAnswerError) {
        guard let one = waiting.removeValue(forKey: number) else { return }
        one.limit.cancel()
        one.promise.fail(why)
    }

    /// Fails all waiting questions of a connection.
    /// - Parameter connection: nil for all connections.
    mutating func failAll(on connection: ObjectIdentifier?, _ why: LinkAnswerError) {
        for (number, one) in waiting where connection == nil || one.connection == connection {
            fail(number, why)
        }
    }
}
