import Catalogue
import Synchronization
import WebServer

/// Answers of the page's lists and searches, kept as long as the diary has not changed.
///
/// Many people ask the same at the same time, and a diary changes seldom. The answers that were used least lately are
/// forgotten first.
final class DiaryAnswers: Sendable {
    /// A question of one kind of visitor.
    struct Question: Hashable {
        var path: String
        var parameters: [String: String]
        /// The person whose own entries are found too.
        var person: String?
        var isStaff = false

        init(path: String, parameters: [String: String]) {
            (self.path, self.parameters) = (path, parameters)
        }

        init(_ request: WebRequest, _ viewer: DiaryViewer) {
            self.init(path: request.path, parameters: request.queryParameters)
            person = viewer.person?.id
            isStaff = viewer.isStaff
        }

        /// About the bytes that the question takes.
        var byteCount: Int {
            parameters.reduce(path.utf8.count + 200) { $0 + $1.key.utf8.count + $1.value.utf8.count + 100 }
        }
    }

    /// The most bytes of all answers, and of one.
    static let mostBytes = 16 << 20
    static let mostBytesOfAnswer = 64 << 10

    private struct Kept {
        var generation: Int64?
        /// Two generations of answers: the newer questions, and those asked before them. Each holds at most half of the
        /// bytes.
        var young: [Question: WebResponse] = [:]
        var old: [Question: WebResponse] = [:]
        var youngBytes = 0
        var oldBytes = 0

        mutating func keep(_ answer: WebResponse, for question: Question, halfBytes: Int) {
            let bytes = answer.body.count + question.byteCount
            if youngBytes + bytes > halfBytes {
                (old, oldBytes, young, youngBytes) = (young, youngBytes, [:], 0)
            }
            if young.updateValue(answer, forKey: question) == nil { youngBytes += bytes }
        }
    }

    private let kept = Mutex(Kept())
    private let mostBytes: Int

    init(mostBytes: Int = DiaryAnswers.mostBytes) { self.mostBytes = mostBytes }

    /// The bytes of all answers that are kept.
    var byteCount: Int { kept.withLock { $0.youngBytes + $0.oldBytes } }

    /// Returns the answer that is known, or else the one that `find` gives.
    func answer(
        to question: Question, of store: DiaryStore, find: () async throws -> WebResponse
    ) async throws -> WebResponse {
        // The number is read before the answer is found: an answer is never older than its number.
        guard let generation = try await store.generation() else { return try await find() }
        if let known = known(question, generation) { return known }
        let answer = try await find()
        keep(answer, for: question, generation)
        return answer
    }

    private func known(_ question: Question, _ generation: Int64) -> WebResponse? {
        kept.withLock { kept in
            if kept.generation != generation { kept = Kept(generation: generation) }
            if let answer = kept.young[question] { return answer }
            guard let answer = kept.old[question] else { return nil }
            kept.keep(answer, for: question, halfBytes: mostBytes / 2)
            return answer
        }
    }

    private func keep(_ answer: WebResponse, for question: Question, _ generation: Int64) {
        guard answer.status == 200, answer.body.count <= Self.mostBytesOfAnswer else { return }
        kept.withLock { kept in
            guard kept.generation == generation else { return }
            kept.keep(answer, for: question, halfBytes: mostBytes / 2)
        }
    }
}
