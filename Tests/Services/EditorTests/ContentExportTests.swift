import Basics
import Concert
import Foundation
import Platform
import Score
import Testing

@testable import Catalogue
@testable import Content
@testable import ContentStages
@testable import Editor
@testable import Hosting
@testable import TestHelpers

/// The files that an export leaves in a folder, and those that an import reads.
@Suite(.ownThreads) struct ContentExportTests {
    let stage: ContentStage
    private let out: String

    init() async throws {
        stage = try await ContentStage()
        out = stage.folder + "/out"
    }

    private var concert: CatalogueConcert {
        get throws { try #require(stage.desk.servedConcert).catalogueConcert }
    }

    private func export() throws -> ContentExport.Outcome {
        try ContentExport(catalogueConcert: try concert, assetStore: stage.desk.assetStore).write(to: out)
    }

    private var foldersOfPieces: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: out).filter { $0.hasPrefix("POA") }.sorted()
        }
    }

    private func edit(_ changes: [ConcertChange]) async throws {
        _ = try await stage.desk.edit(
            1,
            ConcertEdit(
                baseRevision: try concert.contentTree.revision, changes: changes, author: "ed", label: "edit")
        )
    }

    /// Gives the second piece the name of the first.
    private func makeNamesEqual() async throws {
        let pieces = try concert.pieceNodes
        let name = try concert.concert.pieces[0].name.text
        try await edit([.setField(pieces[1].id, field: "name", to: name)])
    }

    @Test func twoPiecesOfOneNameGoOutAndComeBackAsTwo() async throws {
        try await makeNamesEqual()
        let before = try concert
        let outcome = try export()
        let onDisk = try FileManager.default.subpathsOfDirectory(atPath: out).filter { name in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: "\(out)/\(name)", isDirectory: &isFolder)
                && !isFolder.boolValue && name != ExportRecord.fileName
        }
        #expect(Set(outcome.written) == Set(onDisk) && outcome.written.count == onDisk.count)
        let plain = before.concert.pieces[0].name.offlineFolderName
        #expect(try foldersOfPieces.filter { $0.hasPrefix(plain) } == [plain, plain + "-2"])
        let files = try ContentFiles(path: out)
        #expect(files.importNotes.isEmpty && files.pieces.map(\.content) == before.concert.pieces)
        // Into the same concert, each replaces its own.
        _ = try await files.importFiles(into: before, of: stage.desk, id: 1, author: "ed", label: "import")
        #expect(try concert.concert == before.concert)
        #expect(try concert.pieceNodes.map(\.recordingsFolder) == before.pieceNodes.map(\.recordingsFolder))
    }

    @Test func theZIPHoldsTwoPiecesOfOneNameToo() async throws {
        try await makeNamesEqual()
        let zip = try ContentZip.writeConcertZip(try concert, shelf: stage.desk.assetStore)
        let files = try ContentFiles(path: zip.path)
        #expect(files.importNotes.isEmpty)
        #expect(files.pieces.map(\.content) == (try concert.concert.pieces))
    }

    @Test func folderNamesDifferAlsoWhereCapitalsDoNotCount() throws {
        let names = try ["Bach, Air", "BACH, AIR", "Bach, Air!", "Bach, Air 2"].map { try PieceName($0) }
        #expect(
            PieceFolderNames.distinctNames(of: names) == [
                "POABachAir", "POABACHAIR-2", "POABachAir-3", "POABachAir2",
            ])
    }

    @Test func aRemovedPieceDoesNotComeBackByTheFolderOfAnEarlierExport() async throws {
        _ = try export()
        let old = try concert
        try await edit([.removeNode(old.pieceNodes[1].id)])
        // A file of the person stays, and so does its folder.
        let gone = old.concert.pieces[1].name.offlineFolderName
        try Data("mine".utf8).write(to: URL(fileURLWithPath: "\(out)/\(gone)/notes.txt"))
        let outcome = try export()
        #expect(outcome.removed.contains("\(gone)/data.xml") && outcome.kept.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(out)/\(gone)") == ["notes.txt"])
        #expect(try ContentFiles(path: out).pieces.map(\.content) == (try concert.concert.pieces))
        #expect(try export().removed.isEmpty)
    }

    @Test func aFileThatWasChangedSinceTheEarlierExportStaysAndIsNamed() async throws {
        _ = try export()
        let old = try concert
        let gone = old.concert.pieces[1].name.offlineFolderName
        let file = URL(fileURLWithPath: "\(out)/\(gone)/name.txt")
        try Data("changed".utf8).write(to: file)
        try await edit([.removeNode(old.pieceNodes[1].id)])
        #expect(try export().kept == ["\(gone)/name.txt"])
        #expect(try Data(contentsOf: file) == Data("changed".utf8))
    }

    @Test func anImportGoesByTheListOfPieces() async throws {
        _ = try export()
        let names = try concert.concert.pieces.map(\.name)
        let kept = [names[3], names[0]]
        try Data((kept.map(\.text) + ["Nobody, Nothing"]).joined(separator: ";").utf8)
            .write(to: URL(fileURLWithPath: "\(out)/getPieces.txt"))
        // A folder that a person has named.
        try FileManager.default.moveItem(
            atPath: "\(out)/\(names[0].offlineFolderName)", toPath: "\(out)/first")
        let files = try ContentFiles(path: out)
        #expect(files.pieces.map(\.content.name) == kept)
        #expect(files.importNotes.count == names.count - 2 + 1)
        #expect(files.importNotes[0].contains("Nobody, Nothing"))
        #expect(files.importNotes[1].contains("getPieces.txt does not name"))
    }

    @Test func aRecordThatNamesFilesElsewhereRemovesNothingThere() throws {
        let other = stage.folder + "/other"
        for folder in [out, other] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        let bytes = Array("precious".utf8)
        try Data(bytes).write(to: URL(fileURLWithPath: other + "/data.xml"))
        try Data(bytes).write(to: URL(fileURLWithPath: out + "/mine.txt"))
        try FileManager.default.createSymbolicLink(atPath: out + "/POAlink", withDestinationPath: other)
        var record = ExportRecord()
        for name in ["../other/data.xml", "POAlink/data.xml", "mine.txt", other + "/data.xml"] {
            record.add(name, bytes)
        }
        try record.write(to: out)
        #expect(try export().removed.isEmpty)
        #expect(FileManager.default.fileExists(atPath: other + "/data.xml"))
        #expect(FileManager.default.fileExists(atPath: out + "/mine.txt"))
    }

    @Test func aZIPThatIsNoConcertIsNamedByItsOwnPath() throws {
        let path = stage.folder + "/c.zip"
        let zip = try ZipWriter(path: path)
        try zip.addFile("readme.txt", [65], packs: true)
        try zip.finish()
        let failure = #expect(throws: ExplainedError.self) { try ContentFiles(path: path) }
        #expect(failure?.sentence.hasPrefix("\(path): “the ZIP” holds no content") == true)
    }
}
