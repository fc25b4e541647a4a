import Podium
import Testing
import Titles

@Suite struct TitleImportTests {
    private func read(_ text: String, _ format: TitleFileFormat) throws -> [Title] {
        try firstPiece().readTitles(Array(text.utf8), as: format).titles
    }

    private func srt(_ times: (Double, Double, String)...) -> String {
        TitleSubtitles.file(of: times.map { TimedTitle(start: $0.0, end: $0.1, text: $0.2) }, .srt)
    }

    /// The onset of a played measure in the recording, in seconds.
    private func onset(_ played: Int) -> Double { firstPiece().measures.marks[played].onset.seconds }

    @Test func aSubtitleBeginsAtTheFirstBarLineThatIsNotBeforeIt() throws {
        let titles = try read(
            srt((onset(1) + 0.6, onset(3), "a"), (onset(3) + 0.1, onset(5), "b")), .srt)
        #expect(titles.filter { !$0.isEmpty }.map(\.played) == [2, 3])
    }

    @Test func aGapClearsTheScreenAtTheNextBarLine() throws {
        let titles = try read(srt((onset(0), onset(1), "a"), (onset(4), onset(5), "b")), .srt)
        #expect(titles.prefix(3).map(\.firstText) == ["a", "", "b"])
        #expect(titles.prefix(3).map(\.played) == [0, 1, 4])
    }

    @Test func theSecondSubtitleOfABarFollowsByItself() throws {
        let titles = try read(
            srt((onset(1), onset(1) + 0.7, "a"), (onset(1) + 0.1, onset(3), "b")), .srt)
        #expect(titles[0].doubleCut == 0.1 && titles[1].played == nil && titles[1].firstText == "b")
    }

    @Test func whatIsExportedAsSubtitlesIsImportedAtTheSameBars() throws {
        let list = try firstPiece().readTitles(Array("bar,text\n1,One\n3,Two\n5,\n7,Three\n".utf8), as: .csv)
        let piece = try evening().replacingTitles(of: 0, by: list).pieces[0]
        let again = try read(piece.writeTitles(as: .vtt), .vtt)
        #expect(again.prefix(4).map(\.firstText) == ["One", "Two", "", "Three"])
        #expect(again.prefix(4).map(\.played) == list.titles.map(\.played))
        #expect(piece.writeTitles(as: .txt) == "One\n\nTwo\n\n-\n\nThree\n")
    }

    @Test func aSecondLanguageIsJoinedByItsBars() throws {
        let german = try read("bar,text_de\np:0,Eins\np:2,Zwei\np:4,\np:6,Drei\n", .csv)
        let piece = try evening().replacingTitles(of: 0, by: TitleList(german)).pieces[0]
        let english = srt(
            (onset(0), onset(1), "One"), (onset(1), onset(2), "and more"), (onset(2), onset(4), "Two"),
            (onset(7), onset(8), "Three"))
        let joined = try piece.joinTitles(Array(english.utf8), as: .srt, language: "EN").titles
        #expect(joined.map(\.played) == [0, 1, 2, 4, 6, 7, 8])
        #expect(
            joined.map { $0.texts.map(\.text) } == [
                ["Eins", "One"], ["Eins", "and more"], ["Zwei", "Two"], ["", ""], ["Drei", ""],
                ["Drei", "Three"],
                ["Drei", ""],
            ])
        #expect(joined.allSatisfy { $0.texts.map(\.language) == ["de", "en"] })
        #expect(throws: TitleImportFault.self, "the language is there already") {
            _ = try piece.joinTitles(Array(english.utf8), as: .srt, language: "de")
        }
    }

    @Test func listsWithoutBarsAreJoinedByNumber() throws {
        let own = try TitleList(["a", "b"].map { Title(texts: [TitleText(language: "de", text: $0)]) })
        let piece = try evening().replacingTitles(of: 0, by: own).pieces[0]
        let joined = try piece.joinTitles(Array("x\n\ny\n".utf8), as: .txt, language: "en")
        #expect(joined.titles.map { $0.texts.map(\.text) } == [["a", "x"], ["b", "y"]])
        #expect(throws: TitleImportFault.self) {
            _ = try piece.joinTitles(Array("x\n".utf8), as: .txt, language: "en")
        }
    }

    @Test func aFileWithoutTitlesEmptiesNoList() throws {
        for (text, format) in [("", TitleFileFormat.srt), ("WEBVTT\n", .vtt), ("\n\n", .txt), ("", .csv)] {
            #expect(throws: TitleImportFault.self, "\(format)") { _ = try read(text, format) }
        }
        #expect(try read("bar,text\n", .csv).isEmpty, "a sheet of column names alone does")
    }

    @Test func aSubtitleAfterTheRecordingsEndIsNamedAndOneAfterTheLastBarLineIsNeverEarly() throws {
        let end = firstPiece().measures.end.seconds
        let fault = #expect(throws: TitleImportFault.self) {
            _ = try read(srt((onset(1), onset(2), "a"), (end + 65, end + 70, "b")), .srt)
        }
        #expect(
            fault?.sentence.contains("Title 2") == true && fault?.sentence.contains("after the end") == true)
        let last = onset(firstPiece().playedMeasureCount - 1)
        let titles = try read(srt((onset(1), onset(2), "a"), (last + 0.5, end, "b")), .srt)
        #expect(titles.map(\.firstText) == ["a", "", "b"])
        #expect(titles[2].played == nil)
    }

    @Test func aMistakeIsASentence() {
        for (text, format) in [
            ("bar,text\n99,a\n", TitleFileFormat.csv), ("x", .srt), ("x", .vtt),
            ("bar,text\n3,a\n1,b\n", .csv),
        ] {
            var sentence = ""
            do throws(TitleImportFault) {
                _ = try firstPiece().readTitles(Array(text.utf8), as: format)
            } catch { sentence = error.sentence }
            #expect(sentence.hasSuffix("."), "\(text)")
        }
    }
}
