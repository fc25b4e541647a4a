import Foundation
import Rehearsal

import Testing

@testable import Hosting
@testable import LibraryStages
@testable import ScoreLibrary
@testable import ScorePages
@testable import TestHelpers

private let hasVerovio = ExternalPageTools.findTools().pythonInterpreter != nil

/// Scores that were engraved before the server kept their music, and what readers in another key are given.
@Suite(.ownThreads) struct KeptMusicTests {
    /// Turns a score into one that an older server left: pages without the music they came from.
    private func forgetMusic(of id: Rehearsal.Score.ID, _ library: Library) async throws {
        let entry = try await library.entry(id)
        var sources: [PartSource] = []
        for source in entry.sources {
            guard case .engraved(let files, let music) = source else { continue }
            if let music, let path = library.assetStore.path(of: music.digest) {
                try? FileManager.default.removeItem(atPath: path)
            }
            sources.append(.engraved(files))
        }
        try await library.storeRevision(entry.makeNextRevision(entry.score, sources: sources))
    }

    private func detail(_ id: Rehearsal.Score.ID, _ stage: LibraryStage) async throws -> String {
        String(buffer: try await stage.ask("/api/scores/\(id)").body)
    }

    @Test(.enabled(if: hasVerovio, "run Tools/verovio-venv"))
    func aScoreWithoutItsMusicSaysSoAndIsCompletedWhenItsFileIsAddedAgain() async throws {
        let stage = try await LibraryStage()
        let old = try await stage.engrave(tune())
        try await forgetMusic(of: old, stage.library)
        #expect(try await detail(old, stage).contains("\"musicMissing\":[true]"))
        #expect(try await detail(old, stage).contains("\"rewritable\":[false]"))
        let path = "/api/scores/\(old)/parts/0/written/m2"
        let refused = try await stage.ask(path)
        #expect(refused.status == .badRequest)
        #expect(try RefusedAnswer(refused).error.contains("add the same MusicXML file again"))

        // Other music completes nothing.
        _ = try await stage.engrave(tune(step: "E"), title: "Another")
        #expect(try await detail(old, stage).contains("\"musicMissing\":[true]"))

        let copy = try await stage.engrave(tune(), title: "Tune, again")
        #expect(try await detail(old, stage).contains("\"rewritable\":[true]"))
        #expect(try await stage.ask(path).status == .ok)
        // The copy is not needed any more.
        try await stage.library.removeScore(copy)
        #expect(try await stage.ask("/api/scores/\(old)/parts/0/written/M2").status == .ok)
    }

    @Test(.enabled(if: hasVerovio, "run Tools/verovio-venv"))
    func aScoreWhoseFileWasAddedAgainEarlierIsCompletedAtTheNextStart() async throws {
        let stage = try await LibraryStage()
        let old = try await stage.engrave(tune())
        let kept = try await stage.library.entry(old)
        _ = try await stage.engrave(tune(), title: "Tune, again")
        // As an older server stored it; the file is there for the second score.
        let sources = kept.sources.map { source in
            guard case .engraved(let files, _) = source else { return source }
            return PartSource.engraved(files)
        }
        try await stage.library.storeRevision(kept.makeNextRevision(kept.score, sources: sources))
        let next = try await Library.open(
            catalogue: stage.catalogue, data: stage.folder, recordings: nil, programme: []
        ) { Issue.record("\($0)") }
        #expect(await next.musicOfParts(try next.entry(old)) == [.kept])
        let interval = try #require(WrittenInterval("m2"))
        #expect(try await next.writtenPart(old, part: 0, interval).pages.count == 1)
    }

    @Test(.enabled(if: hasVerovio && hasPoppler, "run Tools/verovio-venv; apt-get install poppler-utils"))
    func aPartIsPrintedInTheKeyOfItsReader() async throws {
        let stage = try await LibraryStage()
        let id = try await stage.engrave(tune())
        let plain = try await stage.library.printPart(id, part: 0, remarks: [])
        let interval = try #require(WrittenInterval("P5"))
        let written = try await stage.library.printPart(id, part: 0, written: interval, remarks: [])
        #expect(written.name == "Tune-Clarinet-P5.pdf")
        let inspector = ScorePDFInspector(tools: .findTools())
        let (one, other) = (
            try await inspector.inspect(plain.path), try await inspector.inspect(written.path)
        )
        #expect(one.pages.count == 1 && other.pages.count == 1)
        // The music that is drawn under the remarks differs: each print holds its own page image.
        let images = stage.library.pageImages
        let first = try await images.pageImage(of: one, page: 0, size: .small)
        let second = try await images.pageImage(of: other, page: 0, size: .small)
        #expect(first.bytes != second.bytes)

        let refused = await stage.library.makePrintResponse(
            printing: id, part: 0, in: PrintedForm(interval: "M99"), remarks: [])
        #expect(refused.status == 400)
    }

    @Test func aRemarkIsPrintedAtItsNoteInTheOtherKey() {
        let map = RewrittenPageMap(
            y: [[0, 0], [0.5, 0.4], [1, 0.9]],
            systems: [
                .init(bottom: 0.5, x: [[0, 0], [0.5, 0.6], [1, 1]]),
                .init(bottom: 1, x: [[0, 0], [0.5, 0.4], [1, 1]]),
            ])
        #expect(near(map.newPlace(x: 0.5, y: 0.25), (0.6, 0.2)))
        #expect(near(map.newPlace(x: 0.25, y: 0.25), (0.3, 0.2)))
        #expect(near(map.newPlace(x: 0.5, y: 0.75), (0.4, 0.65)))
        #expect(near(map.newPlace(x: 1, y: 1), (1, 0.9)))
        #expect(near(map.newPlace(x: 0, y: 0), (0, 0)))
    }

    private func near(_ one: (x: Double, y: Double), _ other: (Double, Double)) -> Bool {
        abs(one.x - other.0) < 1e-9 && abs(one.y - other.1) < 1e-9
    }
}
