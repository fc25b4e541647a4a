import Basics
import NIOCore

/// Sends questions to the other server and receives its answers.
extension BackupLinkSharedState {
    /// Sends a question to the other server and waits for its answer. Implements ``BackupLink/askOtherServer(_:)``.
    func askOtherServer(_ question: [UInt8]) async throws(ExplainedError) -> [UInt8] {
        guard question.count <= BackupLinkLimits.mostQuestionBytes else {
            throw ExplainedError("A question of \(question.count) bytes is too long for the link.")
        }
        // This runs under the lock: an event loop that has ended drops its tasks, so that nothing would ever answer.
        let answer = lockedState.withLock { shared -> EventLoopFuture<[UInt8]>? in
            guard !shared.isEnded else { return nil }
            let promise = eventLoop.makePromise(of: [UInt8].self)
            eventLoop.execute { self.sendQuestion(question, promise) }
            return promise.futureResult
        }
        guard let answer else { throw BackupLinkAnswerError.notConnected }
        do {
            return try await answer.get()
        } catch {
            throw error as? ExplainedError ?? BackupLinkAnswerError.notConnected
        }
    }

    private func sendQuestion(_ question: [UInt8], _ promise: EventLoopPromise<[UInt8]>) {
        let newest = newestConnection.flatMap { connections[$0] }
        guard !isClosed, let connection = newest ?? connections.values.first(where: \.isAuthenticated),
            let otherAnswersQuestions
        else { return promise.fail(BackupLinkAnswerError.notConnected) }
        guard otherAnswersQuestions else {
            let version = lockedState.withLock { $0.status.otherServer?.version } ?? "of another version"
            return promise.fail(
                ExplainedError(
                    "The other server runs baton \(version), which answers no questions about its content; install "
                        + "the same version on both."))
        }
        let limit = limits.answerTimeout
        let number = pendingQuestions.register(on: ObjectIdentifier(connection), promise) { number in
            eventLoop.scheduleTask(in: limit) {
                self.pendingQuestions.fail(
                    number,
                    ExplainedError(
                        "The other server did not answer within \(limit.nanoseconds / 1_000_000_000) s; look at its "
                            + "load and at the network."))
            }
        }
        connection.sendQuestion(number, question)
    }

    func completeQuestion(_ number: UInt64, on connection: BackupLinkConnection, _ answer: [UInt8]) {
        pendingQuestions.complete(number, on: ObjectIdentifier(connection), answer)
    }
}
