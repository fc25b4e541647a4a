import Catalogue
import Diary
import Foundation
import Synchronization
import Testing

@testable import DiaryKeeping
@testable import TestHelpers
@testable import WebServer

/// Answers that are kept as long as the diary has not changed.
@Suite final class DiaryAnswersTests: Sendable {
    private let folder: ServeFolder
    private let store: DiaryStore
    private let found = Mutex(0)

    init() throws {
        folder = try ServeFolder()
        store = try DiaryStore(path: folder.path + "/diary.sqlite")
    }

    private func question(_ words: String, person: String? = nil) -> DiaryAnswers.Question {
        var question = DiaryAnswers.Question(path: "/search", parameters: ["q": words])
        question.person = person
        return question
    }

    /// Asks, and says whether the answer had to be found.
    private func isFound(
        _ question: DiaryAnswers.Question, in answers: DiaryAnswers, bytes: Int = 100, status: Int = 200
    ) async throws -> Bool {
        let before = found.withLock { $0 }
        let answer = try await answers.answer(to: question, of: store) {
            found.withLock { $0 += 1 }
            return WebResponse(
                status: status, contentType: "text/plain", body: [UInt8](repeating: 1, count: bytes))
        }
        #expect(answer.status == status && answer.body.count == bytes)
        return found.withLock { $0 } > before
    }

    @Test func anAnswerIsFoundOnceUntilTheDiaryChanges() async throws {
        let answers = DiaryAnswers()
        #expect(try await isFound(question("mahler"), in: answers))
        #expect(try await !isFound(question("mahler"), in: answers))
        #expect(try await isFound(question("bruckner"), in: answers))
        #expect(try await isFound(question("mahler", person: "anna"), in: answers), "she may see more")
        let other = try DiaryStore(path: folder.path + "/diary.sqlite")
        try await other.save(Ensemble(id: "new", name: "New"))
        #expect(try await isFound(question("mahler"), in: answers))
        #expect(try await !isFound(question("mahler"), in: answers))
    }

    @Test func refusalsAndLargeAnswersAreNotKept() async throws {
        let answers = DiaryAnswers()
        for _ in 0..<2 {
            #expect(try await isFound(question("wrong"), in: answers, status: 400))
            let large = DiaryAnswers.mostBytesOfAnswer + 1
            #expect(try await isFound(question("large"), in: answers, bytes: large))
        }
    }

    @Test func whatIsAskedOftenStaysAndTheRestIsForgotten() async throws {
        let answers = DiaryAnswers(mostBytes: 40_000)
        for number in 0..<200 {
            #expect(try await isFound(question("\(number)"), in: answers, bytes: 1_000))
            #expect(try await isFound(question("often"), in: answers, bytes: 1_000) == (number == 0))
        }
        #expect(answers.byteCount <= 40_000)
        #expect(try await isFound(question("0"), in: answers, bytes: 1_000))
    }
}
