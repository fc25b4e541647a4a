import Catalogue
import Diary
import WebServer

extension DiaryStore {
    /// Returns a concert and its entry.
    /// - Throws: ``DiaryInputFault`` (404) if there is none, or if the visitor may not see it: both give one answer.
    func visibleConcert(_ id: String, for viewer: DiaryViewer) async throws -> (
        ConcertProgramme, DiaryConcert
    ) {
        guard let programme = try await programme(ofConcert: id), viewer.maySee(programme),
            let concert = programme.concerts.first(where: { $0.id == id })
        else { throw Self.notFound("concert") }
        return (programme, concert)
    }

    /// Makes a change again if somebody else writes the same at the same moment; five times at most.
    /// - Parameters:
    ///   - kind: what is changed, for the sentence of the refusal.
    ///   - change: changes what is stored now; gives nil if it was written meanwhile.
    func retrying<Value>(_ kind: String, _ change: () async throws -> Value?) async throws -> Value {
        for _ in 0..<5 { if let value = try await change() { return value } }
        throw DiaryInputFault(
            "", "Others write this \(kind) at this moment; try again.", status: 503, code: "busy")
    }

    static func notFound(_ kind: String) -> DiaryInputFault {
        DiaryInputFault("id", "The diary has no such \(kind).", status: 404, code: "not-found")
    }
}

/// Answers errors of the catalogue in words for people who use the diary.
func explainDiaryError(_ error: any Error) -> Refusal? {
    guard let error = error as? CatalogueError else { return nil }
    if case .diaryRefused(let sentence) = error { return Refusal(422, "refused", sentence) }
    let sentence = "The diary cannot be used now; the server's log has the reason. Try again in a moment."
    return Refusal("diary", sentence, .refused(503, "diary", sentence).withHeader("Retry-After", "5"))
}
