import Catalogue
import Diary
import Foundation
import Podium
import WebServer

/// The address at which the listener's page in the hall finds tonight's entry.
struct TonightRoute: Sendable {
    let store: DiaryStore
    let gate: DiaryGate
    /// The name of the running evening; nil if there is none.
    let runningEvening: @Sendable () -> String?
    let readProgramme: @Sendable () -> ShowProgramme
    /// True while music of the concert is live.
    let isMusicLive: @Sendable () -> Bool
    /// The moment at which the music began, in milliseconds since 1970; nil before it.
    let musicSince: @Sendable () -> Int64?
    let timeZone: TimeZone

    /// Music so long after the end of a run belongs to the next one; sooner it is an encore.
    private static let encoreSeconds = 1_200.0

    /// The record of an evening that a phone keeps for an owner who was there.
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
            return .json(try await tonight())
        }
    }

    private func tonight() async throws -> TonightJSON {
        let programme = readProgramme()
        guard let evening = runningEvening(), !programme.isEmpty else { throw DiaryStore.notFound("evening") }
        let (id, entry) = try await newestRun(of: evening)
        let works = programme.pieces.map { piece in
            let parts = EveningAccount.Playing.parts(of: piece.name.text)
            return ConcertRowJSON.Work(composer: parts.composer, title: parts.work)
        }
        // The day of the first music, as the entry has it: a concert that goes on after midnight is one of the evening
        // before, and one that begins after midnight is not.
        let began = LocalMoment(
            musicSince() ?? Int64(Date().timeIntervalSince1970 * 1_000), in: timeZone)
        return TonightJSON(
            id: id, title: programme.title,
            date: (entry?.concerts.first?.date ?? began.date).description,
            works: works.withoutRepeats, isPublished: entry?.visibility == .published)
    }

    /// The entry of the newest run through the programme; its id alone while it has none.
    private func newestRun(of evening: String) async throws -> (id: String, entry: ConcertProgramme?) {
        var (id, entry) = (EveningEntry.id(ofShow: evening), nil as ConcertProgramme?)
        for run in 2...EveningAccount.mostRuns {
            guard let known = try await store.programme(id) else { break }
            let ended = Double(known.heardSpan?.upperBound ?? 0) / 1_000
            let next = EveningEntry.id(ofShow: evening, run: run)
            let isNextLive = isMusicLive() && Date().timeIntervalSince1970 - ended > Self.encoreSeconds
            entry = known
            guard try await store.programme(next) != nil || isNextLive else { break }
            (id, entry) = (next, nil)
        }
        return (id, entry)
    }
}
