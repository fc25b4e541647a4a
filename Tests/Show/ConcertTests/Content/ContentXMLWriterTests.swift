import Basics
import Concert
import Score
import Testing

@Suite struct ContentXMLWriterTests {
    @Test func aPieceIsWrittenAsClientsKnowIt() throws {
        let piece = PieceContent(
            name: try PieceName("Strauss, Don Juan: Don Juan"),
            measures: [(1, 0.0), (2, 1.5)].map {
                PlayedMeasure(printed: $0.0, onset: ReferenceTime(seconds: $0.1))
            },
            tracks: [
                Track(
                    name: "The Music",
                    slides: [
                        Slide(
                            place: MeasureAnchor(printed: 2, played: 1, time: ReferenceTime(seconds: 1.5)),
                            text: SlideText("Horns & <drums>. $DJ2.png, \"Portrait\""))
                    ])
            ],
            structure: EditedPieceStructure(
                sections: [
                    ContentSection(
                        label: "The Main Theme", colour: .rgb(red: 255, green: 127, blue: 50),
                        place: MeasureAnchor(printed: 1, played: 0, time: ReferenceTime(seconds: 0)))
                ], end: MeasureAnchor(printed: 2, played: 1, time: ReferenceTime(seconds: 420))))
        let expected = """
            <?xml version="1.0"?>
            <concert>
              <piece>
                <name>Strauss, Don Juan: Don Juan</name>
                <measures>2</measures>
                <track>
                  <name>NumSeconds</name>
                  <page>
                    <time>0</time>
                    <measure>1</measure>
                    <text>0</text>
                  </page>
                  <page>
                    <time>1.5</time>
                    <measure>2</measure>
                    <text>1.5</text>
                  </page>
                </track>
                <track>
                  <name>The Music</name>
                  <page>
                    <time>1.5</time>
                    <measure>2</measure>
                    <text>Horns &amp; &lt;drums&gt;. $DJ2.png, &quot;Portrait&quot;</text>
                  </page>
                </track>
                <track>
                  <name>Structure</name>
                  <page>
                    <time>0</time>
                    <measure>1</measure>
                    <text>The Main Theme,255,127,50</text>
                  </page>
                  <page>
                    <time>420</time>
                    <measure>2</measure>
                    <text>END</text>
                  </page>
                </track>
              </piece>
            </concert>

            """
        #expect(text(ContentXMLWriter.writeConcert([piece])) == expected)
        #expect(text(ContentXMLWriter.writeConcert([])) == "<?xml version=\"1.0\"?>\n<concert>\n</concert>\n")
    }

    @Test func theGlossaryIsWrittenAsClientsKnowIt() throws {
        let glossary = Glossary(items: [
            GlossaryItem(name: "allegro", category: "Tempo", description: "In a quick, lively tempo."),
            GlossaryItem(
                name: "a \"b\"", category: "C&D", description: "d", history: "h",
                image: try AssetName("b.png")),
        ])
        let expected = """
            <?xml version="1.0"?>
            <glossary>
              <item name="allegro" category="Tempo">
                <description>
                  In a quick, lively tempo.
                </description>
                <history/>
                <image/>
              </item>
              <item name="a &quot;b&quot;" category="C&amp;D">
                <description>
                  d
                </description>
                <history>
                  h
                </history>
                <image>b.png</image>
              </item>
            </glossary>

            """
        #expect(text(GlossaryXMLWriter.writeGlossary(glossary)) == expected)
    }

    @Test(arguments: [
        (77.0, "77"), (0.5044, "0.5044"), (1e-7, "0.000000"), (123_456.789, "123456.789"), (-0.0, "0"),
        (.nan, "0"),
    ])
    func secondsAreNeverAnExponent(seconds: Double, expected: String) throws {
        let mark = PlayedMeasure(printed: 1, onset: ReferenceTime(seconds: seconds))
        let xml = text(
            ContentXMLWriter.writeConcert([PieceContent(name: try PieceName("A"), measures: [mark])]))
        #expect(xml.contains("<time>\(expected)</time>"))
    }

    @Test func anOfflineFolderHoldsWhatPhonesKeep() throws {
        let track = Track(
            name: "T", slides: [slide(0, "$DJ1.png, one"), slide(1, "$DJ2.png, two $DJ1.png, again")])
        let piece = try goodPiece("Strauss, Don Juan: Don Juan", tracks: [track])
        let folder = OfflineFolder(piece) { $0.text == "DJ1.png" ? [1, 2, 3] : nil }
        #expect(folder.name == "POAStraussDonJuanDonJuan")
        #expect(folder.files.map(\.name) == ["data.xml", "images.txt", "name.txt", "DJ1.png"])
        #expect(folder.files[0].content == ContentXMLWriter.writeConcert([piece]))
        #expect(text(folder.files[1].content) == "DJ1.png;DJ2.png")
        #expect(text(folder.files[2].content) == "Strauss, Don Juan: Don Juan")
        #expect(folder.files[3].content == [1, 2, 3])
    }

    @Test func whatTheXMLCannotSayIsInTheSupplement() throws {
        var piece = try goodPiece(tracks: [
            Track(
                name: "Die Musik", language: .german, subject: "music", level: .newcomer, slides: [slide(0)]),
            Track(name: "Notes", slides: [slide(0)]),
        ])
        let supplement = PieceSupplement(of: piece)
        #expect(supplement.tracks.map(\.name) == ["Die Musik"])
        #expect(supplement.keys.map(\.sectionLabel) == ["Call"])
        let whole = piece
        piece.tracks[0] = Track(name: "Die Musik", slides: piece.tracks[0].slides)
        piece.structure.sections[0].key = nil
        #expect(PieceSupplement(of: piece).isEmpty)
        #expect(supplement.apply(to: &piece) == [])
        #expect(piece == whole)
        piece.tracks[0].name = "Musik"
        piece.structure.sections[0].place.printed = 2
        #expect(supplement.apply(to: &piece).count == 2)
    }
}
