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

/// A file that was answered with an id is not lost when the process ends.
@Suite(.ownThreads) struct LibraryImportTests {
    private let notMusic = Array("<score-partwise".utf8)

    /// The library of a server that was started anew over the same folder.
    private func restarted(_ stage: LibraryStage) async throws -> Library {
        try await Library.open(
            catalogue: stage.catalogue, data: stage.folder, recordings: nil, programme: []
        ) { Issue.record("\($0)") }
    }

    /// As a process that was killed has left it: taken, not engraved.
    private func taken(_ stage: LibraryStage, part: String? = nil, tries: Int = 0) async throws
        -> Rehearsal.Score.ID
    {
        let id = Rehearsal.Score.ID.new()
        let digest = Digest(of: notMusic).description
        try stage.library.assetStore.store(notMusic, digest: digest)
        try await stage.catalogue.addImport(
            StoredScoreImport(
                id: "i\(id)", scoreID: id.description, partName: part,
                detailsJSON: #"{"title":"Trio","composer":"","lyricist":"","arranger":""}"#,
                assetDigest: digest,
                attempts: tries))
        return id
    }

    @Test func musicXMLIsOnTheDiskAndOnTheListBeforeTheAnswer() async throws {
        let stage = try await LibraryStage()
        // Another engraving runs, so that this one waits.
        let (free, go) = AsyncStream<Void>.makeStream()
        await stage.library.wait(for: Task { for await _ in free {} })
        let id = try await stage.library.addScore(
            file: try stage.arrived(notMusic), Library.ScoreHeading(title: "Trio"))
        let rows = try await stage.catalogue.scoreImports()
        #expect(rows.map(\.scoreID) == [id.description])
        #expect(stage.library.assetStore.bytes(of: Digest(of: notMusic).description) == notMusic)
        #expect(try await stage.library.importProgress(of: id).state == .waiting)
        go.finish()
        await stage.library.lastEngravingTask?.value
        #expect(try await stage.library.importProgress(of: id).state == .failed)
    }

    @Test func theScoreOfAPreparedPieceIsKeptOnceAndBoundToThePiece() async throws {
        let stage = try await LibraryStage()
        // Another engraving runs, so that this one waits.
        let (free, go) = AsyncStream<Void>.makeStream()
        await stage.library.wait(for: Task { for await _ in free {} })
        let piece = "petzold-anna-magdalena-notebook-minuet-in-g"
        let score = Repository.recordings.appending(path: "\(piece)/score.musicxml").path
        let isKept = try await stage.library.keepScore(file: score, of: "minuet", named: "Petzold: Minuet")
        let isKeptAgain = try await stage.library.keepScore(file: score, of: "minuet", named: "Again")
        #expect(isKept && !isKeptAgain)
        let rows = try await stage.catalogue.scoreImports()
        #expect(rows.count == 1 && rows[0].detailsJSON.contains("minuet"))
        #expect(FileManager.default.fileExists(atPath: score))
        go.finish()
        await stage.library.lastEngravingTask?.value
    }

    @Test func aScoreThatIsThereAlreadyIsBoundToThePiecePreparedWithIt() async throws {
        let stage = try await LibraryStage()
        let digest = Digest(of: notMusic).description
        try stage.library.assetStore.store(notMusic, digest: digest)
        let id = Rehearsal.Score.ID.new()
        let part = try Part(name: "Score", pages: [PageSize(width: 595, height: 842)])
        let source = PartSource.engraved(
            [.init(digest: "page", isCompressed: false)], from: .init(digest: digest))
        try await stage.library.addEntry(
            LibraryEntry(
                score: try Library.makeScore(id, Library.ScoreHeading(title: "Trio"), [part]),
                sources: [source]))
        let music = try await stage.ask("/api/library/scores/\(id)/music")
        #expect(music.status == .ok && Array(buffer: music.body) == notMusic)
        let file = try stage.arrived(notMusic)
        #expect(try await stage.library.keepScore(file: file, of: "trio", named: "Trio"))
        #expect(try await stage.library.entry(id).score.movements.map(\.piece) == ["trio"])
        #expect(try await stage.catalogue.scoreImports().isEmpty, "no copy is engraved")
    }

    @Test func whatAKilledProcessHadTakenIsGoneOnWith() async throws {
        let stage = try await LibraryStage()
        let id = try await taken(stage)
        let next = try await restarted(stage)
        #expect(try await next.importProgress(of: id).state != .ready)
        await next.lastEngravingTask?.value
        let progress = try await next.importProgress(of: id)
        #expect(progress.state == .failed && progress.sentence?.isEmpty == false)
    }

    @Test func scoreTheServerHasDiedOfTwiceIsNotBegunAgain() async throws {
        let stage = try await LibraryStage()
        let id = try await taken(stage, tries: 2)
        let next = try await restarted(stage)
        await next.lastEngravingTask?.value
        let progress = try await next.importProgress(of: id)
        #expect(progress.state == .failed && progress.sentence?.contains("stopped twice") == true)
        #expect(try await stage.catalogue.scoreImports().isEmpty)
        #expect(next.assetStore.path(of: Digest(of: notMusic).description) == nil)
    }

    @Test func importIsStruckOffInTheSameMomentAsItsScoreIsKept() async throws {
        let stage = try await LibraryStage()
        let id = try await taken(stage)
        let score = try Library.makeScore(
            id, Library.ScoreHeading(title: "Trio"),
            [try Part(name: "Score", pages: [PageSize(width: 595, height: 842)])])
        let file = PartSource.EngravedFile(digest: "d", isCompressed: false)
        try await stage.library.addEntry(
            LibraryEntry(score: score, sources: [.engraved([file])]), finishing: "i\(id)")
        #expect(try await stage.catalogue.scoreImports().isEmpty)
        #expect(try await restarted(stage).findScore(id)?.title == "Trio")
    }

    @Test func importsAreRememberedOnceAndTheOldestForgotten() {
        var log = ImportLog()
        let id = Rehearsal.Score.ID.new()
        for _ in 0..<(2 * ImportLog.mostEntries) {
            log.record(ImportProgress(state: .waiting), of: id)
            log.removeEntry(id)
            log.record(ImportProgress(state: .engraving), of: id)
        }
        #expect(log.count == 1 && log[id]?.state == .engraving)
        for _ in 1..<ImportLog.mostEntries { log.record(ImportProgress(state: .waiting), of: .new()) }
        #expect(log[id] != nil && log.count == ImportLog.mostEntries)
        log.record(ImportProgress(state: .waiting), of: .new())
        #expect(log[id] == nil && log.count == ImportLog.mostEntries)
    }

    @Test func engravedPartWithoutAllItsPagesIsLeftOutWithASentence() async throws {
        let stage = try await LibraryStage()
        let pages = Array(repeating: PageSize(width: 595, height: 842), count: 2)
        let score = try Library.makeScore(
            .new(), Library.ScoreHeading(title: "Trio"), [try Part(name: "Score", pages: pages)])
        let one = PartSource.EngravedFile(digest: "d", isCompressed: false)
        let stored = try LibraryEntry(score: score, sources: [.engraved([one])]).makeStoredScore()
        #expect(LibraryEntry(stored, folder: "/") == nil)
        try await stage.catalogue.addScore(stored)
        let library = try Library(catalogue: stage.catalogue, data: stage.folder)
        let notes = try await library.readScores()
        #expect(notes.count == 1 && notes[0].contains("damaged"))
        await #expect(throws: LibraryRefusal.noSuchScore) { try await library.entry(score.id) }
    }

    @Test func aFailedLookUpIsNoRefusal() async throws {
        let stage = try await LibraryStage()
        let id = try await taken(stage)
        let score = try Library.makeScore(
            id, Library.ScoreHeading(title: "Trio"),
            [try Part(name: "Score", pages: [PageSize(width: 595, height: 842)])])
        let file = PartSource.EngravedFile(digest: "d", isCompressed: false)
        try await stage.library.addEntry(LibraryEntry(score: score, sources: [.engraved([file])]))
        let anna = try await stage.musician("anna")
        let user = try #require(Rehearsal.User.ID(anna))
        #expect(try await !stage.library.isScoreGranted(user, id))
        #expect(try await stage.ask("/api/scores/\(id)", as: anna).status == .notFound)
        try await stage.catalogue.write { db in try db.execute(sql: "ALTER TABLE bundle RENAME TO hidden") }
        await #expect(throws: CatalogueError.self) { try await stage.library.isScoreGranted(user, id) }
        await #expect(throws: CatalogueError.self) { try await stage.library.listGrantedScores(of: user) }
        #expect(try await stage.ask("/api/scores/\(id)", as: anna).status == .serviceUnavailable)
    }
}

extension Library {
    fileprivate func wait(for task: Task<Void, Never>) { lastEngravingTask = task }
}
