import Foundation
import Rehearsal
import ScorePages
import Testing

@testable import LibraryStages
@testable import ScoreLibrary
@testable import TestHelpers

private let hasVerovio = ExternalPageTools.findTools().pythonInterpreter != nil

/// A reader has an engraved part in another key; see also `WrittenIntervalTests`.
@Suite(.ownThreads) struct WrittenPartTests {
    @Test(.enabled(if: hasVerovio, "run Tools/verovio-venv"))
    func aReaderWithTheScoreGetsItInAnotherKeyAlsoAfterARestart() async throws {
        let stage = try await LibraryStage()
        let id = try await stage.engrave(tune())
        let before = try await stage.library.entry(id)
        #expect(
            String(buffer: try await stage.ask("/api/scores/\(id)").body).contains("\"rewritable\":[true]"))
        let path = "/api/scores/\(id)/parts/0/written/m2"
        let anna = try await stage.musician("anna")
        #expect(try await stage.ask(path, as: anna).status == .notFound, "she was not given it")
        #expect(try await stage.ask(path + "/pages/0", as: anna).status == .notFound)
        let user = try #require(Rehearsal.User.ID(anna))
        _ = try await stage.library.grantScore(id, to: user)
        // Asked for by two at once, it is engraved once.
        async let first = stage.ask(path, as: anna)
        async let second = stage.ask(path)
        let (one, other) = try await (first, second)
        #expect(one.status == .ok && String(buffer: one.body) == String(buffer: other.body))
        let page = try await stage.ask(path + "/pages/0", as: anna)
        let plain = try await stage.ask("/api/scores/\(id)/parts/0/pages/0", as: anna)
        #expect(page.status == .ok && page.headers[.contentType] == "image/svg+xml")
        #expect(page.body != plain.body)
        #expect(page.headers[.contentSecurityPolicy] == plain.headers[.contentSecurityPolicy])
        // Its pages, measures and revision are as before.
        let after = try await stage.library.entry(id)
        #expect(after.score == before.score && after.revision == before.revision)
        #expect(after.sources == before.sources)

        let next = try await Library.open(
            catalogue: stage.catalogue, data: stage.folder, recordings: nil, programme: []
        ) { Issue.record("\($0)") }
        let interval = try #require(WrittenInterval("-M2"))
        #expect(try await next.writtenPart(id, part: 0, interval).pages.count == 1)
    }

    @Test(.enabled(if: hasPoppler, "apt-get install poppler-utils"))
    func aPDFAndAWrongIntervalAreRefusedWithASentence() async throws {
        let stage = try await LibraryStage()
        let id = try await stage.library.addScore(
            file: try stage.arrived(smallPDF(pages: 1)), Library.ScoreHeading(title: "Trio"))
        let path = "/api/scores/\(id)/parts/0/written/"
        let pdf = try await stage.ask(path + "m2")
        #expect(pdf.status == .badRequest)
        #expect(try RefusedAnswer(pdf).error.contains("Add it as MusicXML"))
        #expect(try RefusedAnswer(try await stage.ask(path + "M99")).error.contains("M2 (a tone higher)"))
        #expect(try await stage.ask(path + "m2/pages/9").status == .notFound)
        #expect(
            String(buffer: try await stage.ask("/api/scores/\(id)").body).contains("\"rewritable\":[false]"))
    }

    @Test func partsThatWereStoredBeforeTheirMusicWasKeptAreRead() throws {
        let old = #"[{"engraved":{"_0":[{"digest":"d","isCompressed":false}]}}]"#
        let read = try JSONDecoder().decode([PartSource].self, from: Data(old.utf8))
        #expect(read == [.engraved([PartSource.EngravedFile(digest: "d", isCompressed: false)])])
        #expect(read[0].music == nil)
    }

    @Test func marksOfAMIDIFileAreRead() async throws {
        let stage = try await LibraryStage()
        // One bar of four quarters at 96 ticks a quarter, a note through the second one, and two markers.
        let events: [UInt8] =
            [0, 0xFF, 6, 1, 0x41, 0, 0x90, 60, 80, 0x83, 0x00, 0xFF, 7, 1, 0x42, 0x83, 0x00, 0x80, 60, 0]
            + [0, 0xFF, 0x2F, 0]
        let file: [UInt8] =
            Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0, 96] + Array("MTrk".utf8) + [0, 0, 0]
            + [UInt8(events.count)] + events
        let found = try await stage.ask("/api/library/midi-marks", .post, body: file)
        let text = String(buffer: found.body)
        #expect(found.status == .ok)
        #expect(
            text.contains(#""label":"A","measure":1"#) && text.contains(#""label":"B","measure":2"#),
            "\(text)")
        let anna = try await stage.musician("anna")
        #expect(
            try await stage.ask("/api/library/midi-marks", .post, as: anna, body: file).status == .forbidden)
        let wrong = try await stage.ask("/api/library/midi-marks", .post, body: Array("no MIDI".utf8))
        #expect(wrong.status == .unprocessableContent)
        #expect(try RefusedAnswer(wrong).error.contains("it has no MIDI header (MThd)"))
    }
}
