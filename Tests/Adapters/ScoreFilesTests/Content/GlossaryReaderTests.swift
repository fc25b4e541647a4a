import Basics
import Concert
import Testing

@testable import ScoreFiles

@Suite struct GlossaryReaderTests {
    /// As the format's description gives it.
    static let described = """
        <?xml version="1.0"?>
        <glossary>
          <!--Now a few examples-->
          <item name="allegro" category="Tempo">
            <description>
              In a quick, lively tempo, usually considered to be faster than allegretto but slower than
              presto. Used chiefly as a direction.
            </description>
            <history/>
            <image/>
          </item>
          <item name="bassoon" category="Instruments">
            <description>
              A low-pitched woodwind instrument with a double reed.
            </description>
            <history>
              The bassoon developed from the older curtal (or dulzian) in the 17th century.
            </history>
            <image/>
          </item>
        </glossary>

        """

    @Test func theDescribedExampleIsRead() throws {
        let glossary = try GlossaryReader.readGlossary(in: Array(Self.described.utf8), path: "g")
        #expect(glossary.items.map(\.name) == ["allegro", "bassoon"])
        #expect(glossary.items.map(\.category) == ["Tempo", "Instruments"])
        #expect(
            glossary.items[0].description
                == "In a quick, lively tempo, usually considered to be faster than allegretto but slower than presto. "
                + "Used chiefly as a direction.")
        #expect(glossary.items[0].history == "" && glossary.items[0].image == nil)
        #expect(glossary.items[1].history.hasPrefix("The bassoon"))
    }

    @Test func whatIsWrittenIsReadBackTheSame() throws {
        let glossary = Glossary(items: [
            GlossaryItem(name: "Bogen", category: "", description: "d", language: .german),
            GlossaryItem(
                name: "a & <b> \"c\" 'd'", category: "ä\té", description: "one\n\ntwo & <three>",
                history: "h\n\nh",
                image: try AssetName("a b.png")),
            GlossaryItem(name: "", category: "", description: ""),
        ])
        let bytes = GlossaryXMLWriter.writeGlossary(glossary)
        let read = try GlossaryReader.readGlossary(in: bytes, path: "g")
        #expect(read == glossary)
        #expect(GlossaryXMLWriter.writeGlossary(read) == bytes)
    }

    @Test func anImageThatLeavesItsFolderIsRefused() {
        let text = "<glossary>\n<item name='a'><image>../../key</image></item></glossary>"
        #expect(
            throws: ContentFileError.invalidXML(
                path: "g", line: 2,
                fault: .invalidImageName(
                    ExplainedError("The file name starts with a dot; rename the file.")))
        ) {
            try GlossaryReader.readGlossary(in: Array(text.utf8), path: "g")
        }
    }
}
