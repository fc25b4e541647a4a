import Concert
import Foundation
import Repository
import Score
import Testing

@testable import ScoreFiles

/// The content of the repository's own concert.
@Suite struct OwnConcertTests {
    /// Each piece and the recording its times are those of.
    static let pieces = [
        "bach-well-tempered-clavier-1-prelude-in-c": "even",
        "petzold-anna-magdalena-notebook-minuet-in-g": "dance",
        "beethoven-woo-59-fur-elise": "poco-moto", "grieg-peer-gynt-hall-of-the-mountain-king": "hall",
        "beethoven-symphony-9-ode-to-joy-variations": "festival",
    ]

    @Test func nothingIsFoundWrongWithIt() throws {
        let (concert, assets) = try concert()
        let findings = ContentCheck.findings(in: concert, assets: assets)
        #expect(findings.map { "\($0.severity): \($0.sentence)" } == [])
        #expect(concert.pieces.count == 5)
        for language in [nil, Language.german] {
            #expect((15...25).contains(concert.glossary.items.count { $0.language == language }))
        }
        #expect(concert.pieces.flatMap(\.structure.sections).allSatisfy { !$0.translations.isEmpty })
        _ = try ContentXMLWriter.writePieceList(concert.pieces.map(\.name))
    }

    @Test(arguments: Array(pieces))
    func itsTimesAreThoseOfTheReferenceRecording(folder: String, performance: String) throws {
        let times = try MeasureTimesFileReader.read(
            path: "\(Self.recordings)/\(folder)/\(performance)/measures.csv")
        let content = try PieceContentFolder.read(at: "\(Self.recordings)/\(folder)/content")
        #expect(content.readingWarnings == [])
        #expect(content.piece.measures == times.marks)
        for track in content.piece.tracks {
            for slide in track.slides {
                let played = try #require(slide.place.played)
                #expect(slide.place.time == times.marks[played].onset)
            }
        }
    }

    @Test(arguments: Array(pieces.keys))
    func itsFilesAreWhatTheServerWouldWrite(folder: String) throws {
        let path = "\(Self.recordings)/\(folder)/content"
        for file in try PieceContentFolder.read(at: path).filesToWrite.files {
            #expect(
                try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(file.name)")) == Data(file.content),
                "\(file.name)")
        }
    }

    @Test func itsGlossaryAndHeadingAreWhatTheServerWouldWrite() throws {
        let (concert, _) = try concert()
        #expect(GlossaryXMLWriter.writeGlossary(concert.glossary) == (try bytes("glossary.xml")))
        #expect(SupplementJSONCoder.concertDetailsBytes(of: concert.details) == (try bytes("concert.json")))
    }

    @Test func everyPieceHasTwoTracksInTwoLanguagesAColouredStructureAndKeys() throws {
        for piece in try concert().0.pieces {
            #expect(Set(piece.tracks.compactMap(\.subject)) == ["music", "history"])
            #expect(Set(piece.tracks.compactMap(\.language)) == [.english, .german])
            #expect(
                piece.structure.sections.count >= 4 && piece.structure.sections.contains { $0.key != nil })
            #expect(!piece.slideImages.isEmpty)
            // The first slide is there from the first measure on.
            #expect(piece.tracks.allSatisfy { $0.slideIndex(at: 0) == 0 })
        }
    }

    @Test func itsPicturesAreSmall() throws {
        for (folder, _) in Self.pieces {
            for image in try PieceContentFolder.read(at: "\(Self.recordings)/\(folder)/content").images {
                #expect(image.content.count <= 20_000)
            }
        }
    }

    private func concert() throws -> (ConcertContent, Set<AssetName>) {
        struct Order: Decodable { var pieces: [String] }
        let order = try JSONDecoder().decode(
            Order.self, from: Data(contentsOf: URL(fileURLWithPath: "\(Self.recordings)/concert.json")))
        let folders = try order.pieces.map {
            try PieceContentFolder.read(at: "\(Self.recordings)/\($0)/content")
        }
        let heading = try SupplementJSONCoder.decodeConcertDetails(
            in: bytes("concert.json"), path: "concert.json")
        let glossary = try GlossaryReader.readGlossary(in: bytes("glossary.xml"), path: "glossary.xml")
        return (
            ConcertContent(heading, pieces: folders.map(\.piece), glossary: glossary),
            Set(try folders.flatMap(\.images).map { try AssetName($0.name) })
        )
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: "\(Self.recordings)/content/\(name)")))
    }

    private static let recordings = Repository.recordings.path
}
