import ArgumentParser
import Basics
import Catalogue
import Concert
import Content
import Editor
import Foundation
import Hosting
import ReferenceStore
import Score
import ScoreFiles
import ShowLog

/// `baton content` imports, exports and checks the audience's content.
struct ContentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "content",
        abstract: "Imports, exports and checks what listeners read.",
        discussion: """
            Works beside a running server, which shows imported content within seconds.
              baton content import Evening/            a folder as export writes it, its ZIP, a POA folder, XML
              baton content export --to Evening/
              baton content check
            Exit status of check: 0 nothing to mend, 2 warnings, 3 errors.
            """,
        subcommands: [Import.self, Export.self, Check.self, List.self])

    struct ConcertSelection: ParsableArguments {
        @Option(help: ArgumentHelp("The server's data folder.", valueName: "folder"), completion: .directory)
        var data = ServeOptions.defaultDataFolder

        @Option(
            help: ArgumentHelp(
                "The concert's number; by default the one that listeners see.", valueName: "number"))
        var concert: Int64?

        func openEditor() throws -> ConcertEditor {
            try ServerDataFolder.makeFolder(data)
            return try ConcertEditor(
                catalogue: try CatalogueStore(path: data + "/catalogue.sqlite"), data: data, recordings: nil)
        }

        /// Returns the chosen concert and its content; nil if there is no concert.
        func findConcert(_ desk: ConcertEditor) async throws -> (id: Int64, document: CatalogueConcert)? {
            var wanted = concert
            if wanted == nil { wanted = try await desk.catalogue.publicConcertRevision()?.concert }
            guard let wanted else { return nil }
            return (wanted, CatalogueConcert(try await desk.catalogue.concertContent(of: wanted)))
        }

        func requireConcert(_ desk: ConcertEditor) async throws -> (id: Int64, document: CatalogueConcert) {
            guard let found = try await findConcert(desk) else {
                guard try await desk.catalogue.concerts().isEmpty else {
                    throw ExplainedError(
                        "Listeners find no concert; choose one by --concert and its number in "
                            + "baton content list.")
                }
                throw ExplainedError(
                    "There is no concert in “\(data)”; make one with baton content import.")
            }
            return found
        }
    }

    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Imports folders and files; pieces of the same name are replaced, which editors can undo.")
        @OptionGroup var selection: ConcertSelection
        @Argument(
            help: "Folders of a concert or a piece (POA…), a concert's ZIP, content XML, glossary XML.")
        var paths: [String]
        @Flag(help: "Import them as a new concert.") var new = false
        @Flag(help: "Show the new concert to listeners.") var serve = false

        func validate() throws {
            if paths.isEmpty { throw ValidationError("Name at least one folder or file.") }
        }

        /// Returns the message after an import. A running server notices the change by itself, and keeps the old
        /// concert while its show is locked.
        static func importMessage(_ id: Int64, isServed: Bool) -> String {
            isServed
                ? "Concert \(id) was made, and listeners see it. A server that is running now shows it within seconds; "
                    + "while its show is locked, it keeps the old concert until the show is unlocked."
                : "Concert \(id) was made. Listeners find it after “Serve to listeners” at /edit."
        }

        func run() async throws {
            try await printingErrors(as: "content import") {
                let desk = try selection.openEditor()
                var concert = selection.concert
                for (index, path) in paths.enumerated() {
                    let files = try ContentFiles(path: path)
                    for note in files.importNotes { printToStandardError(note + "\n") }
                    let isNew = new && index == 0
                    if !isNew,
                        let found = try await ConcertSelection.findImportTarget(concert, selection, desk)
                    {
                        let outcome = try await files.importFiles(
                            into: found.document, of: desk, id: found.id, author: "baton content import",
                            label: "import of \(files.summary)")
                        printToStandardError(
                            "Concert \(found.id) is at revision \(outcome.newestTree.revision).\n")
                        concert = found.id
                    } else {
                        guard !serve || !files.pieces.isEmpty else {
                            throw ExplainedError(
                                "“\(path)” holds no piece, so listeners would see nothing; "
                                    + "import pieces too, or leave --serve out.")
                        }
                        let id = try await files.makeConcert(
                            in: desk, author: "baton content import",
                            label: "import of \(files.summary)", servesFirst: true)
                        if serve { try await desk.catalogue.makeConcertPublic(id) }
                        let isServed = try await desk.catalogue.publicConcertRevision()?.concert == id
                        printToStandardError(Self.importMessage(id, isServed: isServed) + "\n")
                        concert = id
                    }
                }
            }
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Writes a concert as files: XML as phones get it, POA folders, glossary, assets.")
        @OptionGroup var selection: ConcertSelection
        @Option(help: ArgumentHelp("Folder to write into.", valueName: "folder"), completion: .directory)
        var to: String

        /// Returns the message after an export.
        static func exportMessage(_ outcome: ContentExport.Outcome, to folder: String) -> String {
            func files(_ count: Int) -> String { count == 1 ? "1 file" : "\(count) files" }
            var sentences = ["\(files(outcome.written.count)) were written into “\(folder)”."]
            if !outcome.removed.isEmpty {
                sentences.append(
                    "\(files(outcome.removed.count)) of an earlier export, no more part of the concert, "
                        + "\(outcome.removed.count == 1 ? "was" : "were") removed.")
            }
            if !outcome.kept.isEmpty {
                sentences.append(
                    "These are no more part of the concert either, but were changed since the earlier export and "
                        + "stay: \(outcome.kept.joined(separator: ", ")).")
            }
            return sentences.joined(separator: " ")
        }

        func run() async throws {
            try await printingErrors(as: "content export") {
                let desk = try selection.openEditor()
                let found = try await selection.requireConcert(desk)
                let outcome = try ContentExport(
                    catalogueConcert: found.document, assetStore: desk.assetStore
                ).write(to: to)
                printToStandardError(Self.exportMessage(outcome, to: to) + "\n")
            }
        }
    }

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Checks the content for mistakes that listeners would see, in the catalogue or in files.")
        @OptionGroup var selection: ConcertSelection
        @Argument(help: "Folders or files to look at instead of the catalogue.") var paths: [String] = []
        @Option(
            help: ArgumentHelp(
                "Folder of the prepared models, with whose bars the content is compared.",
                valueName: "folder"),
            completion: .directory)
        var models = "Models"

        func run() async throws {
            var worst: FindingSeverity?
            try await printingErrors(as: "content check") {
                var findings: [ContentFinding] = []
                if paths.isEmpty {
                    let found = try await selection.requireConcert(try selection.openEditor())
                    findings = ContentCheck.findings(
                        in: found.document.concert, assets: found.document.imageNames)
                    findings += modelMismatches(found.document)
                }
                for path in paths {
                    let files = try ContentFiles(path: path)
                    for note in files.importNotes { printToStandardError(note + "\n") }
                    let concert = ConcertContent(
                        files.concertDetails ?? ConcertDetails(title: path),
                        pieces: files.pieces.map(\.content),
                        glossary: files.glossary ?? Glossary())
                    let images = Set(files.assetFiles.filter { $0.folder == .images }.map(\.name))
                    // An XML file alone does not say which images there are.
                    let isFolder = path.hasSuffix(".xml") == false
                    findings += ContentCheck.findings(in: concert, assets: isFolder ? images : nil)
                }
                for finding in findings { print("\(finding.severity.rawValue): \(finding.sentence)") }
                worst = findings.map(\.severity).max()
            }
            switch worst {
            case .error: throw ExitCode(3)
            case .warning: throw ExitCode(2)
            default: break
            }
        }

        /// Finds pieces whose measures do not match their prepared model; skips pieces without one.
        private func modelMismatches(_ document: CatalogueConcert) -> [ContentFinding] {
            zip(document.concert.pieces, document.pieceNodes).enumerated().flatMap { index, pair in
                let (piece, nodes) = pair
                guard ContentRules.isFolderName(nodes.recordingsFolder),
                    let model = try? ModelFolder(path: models).loadModel(nodes.recordingsFolder).model
                else { return [ContentFinding]() }
                return ContentCheck.followedMeasureFindings(piece, at: index, followed: model.measures.marks)
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the concerts.")
        @OptionGroup var selection: ConcertSelection

        func run() async throws {
            try await printingErrors(as: "content list") {
                for concert in try await selection.openEditor().catalogue.concerts() {
                    print(
                        "\(concert.id)\t\(concert.title)\trevision "
                            + "\(concert.revision)\(concert.isPublic ? "\tserved" : "")"
                    )
                }
            }
        }
    }
}

extension ContentCommand.ConcertSelection {
    fileprivate static func findImportTarget(
        _ concert: Int64?, _ place: ContentCommand.ConcertSelection, _ desk: ConcertEditor
    ) async throws -> (id: Int64, document: CatalogueConcert)? {
        var place = place
        place.concert = concert
        return try await place.findConcert(desk)
    }
}
