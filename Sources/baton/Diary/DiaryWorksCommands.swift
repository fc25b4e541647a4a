import ArgumentParser
import Catalogue
import Diary
import Foundation
import Hosting

/// `baton diary works`
struct DiaryWorksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "works",
        abstract: "Finds works with their ids, those played most first.",
        discussion:
            "A line for each: id, how often it stands on a programme, composer, title, separated by tabs.")

    @Argument(help: "Words of the title, or a number such as “op. 67”.") var title: String
    @Option(help: ArgumentHelp("Who composed.", valueName: "name")) var composer: String?
    @OptionGroup var store: DiaryCommand.StoreOption

    func run() async throws {
        try await printingDiaryErrors(as: "works") {
            for (work, count) in try await store.openStore().works(titled: title, composer: composer) {
                print("\(work.id)\t\(count)\t\(work.composer)\t\(work.title)")
            }
        }
    }
}

/// `baton diary duplicates`
struct DiaryDuplicatesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "duplicates",
        abstract: "Lists works that may be one, to be joined with baton diary merge.",
        discussion: """
            A group for each, with an empty line after it: id, composer, title; the one played most first. It only \
            proposes: works of one composer with the same catalogue number, or with the same words in the title.
            """)

    @OptionGroup var store: DiaryCommand.StoreOption

    func run() async throws {
        try await printingDiaryErrors(as: "duplicates") {
            let groups = try await store.openStore().duplicateWorks()
            for group in groups {
                for work in group.works { print("\(work.id)\t\(work.composer)\t\(work.title)") }
                print("")
            }
            print("\(groups.count) group\(groups.count == 1 ? "" : "s").")
        }
    }
}

/// `baton diary merge`
struct DiaryMergeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Joins works that are one, or parts them again.",
        discussion:
            "No entry changes: the works are found together from then on. --undo makes them two again.")

    @Argument(help: "The id of the work that stays.") var work: String
    @Argument(help: "The ids of the works that are the same.") var others: [String] = []
    @Flag(help: "Make the first work, which was joined to another, one of its own again.") var undo = false
    @OptionGroup var store: DiaryCommand.StoreOption

    func validate() throws {
        if undo != others.isEmpty { throw ValidationError("Name two works or more; with --undo, only one.") }
    }

    func run() async throws {
        try await printingDiaryErrors(as: "merge") {
            let diary = try store.openStore()
            if undo {
                try await diary.unmergeWork(work)
            } else {
                try await diary.mergeWorks(others, into: work)
            }
        }
    }
}

/// `baton diary statistics`
struct DiaryStatisticsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "statistics",
        abstract: "Counts concerts by composer, conductor, soloist, work, hall, kind and decade.")

    @Option(help: ArgumentHelp("The first day: 1908-11-29, 1908-11 or 1908.", valueName: "date")) var start:
        String?
    @Option(help: ArgumentHelp("The last day, itself included.", valueName: "date")) var end: String?
    @Option(help: ArgumentHelp("Lines of each list.", valueName: "number")) var limit = 20
    @OptionGroup var store: DiaryCommand.StoreOption
    @Flag(help: "Print the result as JSON.") var json = false

    func run() async throws {
        try await printingDiaryErrors(as: "statistics") {
            var query = DiaryQuery()
            query.start = start.flatMap { CalendarDate(startOf: $0) }
            query.end = end.flatMap { CalendarDate(endOf: $0) }
            guard (query.start != nil) == (start != nil), (query.end != nil) == (end != nil) else {
                throw ValidationError("Write dates as 1908-11-29, 1908-11 or 1908.")
            }
            let result = try await store.openStore().statistics(of: query, limit: limit)
            if json {
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
                return print(String(decoding: try encoder.encode(result), as: UTF8.self))
            }
            print("\(result.programmes) programmes, \(result.concerts) concerts, \(result.works) works")
            for (name, lines) in [
                ("Composers", result.composers), ("Conductors", result.conductors),
                ("Soloists", result.soloists),
                ("Works", result.mostPlayed), ("Halls", result.venues), ("Kinds", result.types),
                ("Decades", result.decades),
            ] {
                print("\n\(name)")
                for line in lines { print("\(line.concerts)\t\(line.name)") }
            }
        }
    }
}
