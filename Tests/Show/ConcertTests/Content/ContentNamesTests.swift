import Basics
import Concert
import Foundation
import Repository
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
        #expect(text(try ContentXMLWriter.writePieceList(names)) == list)
        #expect(try ContentXMLWriter.writePieceList([]).isEmpty)
        let broken = try PieceName("Verdi; Aida: March")
        #expect(throws: PieceName.ConcertNameFault.containsSemicolon("Verdi; Aida: March")) {
            try ContentXMLWriter.writePieceList(names + [broken])
        }
    }

    @Test func namesThatSeparateAreRefusedOrWarnedOf() throws {
        #expect(try PieceName("A;B").concertNameFault?.isRefused == true)
        #expect(throws: ExplainedError(PieceName.semicolonSentence("A; B"))) {
            try PieceName(entered: "A;  B")
        }
        #expect(try PieceName(entered: " A\tB  C\u{200B} ").text == "A B C")
        #expect(try PieceName("A;B").withoutSemicolons.text == "A,B")
        #expect(try PieceName("A|B").concertNameFault == .containsVerticalBar("A|B"))
        #expect(try PieceName("A|B").concertNameFault?.isRefused == false)
        #expect(try PieceName("A  B").concertNameFault == .extraBlanks("A  B"))
        #expect(
            try PieceName(String(repeating: "a", count: 300)).concertNameFault?.sentence.contains("folder")
                == true
        )
        #expect(try PieceName("Bach, Suite: Air").concertNameFault == nil)
    }

    @Test func theFolderIsNamedByLettersAndDigits() throws {
        #expect(names[2].offlineFolderName == "POAStraussDonJuanDonJuan")
        #expect(names[0].offlineFolderName == "POAHigdonConcertoForOrchestraMvt1")
        #expect(
            try PieceName("Beethoven, WoO 59: Für Elise").offlineFolderName == "POABeethovenWoO59FürElise")
        #expect(try PieceName("../../etc").offlineFolderName == "POAetc")
    }

    /// The audience page names the same keys in German; `Tests/Pages/test_hall_modules.py`.
    @Test func aKeyIsNamed() throws {
        struct Vectors: Decodable {
            struct Case: Decodable { var fifths: Int, name: String }
            var cases: [Case]
        }
        let file = Repository.root.appending(path: "Tests/Vectors/keys.json")
        let cases = try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file)).cases
        #expect(cases.count == 12)
        for each in cases {
            let mode: KeySignature.Mode = each.name.hasSuffix("major") ? .major : .minor
            let key = try #require(KeySignature(fifths: each.fifths, mode: mode))
            #expect(key.name == each.name)
            #expect(KeySignature(each.name.uppercased()) == key)
        }
        #expect(KeySignature(fifths: 8, mode: .major) == nil)
        #expect(KeySignature("H major") == nil)
        #expect(KeySignature("B-flat major")?.accidentalsText == "2 flats")
        #expect(KeySignature("G major")?.accidentalsText == "1 sharp")
    }

    @Test func aLanguageIsATag() {
        #expect(Language("DE-at")?.tag == "de-at")
        #expect(Language("de-AT")?.primarySubtag == "de")
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
        #expect(section("Theme,255,127,256").colour == .webColourName("256"))
        #expect(section("Theme").colour == .webColourName(""))
        #expect(section("1,2,3,blue").label == "1,2,3")
        for text in ["A,blue", "A, b,1,2,3", ",red", "A,"] { #expect(section(text).fileText == text) }
    }
}
