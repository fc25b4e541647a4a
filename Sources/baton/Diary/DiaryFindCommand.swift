import ArgumentParser
import Catalogue
import Diary
import Foundation
import Hosting

/// `baton diary find`
struct DiaryFindCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Finds concerts, in the order of time.",
        discussion: """
            Case, accents, apostrophes, doubled spaces and the order of words do not matter. The whole name of a hall \
            or a type means only that one; otherwise every name with all the words is meant. Composer, work, \
            conductor and soloist hold for the same item of a programme; an option given twice wants an item for each.
              baton diary find --composer Beethoven --work "op. 67"
              baton diary find --conductor Mahler --start 1908 --end 1911-02
              baton diary find --venue "Carnegie Hall" --type Tour --json
            """)

    @Option(help: ArgumentHelp("Who conducted.", valueName: "name")) var conductor: [String] = []
    @Option(help: ArgumentHelp("Who played or sang a solo part.", valueName: "name")) var soloist: [String] =
        []
    @Option(help: ArgumentHelp("Who composed.", valueName: "name")) var composer: [String] = []
    @Option(
        help: ArgumentHelp("Words of a title, a number such as “op. 67”, or a work's id.", valueName: "text"))
    var work: [String] = []
    @Option(help: ArgumentHelp("The hall; several mean one of them.", valueName: "name")) var venue:
        [String] = []
    @Option(help: ArgumentHelp("The kind of concert; several mean one of them.", valueName: "name"))
    var type: [String] = []
    @Option(help: ArgumentHelp("Words of the city, country or hall.", valueName: "text")) var location:
        String?
    @Option(help: ArgumentHelp("The ensemble's name, id or MBID.", valueName: "name")) var ensemble:
        [String] = []
    @Option(help: ArgumentHelp("The first day: 1908-11-29, 1908-11 or 1908.", valueName: "date")) var start:
        String?
    @Option(help: ArgumentHelp("The last day, itself included.", valueName: "date")) var end: String?
    @OptionGroup var store: DiaryCommand.StoreOption
    @Option(
        help: ArgumentHelp("Print at most this many concerts; the total counts all.", valueName: "number"))
    var limit = 2_500
    @Option(help: ArgumentHelp("Leave out this many at the beginning.", valueName: "number")) var offset = 0
    @Flag(help: "Find entries that nobody has confirmed yet, and private ones, too.") var unpublished = false
    @Flag(help: "Print the result as JSON.") var json = false

    func validate() throws {
        guard limit >= 0, offset >= 0 else { throw ValidationError("--limit and --offset are 0 or more.") }
        _ = try days()
    }

    private func days() throws -> (start: CalendarDate?, end: CalendarDate?) {
        func day(_ text: String?, _ name: String, _ parse: (String) -> CalendarDate?) throws -> CalendarDate?
        {
            guard let text else { return nil }
            if let date = parse(text.trimmingCharacters(in: .whitespaces)) { return date }
            throw ValidationError(
                "“\(text)” is no date for --\(name); write it as 1908-11-29, 1908-11 or 1908.")
        }
        return (
            try day(start, "start") { CalendarDate(startOf: $0) },
            try day(end, "end") { CalendarDate(endOf: $0) }
        )
    }

    func run() async throws {
        try await printingDiaryErrors(as: "find") {
            let diary = try store.openStore()
            var query = DiaryQuery()
            (query.conductors, query.soloists, query.composers) = (conductor, soloist, composer)
            (query.works, query.venues, query.types) = (work, venue, type)
            (query.start, query.end) = try days()
            query.location = location
            if unpublished { query.visibilities = Set(ConcertProgramme.Visibility.allCases) }
            for name in ensemble {
                if let known = try await diary.ensemble(name) {
                    query.ensembles.append(known.id)
                } else {
                    let found = try await diary.ensembles(named: name).map(\.id)
                    query.ensembles += found.isEmpty ? [name] : found
                }
            }
            if json {
                let answer = try await diary.findJSON(query, offset: offset, limit: limit)
                FileHandle.standardOutput.write(Data(answer))
            } else {
                print(Self.text(try await diary.find(query, offset: offset, limit: limit)))
            }
        }
    }

    /// A line for each concert: day, time, type, venue, place, ensemble, entry; then the total.
    static func text(_ page: DiaryPage) -> String {
        let lines = page.concerts.map { found in
            [
                "\(found.concert.date)", found.concert.time?.twelveHourText ?? "-", found.concert.type ?? "-",
                found.concert.venue ?? "-", found.concert.location ?? found.concert.city ?? "-",
                found.ensembleName,
                found.programme,
            ].joined(separator: "\t")
        }
        guard let first = page.first, let last = page.last else { return "No concert." }
        let rest = page.total - page.concerts.count
        return
            (lines + [
                "\(page.total) concert\(page.total == 1 ? "" : "s") of \(page.programmes) "
                    + "programme\(page.programmes == 1 ? "" : "s"), \(first) to \(last)"
                    + (rest > 0 ? "; \(rest) are not shown (--limit, --offset)." : ".")
            ]).joined(separator: "\n")
    }
}
