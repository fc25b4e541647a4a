import ArgumentParser
import Basics
import Catalogue
import Diary
import DiaryFiles
import Foundation
import Hosting
import ShowLog

/// `baton diary` imports, searches and exports the diary: who played what, and where.
struct DiaryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diary",
        abstract:
            "Imports, searches and exports the diary; the evenings' own entries, and applications' tokens.",
        discussion: """
            Works beside a running server. The diary is DATA/diary.sqlite.
              baton diary import nyphil Programs/json/*.json
              baton diary find --conductor Bernstein --composer Mahler
              baton diary export --format json --to diary.json
            """,
        subcommands: [
            DiaryImportCommand.self, DiaryFindCommand.self, DiaryExportCommand.self, DiaryWorksCommand.self,
            DiaryDuplicatesCommand.self, DiaryMergeCommand.self, DiaryStatisticsCommand.self,
            DiaryEveningCommand.self, DiaryTokenCommand.self,
        ])

    struct StoreOption: ParsableArguments {
        @Option(help: ArgumentHelp("The server's data folder.", valueName: "folder"), completion: .directory)
        var data = ServeOptions.defaultDataFolder

        var path: String { data + "/" + DiaryStore.fileName }

        /// Opens the diary, and makes it if there is none.
        func makeStore() throws -> DiaryStore {
            try ServerDataFolder.makeFolder(data)
            return try DiaryStore(path: path)
        }

        /// Opens the diary that is there.
        func openStore() throws -> DiaryStore {
            guard FileManager.default.fileExists(atPath: path) else {
                throw ExplainedError(
                    "There is no diary in “\(data)”; name the data folder with --data, "
                        + "or begin with baton diary import.")
            }
            // A diary of another version is brought up to date, or refused, by opening it whole.
            if let store = try? DiaryStore(existing: path) { return store }
            return try DiaryStore(path: path)
        }
    }
}

/// Runs a command of the diary and prints its errors.
func printingDiaryErrors(as command: String, _ body: () async throws -> Void) async throws {
    try await printingErrors(as: "diary " + command) {
        try await body()
    }
}
