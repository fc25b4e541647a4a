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

    static func notFound(_ kind: String) -> DiaryInputFault {
        DiaryInputFault("id", "The diary has no such \(kind).", status: 404, code: "not-found")
    }
}

/// Answers a request, and turns what goes wrong into a refusal with a sentence.
func answering(_ work: () async throws -> WebResponse) async -> WebResponse {
    do { return try await work() } catch let fault as DiaryInputFault {
        return fault.response
    } catch let fault as JSONFault {
        return fault.errorResponse
    } catch let error as CatalogueError {
        if case .diaryRefused(let sentence) = error { return .refused(422, "refused", sentence) }
        return .refused(
            503, "diary",
            "The diary cannot be used now; the server's log has the reason. Try again in a moment."
        ).withHeader("Retry-After", "5")
    } catch {
        return .refused(
            500, "failed", "An error occurred inside the server; its log has the details. Try again.")
    }
}
