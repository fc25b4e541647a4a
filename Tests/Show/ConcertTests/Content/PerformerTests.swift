import Concert
import Testing

@Suite struct PerformerTests {
    @Test(arguments: [
        ("Anna Berg, violin, $anna.jpg", "Anna Berg", "violin", "anna.jpg"),
        ("Anna Berg, $anna.jpg", "Anna Berg", "", "anna.jpg"),
        ("  The  Players ", "The Players", "", nil),
        ("Anna Berg, violin, leader", "Anna Berg", "violin, leader", nil),
    ])
    func aLineIsANameARoleAndAPortrait(line: String, name: String, role: String, portrait: String?) throws {
        let performer = try #require(Performer(line: line))
        #expect(performer.name == name)
        #expect(performer.role == role)
        #expect(performer.portrait?.text == portrait)
        #expect(Performer(line: performer.editorLine) == performer)
    }

    @Test func aLineWithoutANameIsNone() {
        for line in ["", "  ", ", violin", "$anna.jpg"] { #expect(Performer(line: line) == nil, "\(line)") }
    }

    @Test func aPortraitThatIsNotThereIsFound() throws {
        let performer = try #require(Performer(line: "Anna Berg, violin, $anna.jpg"))
        let concert = ConcertContent(title: "T", pieces: [try goodPiece()], cast: [performer])
        #expect(ContentCheck.findings(in: concert).isEmpty)
        #expect(ContentCheck.findings(in: concert, assets: []).map(\.rule) == [.missingImage])
        #expect(ContentCheck.findings(in: concert, assets: [try AssetName("anna.jpg")]).isEmpty)
    }

    @Test func aTranslationNamesItsLanguage() throws {
        let translation = try #require(Translation(line: " de : Zweiter Teil: langsam "))
        #expect(translation == Translation(language: .german, text: "Zweiter Teil: langsam"))
        #expect(Translation(line: translation.editorLine) == translation)
        for line in ["", "Zweiter Teil", "deutsch: Teil", "de:"] {
            #expect(Translation(line: line) == nil, "\(line)")
        }
    }
}
