import Concert
import Diary
import Foundation

/// The diary's entry of an evening, made from the account of its show log. Everything in it is marked as heard.
///
/// The same log gives the same entry. The entry is a proposal: a person confirms it before anybody else sees it.
package struct EveningEntry: Equatable, Sendable {
    /// The ensemble of entries in which nobody has named another one yet.
    package static let houseEnsemble = Ensemble(id: "house", name: "The house")

    package let programme: ConcertProgramme

    /// - Parameter timeZone: the time zone of the hall, in which the evening has its date.
    /// - Returns: nil if nothing was played, or if the log does not say when the show began.
    package init?(_ account: EveningAccount, timeZone: TimeZone) {
        guard let first = account.firstMusic, let last = account.lastMusic,
            let start = Self.milliseconds(ofISO: account.started)
        else { return nil }
        let (begin, end) = (
            LocalMoment(start + first, in: timeZone), LocalMoment(start + last, in: timeZone)
        )
        let id = Self.id(ofShow: account.show, run: account.run)
        let concert = DiaryConcert(
            id: id, date: begin.date, time: begin.time, endDate: end.date == begin.date ? nil : end.date,
            endTime: end.time, timeZone: timeZone.identifier, type: account.type, venue: account.venue)
        programme = ConcertProgramme(
            id: id, ensemble: Self.houseEnsemble.id, title: account.title.isEmpty ? nil : account.title,
            visibility: .proposed, concerts: [concert], items: Self.items(of: account, from: start),
            provenance: Provenance(.heard, source: account.show),
            servedBy: account.servers.map(\.name).reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
    }

    static let idPrefix = "evening-"

    /// The entry that is to stand in the diary after one that stands there: an entry that nobody has touched is written
    /// again; what a person typed stays, and music that was played since then is added. An encore that proved to be the
    /// beginning of another run is taken away.
    /// - Parameter kept: the entry as it stands there; nil if there is none.
    func programme(after kept: ConcertProgramme?) -> ConcertProgramme? {
        guard var merged = kept, !merged.isUntouchedProposal else { return programme }
        merged.removeHeardEncores { encore in
            !programme.items.contains { $0.heard?.startMilliseconds == encore.startMilliseconds }
        }
        let latest = merged.items.compactMap(\.heard?.endMilliseconds).max() ?? Int64.min
        let added = programme.items.filter { $0.heard.map { $0.startMilliseconds >= latest } ?? false }
        guard !added.isEmpty || merged != kept else { return kept }
        merged.items += added
        for name in programme.servedBy where !merged.servedBy.contains(name) { merged.servedBy.append(name) }
        if let end = programme.concerts.first, !merged.concerts.isEmpty,
            merged.provenance.origin(of: "concerts/0/endTime") == .heard
        {
            (merged.concerts[0].endDate, merged.concerts[0].endTime) = (end.endDate, end.endTime)
        }
        return merged
    }

    /// The id of the entry of a show: the show's folder in lower-case letters, digits and hyphens; and the number of
    /// the run through the programme, if it is not the first.
    package static func id(ofShow folder: String, run: Int = 1) -> String {
        let letters = folder.lowercased().map { letter in
            letter.isASCII && (letter.isLetter || letter.isNumber) ? letter : "-"
        }
        return idPrefix + String(letters.prefix(80)) + (run > 1 ? "-run-\(run)" : "")
    }

    private static func milliseconds(ofISO text: String) -> Int64? {
        let date =
            (try? Date(text, strategy: .iso8601))
            ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
        return date.map { Int64(($0.timeIntervalSince1970 * 1_000).rounded()) }
    }

    /// The pieces and intermissions in the order of time.
    private static func items(of account: EveningAccount, from start: Int64) -> [ProgrammeItem] {
        var timed: [(at: Int64, item: ProgrammeItem)] = account.playings.map { playing in
            (playing.from, item(of: playing, in: account, from: start))
        }
        for span in account.intermissions {
            guard let to = span.to ?? account.lastMusic, to > span.from else { continue }
            timed.append(
                (
                    span.from,
                    ProgrammeItem(
                        kind: .interval, title: "Intermission",
                        heard: HeardPerformance(
                            show: account.show, model: "", startMilliseconds: start + span.from,
                            endMilliseconds: start + to))
                ))
        }
        return timed.sorted { $0.at < $1.at }.map(\.item)
    }

    private static func item(
        of playing: EveningAccount.Playing, in account: EveningAccount, from start: Int64
    ) -> ProgrammeItem {
        let whole = playing.bars.compactMap { bar in bar.seconds.map { ($0, bar.referenceSeconds) } }
        let (seconds, reference) = whole.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
        // People's actions before a piece began count with it, because they prepared it.
        let earlier = account.playings.filter { $0.from < playing.from }.map(\.to).max() ?? Int64.min
        let people = account.people ?? []
        return ProgrammeItem(
            composer: playing.composer, title: playing.work,
            movements: playing.movement.isEmpty ? [] : [playing.movement],
            conductors: people.filter(\.conducts).map(\.name),
            soloists: people.filter { !$0.conducts }.map {
                ProgrammeItem.Soloist(name: $0.name, instrument: $0.role.isEmpty ? nil : $0.role)
            }, isEncore: playing.isEncore,
            heard: HeardPerformance(
                show: account.show, model: playing.folder, startMilliseconds: start + playing.from,
                endMilliseconds: start + playing.to,
                tempoRatio: seconds > 0 ? (reference / seconds * 1_000).rounded() / 1_000 : nil,
                confidence: playing.confidence,
                interventions: account.interventions.filter { $0.at > earlier && $0.at <= playing.to }.map {
                    .init(
                        milliseconds: start + $0.at,
                        what: $0.refused == nil ? $0.what : $0.what + " (refused)",
                        by: $0.who)
                },
                bars: playing.bars.map {
                    .init(
                        played: $0.played, printed: $0.printed, seconds: Double($0.at - playing.from) / 1_000)
                }))
    }
}

extension Performer {
    /// True if the role is that of a conductor, in English, German, French, Spanish or Italian.
    fileprivate var conducts: Bool {
        let role = role.lowercased()
        return ["conduct", "dirig", "leitung", "chef", "direct", "dirett", "direzione"]
            .contains(where: role.hasPrefix)
    }
}

/// A moment as the clocks of a place show it.
struct LocalMoment {
    let date: CalendarDate
    let time: TimeOfDay

    /// - Parameter milliseconds: since 1970, UTC.
    init(_ milliseconds: Int64, in zone: TimeZone) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute],
            from: Date(timeIntervalSince1970: Double(milliseconds) / 1_000))
        // Dates of this calendar are always possible ones.
        date =
            CalendarDate(year: parts.year ?? 1970, month: parts.month ?? 1, day: parts.day ?? 1)
            ?? CalendarDate(number: 1970_01_01)!
        time = TimeOfDay(hour: parts.hour ?? 0, minute: parts.minute ?? 0)!
    }
}
