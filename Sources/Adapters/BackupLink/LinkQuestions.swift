import NIOCore

/// Questions that wait for their answers. On the link's loop.
struct LinkQuestions {
    private struct Waiting {
        var connection: ObjectIdentifier
        var promise: EventLoopPromise<[UInt8]>
        var limit: Scheduled<Void>
    }
    private var waiting: [UInt64: Waiting] = [:]
    private var last: UInt64 = 0

    /// - Parameter limit: made with the question's number; ends the waiting.
    mutating func begin(
        on connection: ObjectIdentifier, _ promise: EventLoopPromise<[UInt8]>,
        limit: (UInt64) -> Scheduled<Void>
    ) -> UInt64 {
        last += 1
        waiting[last] = Waiting(connection: connection, promise: promise, limit: limit(last))
        return last
    }

    /// An answer that nobody waits for, or that comes from elsewhere than it was asked, is dropped.
    mutating func answered(_ number: UInt64, on connection: ObjectIdentifier, _ answer: [UInt8]) {
        guard waiting[number]?.connection == connection, let one = waiting.removeValue(forKey: number) else {
            return
        }
        one.limit.cancel()
        one.promise.succeed(answer)
    }

    mutating func end(_ number: UInt64, _ why: LinkSilence) {
        guard let one = waiting.removeValue(forKey: number) else { return }
        one.limit.cancel()
        one.promise.fail(why)
    }

    /// - Parameter connection: nil for all.
    mutating func endAll(on connection: ObjectIdentifier?, _ why: LinkSilence) {
        for (number, one) in waiting where connection == nil || one.connection == connection {
            end(number, why)
        }
    }
}
