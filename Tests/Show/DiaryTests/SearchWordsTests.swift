import Testing

@testable import Diary

/// What the parts of a text mean.
@Suite struct SearchWordsTests {
    private func parts(_ text: String) -> [[SearchWords.Reading]] {
        SearchWords(text) { $0 == ["japan"] ? ["JP"] : [] }.parts
    }

    @Test(arguments: [
        ("1963-11-23", "1963-11-23", "1963-11-23"), ("23.11.1963", "1963-11-23", "1963-11-23"),
        ("11/23/1963", "1963-11-23", "1963-11-23"), ("23/11/1963", "1963-11-23", "1963-11-23"),
        ("1963-11", "1963-11-01", "1963-11-30"), ("1960s", "1960-01-01", "1969-12-31"),
        ("1960-1969", "1960-01-01", "1969-12-31"), ("1963-12", "1963-12-01", "1963-12-31"),
    ])
    func daysInFigures(text: String, first: String, last: String) throws {
        let days = SearchWords.Reading.days(
            try #require(CalendarDate(first)), try #require(CalendarDate(last)))
        #expect(parts(text) == [[days]])
    }

    @Test func monthsSeasonsNumbersAndCountries() {
        #expect(parts("1963-64") == [[.season("1963-64")]])
        #expect(parts("23rd of November") == [[.month(11, day: 23)]])
        #expect(parts("dezember 5") == [[.month(12, day: 5)]])
        #expect(parts("march") == [[.month(3, day: nil), .name(["march"])]])
        #expect(parts("Opus 67") == [[.phrase(["op", "67"])]])
        #expect(parts("the ninth concert")[0].contains(.phrase(["no", "9"])))
        #expect(parts("Japan") == [[.name(["japan"]), .country("JP")]])
        #expect(parts("1963")[0].contains(.name(["1963"])))
        #expect(parts("rite of spring")[0].contains(.name(["sacre", "du", "printemps"])))
        #expect(parts("eroica")[0].contains(.work(composer: ["beethoven"], title: ["no", "3", "op", "55"])))
        #expect(parts("12-34 56/78/90 -- // 9999999-1").allSatisfy { !$0.isEmpty })
    }

    @Test(arguments: [
        ["tschaikowsky", "tchaikovsky", "chaikovsky", "чайковский", "tchaikowski"],
        ["schostakowitsch", "shostakovich", "шостакович"], ["rachmaninow", "rachmaninoff", "rachmaninov"],
        ["prokofjew", "prokofiev"], ["schonberg", "schoenberg"], ["carnegy", "carnegie"],
        ["fischer", "fisher"],
    ])
    func spellingsOfOneNameSoundTheSame(words: [String]) {
        #expect(Set(words.map { SoundedWord.sound(of: $0) }).count == 1)
    }

    @Test func mistakesAreCounted() {
        #expect(SoundedWord.mistakes("bernstien", "bernstein") == 1)
        #expect(SoundedWord.mistakes("abc", "abc") == 0 && SoundedWord.mistakes("", "abc") == 3)
        #expect(SoundedWord.mistakes("kitten", "sitting") == 3)
    }
}
