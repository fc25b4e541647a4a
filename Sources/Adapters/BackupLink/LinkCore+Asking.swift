import NIOCore

/// Sends questions to the other server and receives its answers.
extension LinkCore {
    /// Sends a question to the other server and waits for its answer. Implements ``BackupLink/ask(_:)``.
    func ask(_ question: [UInt8]) async throws(LinkAnswerError) -> [UInt8] {
        guard question.count <= LinkLimits.mostQuestionBytes else { throw .tooLong(bytes: question.count) }
        // This runs under the lock: an event loop that has ended drops its tasks, so that nothing would ever answer.
        let answer = shared.withLock { shared -> EventLoopFuture<[UInt8]>? in
            guard !shared.isEnded else { return nil }
            let promise = loop.makePromise(of: [UInt8].self)
            loop.execute { self.ask(question, promise) }
            return promise.futureResult
        }
        guard let answer else { throw .notConnected }
        do {
            return try await answer.get()
        } catch {
            throw error as? LinkAnswerError ?? .notConnected
        }
    }

    private func ask(_ question: [UInt8], _ promise: EventLoopPromise<[UInt8]>) {
        let newest = newestConnection.flatMap { connections[$0] }
        guard !isClosed, let connection = newest ?? connections.values.first(where: \.isAuthenticated),
            let otherAnswersQuestions
        else { return promise.fail(LinkAnswerError.notConnected) }
        guard otherAnswersQuestions else {
            let version = shared.withLock { $0.status.otherServer?.version } ?? "of another version"
            return promise.fail(LinkAnswerError.otherVersion(version))
        }
        let limit = limits.answerTime
        let number = questions.register(on: ObjectIdentifier(connection), promise) { number in
            loop.scheduleTask(in: limit) {
                self.questions.fail(number, .tooLate(seconds: limit.nanoseconds / 1_000_000_000))
            }
        }
        connection.ask(number, question)
    }

    func answered(_ number: UInt64, on connection: LinkConnection, _ answer: [UInt8]) {
        questions.answered(number, on: ObjectIdentifier(connection), answer)
    }
}
