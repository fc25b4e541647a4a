import Catalogue
import Diary
import Foundation
import Podium
import WebServer

/// The address at which the listener's page in the hall finds tonight's entry.
struct TonightRoute: Sendable {
    let store: DiaryStore
    let gate: DiaryGate
    let runningShow: @Sendable () -> String?
    let readProgramme: @Sendable () -> ShowProgramme
    let timeZone: TimeZone

    /// What a phone keeps of an evening at which its owner was.
    private struct TonightJSON: Encodable {
        var id: String
        var title: String
        var date: String
        var works: [ConcertRowJSON.Work]
        /// True if everybody may read the entry by now.
        var isPublished: Bool
    }

    var route: WebRoute {
        WebRoute(.get, "/api/diary/tonight", .anybody) { [gate] request in
            guard gate.admitsPage(request.visitorAddress) else { return DiaryGate.tooOften }
            return await answering { .json(try await tonight()) }
        }
    }

    private func tonight() async throws -> TonightJSON {
        let programme = readProgramme()
        guard let show = runningShow(), !programme.isEmpty else { throw DiaryStore.notFound("evening") }
        let id = EveningEntry.id(ofShow: show)
        let entry = try await store.programme(id)
        let works = programme.pieces.map { piece in
            let parts = EveningAccount.Playing.parts(of: piece.name.text)
            return ConcertRowJSON.Work(composer: parts.composer, title: parts.work)
        }
        let now = LocalMoment(Int64(Date().timeIntervalSince1970 * 1_000), in: timeZone)
        return TonightJSON(
            id: id, title: programme.title,
            date: (entry?.visibility == .published ? entry?.concerts.first?.date : nil)?.description
                ?? now.date.description,
            works: works.withoutRepeats, isPublished: entry?.visibility == .published)
    }
}
