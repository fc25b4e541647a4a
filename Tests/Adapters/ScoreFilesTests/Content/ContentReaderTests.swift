import Basics
import Concert
import Foundation
import Score
import Testing

@testable import ScoreFiles

@Suite struct ContentReaderTests {
    /// The format's own description with its placeholders filled in, blanks and braces as printed there.
    static let described = """
        <?xml version="1.0"?>
        <concert>
          <piece>
            <name>Strauss, Don Juan: Don Juan</name>
            <measures>345</measures>
            <track>
              <name>NumSeconds</name><!--List Measure #s and timings in a 'track'-->
              <page>
                <time>0</time>
                <measure>1</measure>
                <text>0</text>
              </page>
              <page>
                <time>76.6</time>
                <measure>49</measure>
                <text>76.6</text>
              </page>
              <!-- . . . -->
              <page>
                <time>418</time>
                <measure>345</measure>
                <text>418</text>
              </page>
            </track>

            <!--One of possibly multiple annotation tracks-->
            <track>
              <name>The Music</name>
              <page>
                <time>0</time>
                <measure>1</measure>
                <text>This is an annotation with an image. $image.jpg, image caption </text>
              </page>
              <!--Now an example-->
              <page>
                <time>77</time>
                <measure>49</measure>
                <text>A return of the Don's themes creates a transition to the secondary theme. DJ2.png,
                Don Juan Portrait. </text>
              </page>
            </track>
            <track>
              <name>Structure</name> <!--Structure annotations for use in the structure drawer view-->
              <page>
                <time>{0}</time>
                <measure>{1}</measure>
                <text>Opening,red</text><!--accepts color tag-->
              </page>
              <page>
                <time>{420}</time>
                <measure>{345}</measure>
                <text>The Main Theme,255,127,50</text><!--Orange-->
              </page>
              <page>
                <time>425</time>
                <measure>345</measure>
                <text>END</text><!--Needed to tell the view where last structure block terminates-->
              </page>
            </track>
          </piece>
        </concert>

        """

    @Test func theDescribedExampleIsReadWhole() throws {
        let read = try ContentXMLReader.readPieces(in: Array(Self.described.utf8), path: "data.xml")
        let piece = try #require(read.pieces.first)
        #expect(read.readingWarnings.isEmpty)
        #expect(piece.name.text == "Strauss, Don Juan: Don Juan")
        #expect(piece.measureCount == 345)
        #expect(piece.measures == marks([(1, 0), (49, 76.6), (345, 418)]))
        #expect(piece.tracks.map(\.name) == ["The Music"])
        #expect(piece.tracks[0].slides.map(\.place.played) == [0, 1])
        #expect(
            piece.tracks[0].slides[1].text.parts == [
                .text("A return of the Don's themes creates a transition to the secondary theme."),
                .image(try AssetName("DJ2.png"), caption: "Don Juan Portrait."),
            ])
        #expect(piece.structure.sections.map(\.label) == ["Opening", "The Main Theme"])
        #expect(piece.structure.sections[1].colour == .rgb(red: 255, green: 127, blue: 50))
        #expect(
            piece.structure.end == MeasureAnchor(printed: 345, played: 2, time: ReferenceTime(seconds: 425)))
        #expect(ContentCheck.findings(in: piece, at: 0).filter { $0.severity == .error }.isEmpty)
    }

    @Test func whatIsWrittenIsReadBackTheSameAndWrittenTheSame() throws {
        let first = try ContentXMLReader.readPieces(in: Array(Self.described.utf8), path: "a").pieces
        let bytes = ContentXMLWriter.writeConcert(first)
        let second = try ContentXMLReader.readPieces(in: bytes, path: "b")
        #expect(second == ContentXMLReadResult(pieces: first, readingWarnings: []))
        #expect(ContentXMLWriter.writeConcert(second.pieces) == bytes)
    }

    @Test func anyPieceSurvivesTheXML() throws {
        var random = SeededRandomGenerator(seed: 11)
        let spice = [
            "a", "Ö", "&", "<", "]]>", "\"", "'", " ", "\n\n", "$x.png, ", "&amp;", "🎺", "e\u{301}", ",",
            "1,2,3,4", "\u{85}",
        ]
        func words(_ count: Int) -> String {
            (0..<count).map { _ in spice[Int.random(in: 0..<spice.count, using: &random)] }.joined()
        }
        for _ in 0..<400 {
            let marks = (0..<Int.random(in: 1...5, using: &random)).map {
                PlayedMeasure(
                    printed: Int.random(in: 0...3, using: &random),
                    onset: ReferenceTime(seconds: Double($0) * 1.37))
            }
            let played = PlayedMeasureLookup(marks)
            func place() -> MeasureAnchor {
                played.makeAnchor(
                    printed: Int.random(in: 0...4, using: &random),
                    time: ReferenceTime(seconds: Double.random(in: 0...9, using: &random)))
            }
            var piece = PieceContent(
                name: try PieceName("A" + CleanText.cleanedLine(words(3))), measures: marks)
            piece.tracks = (0..<Int.random(in: 0...3, using: &random)).map { number in
                Track(
                    name: "\(number)" + words(2),
                    slides: (0..<3).map { _ in Slide(place: place(), text: SlideText(words(6))) })
            }
            piece.structure.sections = (0..<2).map { _ in
                ContentSection(label: "L" + words(2) + "x", colour: .webColourName("red"), place: place())
            }
            piece.structure.end = Bool.random(using: &random) ? place() : nil
            let bytes = ContentXMLWriter.writeConcert([piece, piece])
            let read = try ContentXMLReader.readPieces(in: bytes, path: "p")
            #expect(read.pieces == [piece, piece])
            #expect(ContentXMLWriter.writeConcert(read.pieces) == bytes)
        }
    }

    @Test func measureTimesAreTheSameForBothReaders() throws {
        let times = try read(Fixture.content)
        let piece = try #require(
            try ContentXMLReader.readPieces(in: Array(Fixture.content.utf8), path: "p").pieces.first)
        #expect(piece.measures == times.marks)
        #expect(piece.structure.end?.time == times.end)
        #expect(piece.tracks[0].slides[0].text.writtenText == "Here <comes> the horn")
        // Measure 3 is played twice; at 4 s its first time is the nearer.
        #expect(piece.tracks[0].slides[0].place.played == 2)
    }

    @Test func aPageWithoutATimeStandsWhereItsMeasureIsFirstPlayed() throws {
        let piece = try one("<page><measure>3</measure><text>x</text></page>")
        #expect(
            piece.tracks[0].slides[0].place
                == MeasureAnchor(printed: 3, played: 1, time: ReferenceTime(seconds: 4)))
    }

    @Test func wrongValuesAreNamedByLine() {
        #expect(throws: fault(2, .missingElement(element: "measure", in: "page"))) {
            try one("\n<page><time>1</time></page>")
        }
        #expect(throws: fault(2, .missingElement(element: "time", in: "page"))) {
            try one("\n<page><measure>9</measure></page>")
        }
        #expect(throws: fault(1, .notATime("soon"))) {
            try one("<page><time>soon</time><measure>1</measure></page>")
        }
        #expect(throws: fault(1, .notAMeasureNumber("-1"))) {
            try one("<page><time>1</time><measure>-1</measure></page>")
        }
        #expect(throws: fault(1, .missingElement(element: "name", in: "piece"))) {
            try all("<concert><piece/></concert>")
        }
        #expect(
            throws: fault(
                1,
                .invalidPieceName(
                    ExplainedError("The piece name is empty; write it as 'Composer, Piece: Movement'.")))
        ) {
            try all("<concert><piece><name> </name></piece></concert>")
        }
        #expect(throws: fault(1, .duplicateTrackName("Structure"))) {
            let track = "<track><name>Structure</name></track>"
            return try all("<concert><piece><name>A</name>\(track)\(track)</piece></concert>")
        }
        #expect(throws: fault(1, .unreadable(.wrongRootElement(found: "glossary", expected: "concert")))) {
            try all("<glossary/>")
        }
    }

    @Test func oddThingsAreNoted() throws {
        let page = "<page><time>1</time><measure>1</measure><text>7</text></page>"
        let end = "<page><time>1</time><measure>1</measure><text>END</text></page>"
        let read = try all(
            "<concert><piece><name>A</name><measures>many</measures><track>\(page)<name>NumSeconds</name></track>"
                + "<track><name>Structure</name>\(end)\(end)</track></piece></concert>")
        #expect(read.readingWarnings.count == 3)
        #expect(read.pieces[0].measureCount == 1)
    }

    @Test func contentSurvivesJSON() throws {
        var pieces = try ContentXMLReader.readPieces(in: Array(Self.described.utf8), path: "a").pieces
        pieces[0].tracks[0].language = .german
        pieces[0].tracks[0].level = .expert
        pieces[0].structure.sections[0].key = KeySignature("B-flat major")
        let concert = ConcertContent(
            title: "T", date: "2026", pieces: pieces,
            glossary: try GlossaryReader.readGlossary(
                in: Array(GlossaryReaderTests.described.utf8), path: "g"),
            programNotes: try AssetName("ProgramNotes.pdf"), credits: ["c"],
            link: WebAddress("https://a.example/"))
        #expect(try JSONDecoder().decode(ConcertContent.self, from: JSONEncoder().encode(concert)) == concert)
        let parts = pieces[0].tracks[0].slides.flatMap(\.text.parts)
        #expect(try JSONDecoder().decode([SlidePart].self, from: JSONEncoder().encode(parts)) == parts)
    }

    private func one(_ page: String) throws -> PieceContent {
        let times = [(1, 0), (3, 4), (3, 8)].map {
            "<page><time>\($0.1)</time><measure>\($0.0)</measure></page>"
        }
        let read = try all(
            "<concert><piece><name>A</name><track><name>T</name>\(page)</track><track><name>NumSeconds</name>"
                + times.joined() + "</track></piece></concert>")
        return try #require(read.pieces.first)
    }

    private func all(_ text: String) throws -> ContentXMLReadResult {
        try ContentXMLReader.readPieces(in: Array(text.utf8), path: "p")
    }

    private func fault(_ line: Int, _ fault: ContentFileError.XMLFault) -> ContentFileError {
        .invalidXML(path: "p", line: line, fault: fault)
    }
}
