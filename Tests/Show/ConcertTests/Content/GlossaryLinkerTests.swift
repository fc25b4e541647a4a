import Concert
import Testing

@Suite struct GlossaryLinkerTests {
    private func links(_ text: String, _ words: String...) -> [String] {
        let glossary = Glossary(items: words.map { GlossaryItem(name: $0, category: "", description: "d") })
        return GlossaryLinker(glossary).links(in: text).map {
            "\(words[$0.item])=\($0.linkedWords(in: text) ?? "?")"
        }
    }

    @Test func wordsAreFoundWhateverTheirCase() {
        #expect(links("Allegro, then ALLEGRO.", "allegro") == ["allegro=Allegro", "allegro=ALLEGRO"])
    }

    @Test func eachLanguageHasItsOwnWords() {
        let glossary = Glossary(items: [
            GlossaryItem(name: "coda", category: "", description: "the end"),
            GlossaryItem(name: "Coda", category: "", description: "der Schluss", language: .german),
            GlossaryItem(name: "horn", category: "", description: "brass", language: .english),
        ])
        func items(_ language: Language?) -> [Int] {
            GlossaryLinker(glossary, language: language).links(in: "Coda, horn").map(\.item)
        }
        #expect(items(.german) == [1])
        #expect(items(.english) == [0, 2])
        #expect(items(Language("en-GB")) == [0, 2])
        #expect(items(nil) == [1, 2])
    }

    @Test func onlyWholeWordsCount() {
        #expect(links("allegretto codas Encoda coda2 coda", "allegro", "coda") == ["coda=coda"])
        #expect(links("(coda)-coda", "coda") == ["coda=coda", "coda=coda"])
        #expect(links("éncoda codaé", "coda") == [])
    }

    @Test func theLongerWordWins() {
        #expect(
            links("a pedal point, a pedal", "pedal", "pedal point") == [
                "pedal point=pedal point", "pedal=pedal",
            ])
    }

    @Test func accentsAndWaysOfWritingThemDoNotMatter() {
        #expect(links("più mosso, PIU MOSSO, piu\u{300} mosso", "più mosso").count == 3)
        #expect(
            links("Etüde Etude Etu\u{308}de", "etude") == [
                "etude=Etüde", "etude=Etude", "etude=Etu\u{308}de",
            ])
        #expect(links("da\u{A0}capo da\ncapo", "da capo").count == 2)
        #expect(links("l’istesso", "l'istesso") == ["l'istesso=l’istesso"])
    }

    @Test func placesAreThoseOfAScript() {
        let glossary = Glossary(items: [GlossaryItem(name: "coda", category: "", description: "")])
        let found = GlossaryLinker(glossary).links(in: "🎺 é coda")
        #expect(found == [GlossaryLink(item: 0, utf16: 5..<9)])
    }

    @Test func odditiesFindNothing() {
        #expect(links("", "coda") == [])
        #expect(links("coda", "", " ") == [])
        #expect(links("\u{301}\u{301}", "coda") == [])
        #expect(GlossaryLinker(Glossary()).links(in: "coda").isEmpty)
        #expect(GlossaryLink(item: 0, utf16: 0..<9).linkedWords(in: "coda") == nil)
    }
}
