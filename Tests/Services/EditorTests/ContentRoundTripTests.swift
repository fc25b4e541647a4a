import Basics
import Concert
import Foundation
import Score
import Testing

@testable import Audience
@testable import Catalogue
@testable import Content
@testable import ContentStages
@testable import Editor
@testable import Hosting
@testable import TestHelpers

/// Files in, files out, nothing lost.
@Suite(.ownThreads) struct ContentRoundTripTests {
    @Test func theRepositorysConcertGoesThroughTheCatalogueWithoutLoss() async throws {
        let stage = try await ContentStage()
        let served = try #require(stage.desk.servedConcert)
        let out = stage.folder + "/out"
        _ = try ContentExport(catalogueConcert: served.catalogueConcert, assetStore: stage.desk.assetStore)
            .write(to: out)
        // Each piece's folder is byte for byte what lies in the repository.
        for (folder, piece) in zip(ContentStage.folders, served.catalogueConcert.concert.pieces) {
            let source = "\(ContentStage.recordings)/\(folder)/content"
            for name in try FileManager.default.contentsOfDirectory(atPath: source) {
                #expect(
                    FileManager.default.contentsEqual(
                        atPath: "\(source)/\(name)", andPath: "\(out)/\(piece.name.offlineFolderName)/\(name)"
                    ),
                    "\(name)")
            }
        }
        // And a catalogue made of the files is the same concert.
        let other = try await ContentStage(isFilled: false)
        let files = try ContentFiles(path: out)
        #expect(files.importNotes.isEmpty)
        _ = try await files.makeConcert(in: other.desk, author: "test", label: "made", servesFirst: true)
        try await other.desk.publishNewerRevision()
        let again = try #require(other.desk.servedConcert)
        #expect(again.catalogueConcert.concert == served.catalogueConcert.concert)
        #expect(again.catalogueConcert.preparedMessages == served.catalogueConcert.preparedMessages)
        let assets = { (served: PublishedConcert) in
            Set(served.catalogueConcert.assets.map { "\($0.folder) \($0.name) \($0.digest)" })
        }
        #expect(assets(again) == assets(served))
    }

    @Test func whatXMLCannotSayIsKeptToo() async throws {
        let stage = try await ContentStage()
        let piece = try #require(stage.desk.servedConcert).catalogueConcert.concert.pieces[0]
        #expect(piece.tracks.contains { $0.language == .german })
        #expect(piece.structure.sections.contains { $0.key != nil })
    }

    /// Performers, labels and words in other languages: from an edit, to listeners, through files, and back.
    @Test func castAndOtherLanguagesGoThroughEditsAndFiles() async throws {
        let stage = try await ContentStage()
        let (section, word) = (try stage.first(.section), try stage.first(.word))
        let answer = try await stage.edit(
            """
            {"base": 1, "changes": [
              {"set": "concert", "field": "cast", "to": "Anna Berg, violin, $hall-mountain.svg\\nThe Players"},
              {"set": "\(section)", "field": "labels", "to": "de: Anfang"},
              {"set": "\(word)", "field": "language", "to": "en"}]}
            """)
        #expect(answer.status == .ok, "\(String(buffer: answer.body))")
        let page = try await stage.text("/api/audience/concert")
        #expect(
            page.contains(
                #""cast":[{"image":"/images/hall-mountain.svg","name":"Anna Berg","role":"violin"},"#))
        #expect(page.contains(#""labels":{"de":"Anfang"}"#))
        #expect(page.contains(#""programNotesText":"/images/AppAssets/ProgramNotes.md?v="#))
        let served = try #require(stage.desk.servedConcert)
        let out = stage.folder + "/out"
        _ = try ContentExport(catalogueConcert: served.catalogueConcert, assetStore: stage.desk.assetStore)
            .write(to: out)
        let other = try await ContentStage(isFilled: false)
        _ = try await ContentFiles(path: out).makeConcert(
            in: other.desk, author: "test", label: "made", servesFirst: true)
        try await other.desk.publishNewerRevision()
        let again = try #require(other.desk.servedConcert).catalogueConcert.concert
        #expect(again == served.catalogueConcert.concert)
        #expect(again.cast.map(\.name) == ["Anna Berg", "The Players"])
        #expect(
            again.pieces[0].structure.sections[0].translations == [
                Translation(language: .german, text: "Anfang")
            ])
        #expect(again.glossary.items[0].language == .english)
    }

    @Test func aCastOrLabelThatIsNoneIsRefusedWithASentence() async throws {
        let stage = try await ContentStage()
        let section = try stage.first(.section)
        for (node, field, text) in [
            ("concert", "cast", ", violin"), (section.rawValue, "labels", "Anfang"),
            (section.rawValue, "labels", "de: Anfang\\nde: Beginn"),
        ] {
            let answer = try await stage.edit(
                #"{"base": 1, "changes": [{"set": "\#(node)", "field": "\#(field)", "to": "\#(text)"}]}"#)
            #expect(answer.status == .unprocessableContent || answer.status == .badRequest, "\(text)")
            #expect(String(buffer: answer.body).contains("bad-content"))
        }
    }

    @Test func aMapThatDoesNotFitWhatIsFollowedIsAFinding() async throws {
        let stage = try await ContentStage()
        let pieces = try #require(stage.desk.servedConcert).catalogueConcert.concert.pieces
        func follow(_ marks: [PlayedMeasure]) throws {
            let end = ReferenceTime(seconds: (marks.last?.onset.seconds ?? 0) + 5)
            stage.desk.setFollowedReferences([
                .init(name: pieces[0].name, measures: try MeasureMap(marks: marks, end: end))
            ])
        }
        try follow(pieces[0].measures)
        #expect(
            try await stage.text("/api/edit/concerts/1/findings", as: "ed").contains("otherMeasures") == false
        )
        #expect(stage.desk.servedMeasureMapFindings.isEmpty)
        let last = try #require(pieces[0].measures.last)
        try follow(
            pieces[0].measures + [
                .init(printed: last.printed + 1, onset: .init(seconds: last.onset.seconds + 2))
            ])
        #expect(try await stage.text("/api/edit/concerts/1/findings", as: "ed").contains("otherMeasures"))
        #expect(stage.desk.servedMeasureMapFindings.map(\.severity) == [.error])
    }

    @Test func importReplacesThePieceOfTheSameNameInItsPlace() async throws {
        let stage = try await ContentStage()
        let document = try #require(stage.desk.servedConcert).catalogueConcert
        var files = try ContentFiles(path: "\(ContentStage.recordings)/\(ContentStage.folders[2])/content")
        files.pieces[0].content.tracks.removeLast()
        _ = try await files.importFiles(into: document, of: stage.desk, id: 1, author: "ed", label: "import")
        let after = try #require(stage.desk.servedConcert).catalogueConcert.concert
        #expect(after.pieces.map(\.name) == document.concert.pieces.map(\.name))
        #expect(after.pieces[2].tracks.count == document.concert.pieces[2].tracks.count - 1)
        #expect(
            try #require(stage.desk.servedConcert).catalogueConcert.pieceNodes[2].recordingsFolder
                == ContentStage.folders[2])
    }

    @Test func contentFollowsTheMeasuresOfTonightsReference() async throws {
        let folder = ContentStage.folders[0]
        var files = ContentFiles(recordings: ContentStage.recordings, folders: [folder], title: "x")
        let name = files.pieces[0].content.name
        let marks = files.pieces[0].content.measures.map {
            PlayedMeasure(printed: $0.printed, onset: .init(seconds: $0.onset.seconds * 2 + 1))
        }
        let map = try MeasureMap(marks: marks, end: .init(seconds: 1_000))
        files.retimeSlides(to: [(name, map)])
        #expect(files.pieces[0].content.measures == marks)
        for slide in files.pieces[0].content.tracks[0].slides {
            #expect(slide.place.time == marks[try #require(slide.place.played)].onset)
        }
    }

    @Test func aFolderWithoutContentIsRefusedInASentence() throws {
        #expect(throws: ExplainedError.self) {
            try ContentFiles(path: NSTemporaryDirectory() + "/nothing-here")
        }
        let empty = FileManager.default.temporaryDirectory.appending(path: "empty-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: empty) }
        let failure = #expect(throws: ExplainedError.self) { try ContentFiles(path: empty) }
        #expect(failure?.sentence.contains("holds no content") == true)
    }

    @Test func waveformsSurviveAsText() {
        let waveform = Waveform(power: [0, 0.5, 1, 0.001], count: 7)
        #expect(Waveform(text: waveform.hexadecimalText) == waveform)
        #expect(Waveform(text: "0g") == nil && Waveform(text: "") == nil && Waveform(text: "abc") == nil)
    }
}
