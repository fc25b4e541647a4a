import Basics
import NIOCore

/// The questions to the other server that wait for their answers. Used on the link's event loop only.
struct PendingBackupQuestions {
    private struct WaitingQuestion {
        var connection: ObjectIdentifier
        var promise: EventLoopPromise<[UInt8]>
        var timeout: Scheduled<Void>
    }
    private var waitingQuestions: [UInt64: WaitingQuestion] = [:]
    private var lastQuestionNumber: UInt64 = 0

    /// Registers a question to the other server.
    /// - Parameter limit: called with the question's number; schedules its timeout.
    /// - Returns: the question's number.
    mutating func register(
        on connection: ObjectIdentifier, _ promise: EventLoopPromise<[UInt8]>,
        limit: (UInt64) -> Scheduled<Void>
    ) -> UInt64 {
        lastQuestionNumber += 1
        waitingQuestions[lastQuestionNumber] = WaitingQuestion(
            connection: connection, promise: promise, timeout: limit(lastQuestionNumber))
        return lastQuestionNumber
    }

    /// Passes an answer to the caller that waits for it. An answer is dropped if nobody waits for it, or if it comes on
    /// another connection than the question.
    mutating func complete(_ number: UInt64, on connection: ObjectIdentifier, _ answer: [UInt8]) {
        guard waitingQuestions[number]?.connection == connection,
            let one = waitingQuestions.removeValue(forKey: number)
        else {
            return
        }
        one.timeout.cancel()
        one.promise.succeed(answer)
    }

    mutating func fail(_ number: UInt64, _ why: ExplainedError) {
        guard let one = waitingQuestions.removeValue(forKey: number) else { return }
        one.timeout.cancel()
        one.promise.fail(why)
    }

    /// Fails all waiting questions of a connection.
    /// - Parameter connection: nil for all connections.
    mutating func failAll(on connection: ObjectIdentifier?, _ why: ExplainedError) {
        for (number, one) in waitingQuestions where connection == nil || one.connection == connection {
            fail(number, why)
        }
    }
}
