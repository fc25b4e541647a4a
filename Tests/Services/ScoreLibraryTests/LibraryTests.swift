import Foundation
import Platform
import Rehearsal
import Repository
import ScorePages
import Testing

@testable import Catalogue
@testable import Hosting
@testable import LibraryStages
@testable import ScoreLibrary
@testable import TestHelpers

@Suite(.ownThreads, .enabled(if: hasPoppler, "poppler-utils is not installed")) struct LibraryTests {
    @Test func whatCameWithTheRecordingsIsTakenInOnce() async throws {
        let stage = try await LibraryStage(recordings: Repository.recordings.path)
        let scores = try await stage.library.listGrantedScores(of: nil)
        #expect(scores.count == 5)
        let grieg = try #require(scores.first { $0.composer == "Edvard Grieg" })
        #expect(grieg.movements[0].piece == "grieg-peer-gynt-hall-of-the-mountain-king")
        #expect(grieg.parts.map(\.name) == ["Score", "Timpani", "Violin I"])
        try await stage.library.removeScore(grieg.id)
        // The next start: what a librarian removed stays removed, the rest keeps its id.
        let next = try await Library.open(
            catalogue: stage.catalogue, data: stage.folder, recordings: Repository.recordings.path,
            programme: []
        ) { Issue.record("\($0)") }
        let after = try await next.listGrantedScores(of: nil)
        #expect(Set(after.map(\.id)) == Set(scores.map(\.id)).subtracting([grieg.id]))
        #expect(next.followablePieces.count == 5)
    }

    @Test func aPDFWithoutATitleGivenIsCalledLikeItsFile() async throws {
        let stage = try await LibraryStage()
        let id = try await stage.library.addScore(
            file: try stage.arrived(smallPDF(pages: 1)), Library.ScoreHeading(title: "", file: "Trio sonata"))
        #expect(await stage.library.findScore(id)?.title == "Trio sonata")
    }

    @Test func aPDFIsAScoreAtOnceAndFoundAgainInAMovedFolder() async throws {
        let stage = try await LibraryStage()
        let id = try await stage.library.addScore(
            file: try stage.arrived(smallPDF(pages: 3)),
            Library.ScoreHeading(title: "Étude “№ 1” <b>& co</b>"))
        let score = try #require(await stage.library.findScore(id))
        #expect(score.title == "Étude “№ 1” <b>& co</b>" && score.parts[0].pages.count == 3)
        let moved = stage.folder + "-moved"
        try FileManager.default.copyItem(atPath: stage.folder, toPath: moved)
        defer { try? FileManager.default.removeItem(atPath: moved) }
        let library = try await Library.open(
            catalogue: try CatalogueStore(path: moved + "/catalogue.sqlite"), data: moved, recordings: nil,
            programme: []
        ) { _ in }
        guard case .pdf(let summary) = try await library.entry(id).sources[0] else {
            Issue.record("no PDF")
            return
        }
        #expect(summary.path.hasPrefix(moved + "/"))
        #expect(
            try await library.pageImages.pageImage(of: summary, page: 2, size: .thumbnail).bytes.count > 100)
    }

    private func refusal(_ bytes: [UInt8], _ stage: LibraryStage) async throws -> LibraryRefusal? {
        let path = try stage.arrived(bytes)
        do {
            _ = try await stage.library.addScore(file: path, Library.ScoreHeading(title: "x"))
            return nil
        } catch { return LibraryRefusal(error) }
    }

    @Test func badFilesAreRefusedBySentencesThatNameNoPathOfTheServer() async throws {
        let stage = try await LibraryStage()
        let whole = smallPDF(pages: 3)
        let locked = smallPDF(
            pages: 1,
            encryption: "/Encrypt << /Filter /Standard /V 1 /R 2 /O <\(String(repeating: "ab", count: 32))> "
                + "/U <\(String(repeating: "cd", count: 32))> /P -44 >> /ID [<00><00>]")
        let bad: [[UInt8]] = [
            [], Array("hello".utf8), Array("%PDF-1.4 and nothing else".utf8), Array(whole[..<100]), locked,
            smallPDF(pages: 1_001), smallPDF(pages: 1, width: 90_000),
            [0x50, 0x4B, 0x03, 0x04], Array("<score-partwise".utf8),
        ]
        for bytes in bad.prefix(7) {
            let fault = try #require(try await refusal(bytes, stage))
            #expect(!fault.sentence.contains(stage.folder), "\(fault.sentence)")
            #expect(fault.sentence.hasSuffix(".") && (400..<500).contains(fault.status))
        }
        #expect(try await refusal([], stage)?.sentence.contains("it is empty; export it again") == true)
        #expect(await stage.library.allEntries.isEmpty)
        // A file that only an engraver can judge is refused after the answer.
        for bytes in bad.suffix(2) {
            let id = try await stage.library.addScore(
                file: try stage.arrived(bytes), Library.ScoreHeading(title: "x"))
            await stage.library.lastEngravingTask?.value
            let progress = try await stage.library.importProgress(of: id)
            #expect(progress.state == .failed && progress.sentence?.isEmpty == false)
        }
        #expect(await stage.library.allEntries.isEmpty)
        // Nobody else is affected.
        #expect(try await refusal(whole, stage) == nil)
    }

    @Test func ofTwoLibrariansTheSecondIsTold() async throws {
        let stage = try await LibraryStage()
        let id = try await stage.library.addScore(
            file: try stage.arrived(smallPDF(pages: 1)), Library.ScoreHeading(title: "x"))
        let words = Library.ScoreChange(title: "y", revision: "1")
        #expect(try await stage.library.changeScore(id, words).revision == "2")
        await #expect(throws: LibraryRefusal.changedMeanwhile) {
            try await stage.library.changeScore(id, words)
        }
    }

    @Test func onlyTheLastPartIsRemoved() async throws {
        let stage = try await LibraryStage()
        let id = try await stage.library.addScore(
            file: try stage.arrived(smallPDF(pages: 1)), Library.ScoreHeading(title: "x"))
        await #expect(throws: LibraryRefusal.onlyPart) { try await stage.library.removePart(0, of: id) }
        try await stage.library.addPart(
            file: try stage.arrived(smallPDF(pages: 2)), named: "Viola", to: id)
        await #expect(throws: LibraryRefusal.notLastPart(0)) { try await stage.library.removePart(0, of: id) }
        _ = try await stage.library.removePart(1, of: id)
        #expect(await stage.library.findScore(id)?.parts.map(\.name) == ["Score"])
    }

    @Test func aPartIsPrintedWithItsRemarksUnlessItsPublisherForbids() async throws {
        let stage = try await LibraryStage()
        let id = try await stage.library.addScore(
            file: try stage.arrived(smallPDF(pages: 2)), Library.ScoreHeading(title: "Étude 7"))
        let remark = Remark(
            id: .new(), layer: .new(), author: .new(), part: 0, page: 1,
            anchor: try Rehearsal.PagePoint(x: 1_000, y: 2_000),
            shape: .text(try RemarkText("Marcello")))
        let print = try await stage.library.printPart(id, part: 0, remarks: [remark])
        #expect(print.name == "Etude-7-Score.pdf")
        let summary = try await ScorePDFInspector().inspect(print.path)
        #expect(summary.pages.count == 2)
        let entry = try await stage.library.entry(id)
        guard case .pdf(var source) = entry.sources[0] else {
            Issue.record("no PDF")
            return
        }
        source.permitsPrinting = false
        try await stage.library.storeRevision(entry.makeNextRevision(entry.score, sources: [.pdf(source)]))
        await #expect(throws: ScorePagesError.printingNotPermitted(path: "Étude 7")) {
            try await stage.library.printPart(id, part: 0, remarks: [])
        }
    }

    @Test func aPrintedPartIsGoneWhenItsTimeIsOver() async throws {
        let stage = try await LibraryStage()
        let library = try Library(catalogue: stage.catalogue, data: stage.folder, printLifetime: .zero)
        let id = try await library.addScore(
            file: try stage.arrived(smallPDF(pages: 1)), Library.ScoreHeading(title: "x"))
        _ = try await library.printPart(id, part: 0, remarks: [])
        await library.lastPrintRemovalTask?.value
        #expect(try FileManager.default.contentsOfDirectory(atPath: library.printFolder).isEmpty)
    }

    @Test func engravedPagesBecomeOnePDFThatIsKept() async throws {
        let stage = try await LibraryStage()
        let files = ["a", "b"].map { PartSource.EngravedFile(digest: $0, isCompressed: false) }
        let part = try Part(
            name: "Viola", pages: Array(repeating: PageSize(width: 595, height: 842), count: 2))
        let kept = stage.library.printFolder + "/pages-\(Digest(of: Array("ab".utf8))).pdf"
        let left = stage.library.printFolder + "/left.pdf"
        try FileManager.default.createDirectory(
            atPath: stage.library.printFolder, withIntermediateDirectories: true)
        for path in [kept, left] { try Data(smallPDF(pages: 2)).write(to: URL(fileURLWithPath: path)) }
        // Without a look at the pages, which are not there.
        #expect(try await stage.library.findOrMakePDF(of: .engraved(files), part).path == kept)
        await #expect(throws: ScorePagesError.self) {
            try await stage.library.findOrMakePDF(of: .engraved(files.reversed()), part)
        }
        stage.library.removeLeftoverPrints()
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: stage.library.printFolder)
                == [URL(fileURLWithPath: kept).lastPathComponent])
    }

    @Test func theMarginsOfEngravedPagesAreFoundWhenTheirScoreIsOpened() async throws {
        let stage = try await LibraryStage()
        let files = ["a", "b"].map { PartSource.EngravedFile(digest: $0, isCompressed: false) }
        let part = try Part(
            name: "Viola", pages: Array(repeating: PageSize(width: 595, height: 842), count: 2))
        try FileManager.default.createDirectory(
            atPath: stage.library.printFolder, withIntermediateDirectories: true)
        let kept = stage.library.printFolder + "/pages-\(Digest(of: Array("ab".utf8))).pdf"
        try Data(smallPDF(pages: 2)).write(to: URL(fileURLWithPath: kept))
        let score = try Library.makeScore(.new(), Library.ScoreHeading(title: "Trio"), [part])
        let entry = LibraryEntry(score: score, sources: [.engraved(files)])
        try await stage.library.addEntry(entry)
        #expect(await stage.library.laidScore(entry).parts[0].layout == nil)
        // Nobody has opened its pages in the library.
        #expect(await eventually { await stage.library.laidScore(entry).parts[0].layout?.crop != nil })
    }

    @Test func theRoomsSeeWhatMusiciansWereGiven() async throws {
        let stage = try await LibraryStage()
        let shelf: any ScoreLookup = stage.library
        let id = try await stage.library.addScore(
            file: try stage.arrived(smallPDF(pages: 1)), Library.ScoreHeading(title: "x"))
        let anna = try #require(Rehearsal.User.ID(try await stage.musician("anna")))
        #expect(try await !shelf.isScoreGranted(anna, id))
        #expect(try await shelf.listGrantedScores(of: anna).isEmpty)
        let bundle = try await stage.library.grantScore(id, to: anna)
        #expect(try await shelf.isScoreGranted(anna, id))
        #expect(try await shelf.listGrantedScores(of: anna).map(\.id) == [id])
        try await stage.library.revokeGrant(bundle: bundle)
        #expect(try await !shelf.isScoreGranted(anna, id))
        #expect(try await shelf.isScoreGranted(RehearsalRoomUser.idWithoutSignIn, id))
    }

    @Test(.enabled(if: hasPoppler, "poppler-utils is not installed"))
    func aPrintStaysOutOfTheReserve() async throws {
        let stage = try await LibraryStage()
        let id = try await stage.library.addScore(
            file: try stage.arrived(smallPDF(pages: 1)), Library.ScoreHeading(title: "Trio"))
        #expect(await stage.library.makePrintResponse(printing: id, part: 0, remarks: []).status == 200)
        await stage.library.take(DiskReserve(folder: "/", readDiskSpace: { _ in (0, 1 << 30) }))
        let answer = await stage.library.makePrintResponse(printing: id, part: 0, remarks: [])
        #expect(answer.status == 507)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("kept for the show"))
    }
}

extension Library {
    fileprivate func take(_ other: DiskReserve) { diskReserve = other }
}
