import ArgumentParser
import Catalogue
import Diary
import DiaryFiles
import Foundation
import Hosting

/// `baton diary export`
struct DiaryExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes the diary as JSON, CSV, a calendar or JSON-LD.",
        discussion: """
            json and csv hold everything but what people keep for themselves; an empty server that imports them \
            exports the same bytes. ics and jsonld hold the published concerts, for calendars and search engines.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable { case json, csv, ics, jsonld }

    @Option(
        help: ArgumentHelp(
            "json, csv, ics or jsonld; by default the ending of --to, or json.", valueName: "format"))
    var format: Format?
    @Option(
        help: ArgumentHelp("The file; standard output if none is given.", valueName: "file"),
        completion: .file())
    var to: String?
    @OptionGroup var store: DiaryCommand.StoreOption

    private var chosenFormat: Format {
        format ?? to.flatMap { Format(rawValue: URL(fileURLWithPath: $0).pathExtension.lowercased()) }
            ?? .json
    }

    func run() async throws {
        try await printingDiaryErrors(as: "export") {
            let diary = try store.openStore()
            let (format, path) = (chosenFormat, to)
            let stamp = Date()
            try await diary.exportRecords { records in
                let sink = try DiaryFileSink(path: path)
                switch format {
                case .json:
                    var writer = try DiaryJSONFile.Writer(sink)
                    try records.forEach { try writer.write($0, $1) }
                    try writer.finish()
                case .csv:
                    let writer = try DiaryCSVFile.Writer(sink)
                    try records.forEach { try writer.write($0, $1) }
                case .ics:
                    var calendar = DiaryCalendar(name: "Diary", stamp: stamp)
                    try records.forEach([.ensembles, .programmes]) { try calendar.prepare($0, $1) }
                    try sink.write(calendar.head)
                    try records.forEach([.programmes]) { try sink.write(calendar.events(in: $1)) }
                    try sink.write(DiaryCalendar.end)
                case .jsonld:
                    var writer = try DiaryJSONLD.Writer(sink)
                    try records.forEach([.ensembles, .programmes]) { try writer.write($0, $1) }
                    try writer.finish()
                }
                try sink.finish()
            }
        }
    }
}
