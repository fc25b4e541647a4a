import ArgumentParser
import Basics
import Catalogue
import Diary
import DiaryFiles
import Foundation
import Hosting
import Synchronization

/// `baton diary import FORMAT FILE…`
struct DiaryImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Imports files into the diary: all of them, or nothing.",
        discussion: """
            The formats are nyphil (the performance history of the New York Philharmonic, its JSON files), json and \
            csv (what baton diary export wrote). An entry that is there already is brought up to date, unless a \
            person corrected it; a second import of the same files changes nothing. What is odd in the files is \
            counted on the screen and listed, with places, in DATA/diary-import.json.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable { case nyphil, json, csv }

    @Argument(help: "nyphil, json or csv.") var format: Format
    @Argument(help: "The files.", completion: .file()) var files: [String]
    @OptionGroup var store: DiaryCommand.StoreOption
    @Option(help: ArgumentHelp("Write the list of oddities here.", valueName: "file"), completion: .file())
    var report: String?
    @Flag(help: "Print the result as JSON.") var json = false

    func validate() throws {
        if files.isEmpty { throw ValidationError("Name at least one file.") }
    }

    func run() async throws {
        try await printingDiaryErrors(as: "import") {
            let diary = try store.makeStore()
            let found = FoundOddities()
            let (format, files) = (format, files)
            let counts = try await diary.importRecords(
                format: format.rawValue, atMilliseconds: Int64(Date().timeIntervalSince1970 * 1_000)
            ) { records in
                var reader = NYPhilReader()
                for file in files {
                    switch format {
                    case .nyphil:
                        try reader.read(file) { ensemble, programme in
                            try records.addIfMissing(ensemble)
                            try records.add(programme)
                        }
                    case .json: try DiaryJSONFile.read(file) { try records.restore($0) }
                    case .csv: try DiaryCSVFile.read(file) { try records.restore($0) }
                    }
                }
                found.list.withLock { $0 = reader.oddities }
                return Array(
                    ImportReport(files: files, counts: records.counts, oddities: reader.oddities).summary.utf8
                )
            }
            let result = ImportReport(files: files, counts: counts, oddities: found.list.withLock { $0 })
            let path = report ?? store.data + "/diary-import.json"
            print(json ? result.summary : result.text)
            do { try result.write(to: path) } catch {
                throw ExplainedError(
                    "The concerts are in the diary, but the list of oddities is not written: "
                        + "there is no space for \(path), or its folder cannot be written.")
            }
            if !json, !found.list.withLock({ $0.isEmpty }) { print("Each place: \(path)") }
        }
    }
}

/// The oddities that an import found, on their way from the database's thread.
private final class FoundOddities: Sendable {
    let list = Mutex<[ImportOddity]>([])
}
