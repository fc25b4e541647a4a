import ArgumentParser
import Basics
import Foundation
import Hosting
import Performance
import Podium
import Screen
import Titles

/// `baton titles` checks a list of titles against a piece, and converts it.
struct TitlesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "titles",
        abstract: "Checks a list of titles, lists it with bars, and converts it between formats.",
        discussion: """
            The formats are CSV (all fields), SRT and WebVTT (times in the piece's recording) and plain text with an \
            empty line between titles; content XML (slides become titles at their bars) and, to write only, PDF. The \
            times of subtitles become bars, and bars become times: a subtitle is never \
            shown before its time. Without --to, the list is printed with numbers and bars.

            Example: baton titles aria.srt --piece my-aria --to Recordings/my-aria/titles.csv
            Example: baton titles Recordings/my-aria/titles.csv --piece my-aria --to list.pdf
            """)

    @Argument(help: "The file of titles: .csv, .srt, .vtt, .txt or .xml.", completion: .file())
    var file: String

    @Option(help: ArgumentHelp("The piece's folder under Models/ or Recordings/.", valueName: "folder"))
    var piece: String

    @Option(help: "The file to write: .csv, .srt, .vtt, .txt, .xml or .pdf.", completion: .file())
    var to: String?

    @Option(
        help: "The language of the texts in .srt, .vtt and .txt, read or written; the first one unless given."
    )
    var language: String?

    @Option(
        help: ArgumentHelp(
            "The track of content XML whose slides become titles; once for each language. Tracks named “Titles”, or "
                + "the only track, unless given.", valueName: "name"))
    var track: [String] = []

    @Option(help: ArgumentHelp("The folder of models.", valueName: "folder"), completion: .directory)
    var models = "Models"

    @Option(help: ArgumentHelp("The folder of recordings.", valueName: "folder"), completion: .directory)
    var recordings = "Recordings"

    func run() async throws {
        try await printingErrors(as: "titles") {
            let (piece, titles) = try readTitles()
            guard let to else { return print(Self.list(titles, of: piece), terminator: "") }
            let bytes = try fileBytes(of: piece, titles, named: to)
            guard (try? Data(bytes).write(to: URL(fileURLWithPath: to), options: .atomic)) != nil else {
                throw ExplainedError(
                    "“\(to)” cannot be written; check its folder, and that there is space on the disk.")
            }
            print("\(to): \(titles.count) titles, \(titles.titles.count { $0.played != nil }) with a bar.")
        }
    }

    private func readTitles() throws -> (piece: ShowPiece, titles: TitleList) {
        let format = file.lowercased().hasSuffix(".xml") ? nil : try Self.format(of: file)
        guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: file)) else {
            throw ExplainedError("“\(file)” cannot be read; check its name and its permissions.")
        }
        let loader = ReferenceModelLoader(modelsFolderPath: models, recordingsFolderPath: recordings)
        let programme = try loader.loadProgramme(RequestedProgramme(piece))
        let show = try ShowProgrammeBuilder(recordingsFolderPath: recordings, dataFolder: "")
            .buildProgramme(of: programme, folders: [piece])
        let titles: TitleList
        do throws(TitleImportFault) {
            titles =
                if let format {
                    try show.pieces[0].readTitles(
                        Array(bytes), as: format, language: format == .csv ? nil : language)
                } else {
                    try TitleContentXML.readTitles(
                        Array(bytes), name: file, for: show.pieces[0], tracks: track)
                }
        } catch {
            throw ExplainedError(format == nil ? error.sentence : "\(file): \(error.sentence)")
        }
        return (try show.replacingTitles(of: 0, by: titles).pieces[0], titles)
    }

    private func fileBytes(of piece: ShowPiece, _ titles: TitleList, named name: String) throws -> [UInt8] {
        if name.lowercased().hasSuffix(".xml") { return TitleContentXML.write(piece) }
        if name.lowercased().hasSuffix(".pdf") {
            guard let pdf = TitleListPDF.make(piece) else {
                throw ExplainedError("There is not enough memory for the PDF.")
            }
            if let sentence = pdf.missingLetters { printToStandardError(sentence + "\n") }
            return pdf.bytes
        }
        let format = try Self.format(of: name)
        return Array(piece.writeTitles(as: format, language: try chosenLanguage(of: titles)).utf8)
    }

    private func chosenLanguage(of titles: TitleList) throws -> String? {
        guard let language, !titles.languages.contains(language) else { return language }
        throw ExplainedError(
            "There are no titles in “\(language)”; the languages are "
                + "\(titles.languages.map { $0.isEmpty ? "(no name)" : $0 }.joined(separator: ", ")).")
    }

    private static func format(of name: String) throws -> TitleFileFormat {
        return try TitleFileFormat(fileName: name)
    }

    /// The titles for people: number, bar and texts of each on one line, separated by tabs.
    static func list(_ titles: TitleList, of piece: ShowPiece) -> String {
        titles.titles.enumerated().map { index, title in
            let bar = title.played.map { "\(piece.printedMeasure(at: $0))" } ?? "-"
            let texts = title.texts.map { TitleMarkup.plain($0.text).replacing("\n", with: " / ") }.filter {
                !$0.isEmpty
            }
            return "\(index + 1)\t\(bar)\t\(texts.isEmpty ? "(empty)" : texts.joined(separator: "\t"))\n"
        }.joined()
    }
}
