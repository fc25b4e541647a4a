import Concert
import Score
import Testing

@Suite struct ContentNamesTests {
    let names = [
        "Higdon, Concerto For Orchestra: Mvt. 1", "Higdon, Concerto For Orchestra: Mvt. 2",
        "Strauss, Don Juan: Don Juan",
    ].compactMap { try? PieceName($0) }

    @Test func aNameMatchesWithoutItsBlanks() {
        #expect(PieceName.match("Strauss, Don Juan: Don Juan", among: names) == 2)
        #expect(PieceName.match("Strauss,Don Juan: Don Juan", among: names) == 2)
        #expect(PieceName.match("strauss,donjuan:donjuan", among: names) == 2)
        #expect(PieceName.match("Higdon, Concerto for Orchestra: Mvt 2", among: names) == 1)
        #expect(PieceName.match("Higdon, Concerto for Orchestra: Mvt 3", among: names) == nil)
        #expect(PieceName.match("", among: names) == nil)
        #expect(PieceName.match(",:", among: names) == nil)
    }

    @Test func theExactNameWinsOverAnAlike() throws {
        let alike = [try PieceName("A, B: 1"), try PieceName("A,B: 1"), try PieceName("A, B: 1.")]
        #expect(PieceName.match("A,B: 1", among: alike) == 1)
        #expect(PieceName.match("A B 1", among: alike) == nil)
    }

    @Test func theListOfPiecesIsAsClientsParseIt() throws {
        let list =
            "Higdon, Concerto For Orchestra: Mvt. 1;Higdon, Concerto For Orchestra: Mvt. 2;Strauss, Don Juan: Don Juan"
        #expect(text(try ContentXMLWriter.pieceList(names)) == list)
        #expect(try ContentXMLWriter.pieceList([]).isEmpty)
        let broken = try PieceName("Verdi; Aida: March")
        #expect(throws: PieceName.IntakeFault.semicolon("Verdi; Aida: March")) {
            try ContentXMLWriter.pieceList(names + [broken])
        }
    }

    @Test func namesThatSeparateAreRefusedOrWarnedOf() throws {
        #expect(try PieceName("A;B").intakeFault?.isRefused == true)
        #expect(try PieceName("A|B").intakeFault == .bar("A|B"))
        #expect(try PieceName("A|B").intakeFault?.isRefused == false)
        #expect(try PieceName("A  B").intakeFault == .blanks("A  B"))
        #expect(
            try PieceName(String(repeating: "a", count: 300)).intakeFault?.sentence.contains("folder") == true
        )
        #expect(try PieceName("Bach, Suite: Air").intakeFault == nil)
    }

    @Test func theFolderIsNamedByLettersAndDigits() throws {
        #expect(names[2].offlineFolder == "POAStraussDonJuanDonJuan")
        #expect(names[0].offlineFolder == "POAHigdonConcertoForOrchestraMvt1")
        #expect(try PieceName("Beethoven, WoO 59: Für Elise").offlineFolder == "POABeethovenWoO59FürElise")
        #expect(try PieceName("../../etc").offlineFolder == "POAetc")
    }

    @Test func aKeyIsNamedInTwoLanguages() throws {
        let cases = [
            (0, KeySignature.Mode.major, "C major", "C-Dur"), (-2, .major, "B-flat major", "B-Dur"),
            (2, .minor, "B minor", "h-Moll"), (5, .major, "B major", "H-Dur"),
            (-3, .major, "E-flat major", "Es-Dur"),
            (4, .minor, "C-sharp minor", "cis-Moll"), (-4, .major, "A-flat major", "As-Dur"),
            (-7, .minor, "A-flat minor", "as-Moll"), (7, .major, "C-sharp major", "Cis-Dur"),
            (-6, .major, "G-flat major", "Ges-Dur"), (-1, .minor, "D minor", "d-Moll"),
            (7, .minor, "A-sharp minor", "ais-Moll"),
        ]
        for (fifths, mode, english, german) in cases {
            let key = try #require(KeySignature(fifths: fifths, mode: mode))
            #expect(key.name == english)
            #expect(key.germanName == german)
            #expect(KeySignature(english.uppercased()) == key)
        }
        #expect(KeySignature(fifths: 8, mode: .major) == nil)
        #expect(KeySignature("H major") == nil)
        #expect(KeySignature("B-flat major")?.accidentals == "2 flats")
        #expect(KeySignature("G major")?.accidentals == "1 sharp")
    }

    @Test func aLanguageIsATag() {
        #expect(Language("DE-at")?.tag == "de-at")
        #expect(Language("de-AT")?.primary == "de")
        for wrong in ["", "d", "german language", "de_AT", "de-", "1a", "dé", "de-123456789"] {
            #expect(Language(wrong) == nil)
        }
    }

    @Test func aSectionIsReadFromItsPage() {
        func section(_ text: String) -> ContentSection {
            ContentSection(pageText: text, place: measurePlace(0))
        }
        #expect(section("The Main Theme,255,127,50").colour == .rgb(red: 255, green: 127, blue: 50))
        #expect(section("The Main Theme, 255, 127, 50 ").label == "The Main Theme")
        #expect(section("Theme, again, light blue").label == "Theme, again")
        #expect(section("Theme,255,127,256").colour == .name("256"))
        #expect(section("Theme").colour == .name(""))
        #expect(section("1,2,3,blue").label == "1,2,3")
        for text in ["A,blue", "A, b,1,2,3", ",red", "A,"] { #expect(section(text).pageText == text) }
    }
}
