import Basics
import Testing
import Titles

@Suite struct TitleFileTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func fault(_ read: () throws -> Void) -> ExplainedError? {
        do {
            try read()
            return nil
        } catch { return error as? ExplainedError }
    }

    private let full = try! TitleList([
        Title(
            texts: [
                TitleText(language: "de", text: "Erste Zeile\nzweite; \"Zeile\""),
                TitleText(language: "pt-BR", text: "Primeira, linha"),
            ], place: "57/2", lead: 0.25, fadeIn: 1.5, fadeOut: 2, doubleCut: 3, position: .top,
            note: "Wait for her breath.", label: "12a"),
        Title(
            texts: [TitleText(language: "de", text: "=SUM(A1)"), TitleText(language: "pt-BR", text: "'+1")]),
        Title(
            texts: [TitleText(language: "de", text: ""), TitleText(language: "pt-BR", text: "")], place: "C"),
    ])

    @Test func aSheetReadsBackAsItWas() throws {
        let text = TitleSheet.csv(of: full)
        #expect(try TitleSheet.titles(of: bytes(text)) == full.titles)
        #expect(try TitleSheet.titles(of: [0xEF, 0xBB, 0xBF] + bytes(text)) == full.titles)
    }

    @Test func aNumberThatIsNotTheRowsOwnStaysWithItsTitle() throws {
        let titles = try TitleSheet.titles(
            of: bytes("number,text\n1,a\n 1a ,b\n2,c\n4,d\n,e\n12345678901234,f\n"))
        #expect(titles.map(\.label) == ["", "1a", "2", "", "", "12345678901234"])
        #expect(throws: TitleFault.badLabel(number: 6, "12345678901234")) { try TitleList(titles) }
    }

    @Test func aSheetNeedsOnlyTextsAndTakesSemicolonsAndDecimalCommas() throws {
        let titles = try TitleSheet.titles(of: bytes("text;fade_in\nHello;0,5\n"))
        #expect(titles == [Title(texts: [TitleText(text: "Hello")], fadeIn: 0.5)])
    }

    @Test func languagesMeanTheSameInAnyCase() throws {
        let titles = try TitleSheet.titles(of: bytes("text_DE,Text_pt-br,text_ZH-hant\na,b,c\n"))
        #expect(titles[0].texts.map(\.language) == ["de", "pt-BR", "zh-Hant"])
    }

    @Test(arguments: [
        ("", "The file has no titles; a CSV sheet begins with a row of column names, such as “bar,text”."),
        ("bar\n1\n", "The column “text” is missing; add it to the first row."),
        (
            "text,colour\na,b\n",
            "There is no column “colour”; the columns are number, bar, text or text_LANGUAGE, fade_in, fade_out, double_cut, lead, position and note."
        ),
        ("text,text\na,b\n", "The column “text” occurs twice; remove one."),
        (
            "text,lead\na\n",
            "Line 2 has 1 fields, but the first row has 2; quote texts that contain the separator."
        ),
        ("text,lead\na,soon\n", "Line 2: “soon” in “lead” is no number of seconds; write one such as 0.5."),
        ("text,lead\na,-1\n", "Line 2: “-1” in “lead” is no number of seconds; write one such as 0.5."),
        ("text,position\na,left\n", "Line 2: “left” is no position; write bottom or top, or leave it empty."),
        ("text\n\"a\n", "A quote that opens on line 2 is never closed; close or double it."),
    ])
    func aBadSheetGetsASentence(_ text: String, _ sentence: String) {
        let found = fault { _ = try TitleSheet.titles(of: bytes(text)) }
        #expect(found?.sentence == sentence)
        #expect(found?.sentence.hasSuffix(".") == true)
    }

    private let timed = [
        TimedTitle(start: 1.5, end: 3.25, text: "One\ntwo"),
        TimedTitle(start: 3_725.001, end: 3_730, text: "<i>Late</i> & <b>bold</b>, 1 < 2", position: .top),
    ]

    @Test(arguments: [TitleSubtitles.Format.srt, .webVTT])
    func subtitlesReadBackAsTheyWere(_ format: TitleSubtitles.Format) throws {
        let text = TitleSubtitles.file(of: timed, format)
        #expect(try TitleSubtitles.titles(of: bytes(text), format) == timed)
        let windows = text.replacing("\n", with: "\r\n")
        #expect(try TitleSubtitles.titles(of: bytes(windows), format) == timed)
    }

    @Test(arguments: [
        ("<I>off stage</I>", "<i>off stage</i>"), ("{\\i1}off{\\i0} stage", "<i>off</i> stage"),
        ("<i.foreign>off</i>", "<i>off</i>"), ("<font color=red><b>off</b></font>", "<b>off</b>"),
        ("{\\b1\\i1\\c&HFF&}off", "<b><i>off"), ("<img src=x>off<big>", "off"), ("a <3 <i", "a <3 <i"),
    ])
    func italicsAndBoldAreRead(_ written: String, _ text: String) throws {
        let srt = "1\n00:00:01,000 --> 00:00:02,000\n\(written)\n"
        #expect(try TitleSubtitles.titles(of: bytes(srt), .srt).map(\.text) == [text])
        #expect(!TitleMarkup.plain("<B>a</B> <i>b</i>").contains("<"))
    }

    @Test(arguments: [
        ("line:0", true), ("line:10%", true), ("line:2,start align:left", true), ("line:90%", false),
        ("line:-1", false),
        ("line:14", false), ("position:10%", false), ("line:x", false),
    ])
    func theUpperEdgeIsRead(_ setting: String, _ isAbove: Bool) throws {
        let vtt = "WEBVTT\n\n00:01.000 --> 00:02.000 \(setting)\na\n"
        #expect(try TitleSubtitles.titles(of: bytes(vtt), .webVTT).map(\.position) == [isAbove ? .top : nil])
    }

    @Test func notesAndFurtherMarkupAreLeftOut() throws {
        let vtt = """
            WEBVTT - an opera

            STYLE
            ::cue { color: red }

            NOTE a note
            of two lines

            aria
            00:01.000 --> 00:02.000 line:0 align:left
            <v Carmen><i>L'amour</i> &amp; <b>vie</b>

            """
        #expect(
            try TitleSubtitles.titles(of: bytes(vtt), .webVTT)
                == [TimedTitle(start: 1, end: 2, text: "<i>L'amour</i> & <b>vie</b>", position: .top)])
        let srt = "1\n00:00:01,000 --> 00:00:02,000\n{\\an8}a < b\n"
        #expect(
            try TitleSubtitles.titles(of: bytes(srt), .srt)
                == [TimedTitle(start: 1, end: 2, text: "a < b", position: .top)])
    }

    @Test(arguments: [
        ("1\nno times\nText\n", TitleFileFault.noTimes(line: 2).sentence),
        (
            "00:00:09,000 --> 00:00:01,000\nText\n",
            "The title on line 1 ends before it begins; correct its times."
        ),
        (
            "00:00:09,000 --> 00:00:10,000\na\n\n00:00:01,000 --> 00:00:02,000\nb\n",
            "The title on line 4 begins before the one above it; put the titles in the order of their times."
        ),
        ("00:99:09,000 --> 00:99:10,000\na\n", TitleFileFault.noTimes(line: 1).sentence),
    ])
    func badSubtitlesGetASentence(_ text: String, _ sentence: String) {
        let found = fault { _ = try TitleSubtitles.titles(of: bytes(text), .srt) }
        #expect(found?.sentence == sentence)
        #expect(found?.sentence.hasSuffix(".") == true)
    }

    private let three = [
        TimedTitle(start: 1, end: 3, text: "Eins"), TimedTitle(start: 5, end: 7, text: "Zwei"),
        TimedTitle(start: 9, end: 11, text: "Drei"),
    ]

    @Test(arguments: ["\n", " \n", "\t\n", "\u{A0} \n", "\u{3000}\n", "", "\n \n\n"])
    func whateverSeparatesTitlesTheirTimesBeginThem(_ separator: String) throws {
        let cues = [("1", "01", "03", "Eins"), ("2", "05", "07", "Zwei"), ("3", "09", "11", "Drei")].map {
            "\($0.0)\n00:00:\($0.1),000 --> 00:00:\($0.2),000\n\($0.3)\n"
        }
        let srt = cues.joined(separator: separator)
        #expect(try TitleSubtitles.titles(of: bytes(srt), .srt) == three)
        let header = separator.isEmpty ? "WEBVTT\n" : "WEBVTT\n\n"
        let vtt = header + cues.map { $0.replacing(",", with: ".").dropFirst(2) }.joined(separator: separator)
        #expect(try TitleSubtitles.titles(of: bytes(vtt), .webVTT) == three)
        let units = ([0xFEFF] + srt.utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(try TitleSubtitles.titles(of: units, .srt) == three)
    }

    @Test func anEmptyLineWithinATitleAndANumberThatIsTextStayText() throws {
        let srt = "00:01,000 --> 00:02,000\n1813\nA year -->\n\nended\nsoon.\n00:03,000 --> 00:04,000\n2\n"
        #expect(
            try TitleSubtitles.titles(of: bytes(srt), .srt)
                == [
                    TimedTitle(start: 1, end: 2, text: "1813\nA year -->\nended\nsoon."),
                    TimedTitle(start: 3, end: 4, text: "2"),
                ])
    }

    @Test func titlesThatBeginTogetherAreOne() throws {
        let srt = """
            1
            00:00:01,000 --> 00:00:03,000
            Eins

            2
            00:00:01,000 --> 00:00:02,900
            One

            3
            00:00:05,000 --> 00:00:07,000
            Zwei

            4
            00:00:05,040 --> 00:00:07,000
            Two
            """
        #expect(
            try TitleSubtitles.titles(of: bytes(srt), .srt)
                == [
                    TimedTitle(start: 1, end: 3, text: "Eins\nOne"),
                    TimedTitle(start: 5, end: 7, text: "Zwei\nTwo"),
                ])
    }

    @Test func characterReferencesAndLineBreaksOfOtherProgramsAreRead() throws {
        let srt =
            "1\n00:00:01,000 --> 00:00:02,000\nL&#39;amour &amp;amp;\\N&quot;d&eacute;j&agrave;&quot; &x; &\\hAT&T;\n"
        #expect(
            try TitleSubtitles.titles(of: bytes(srt), .srt)[0].text == "L'amour &amp;\n\"déjà\" &x; & AT&T;")
    }

    @Test func webVTTSaysSoInItsFirstLine() {
        #expect(
            fault { _ = try TitleSubtitles.titles(of: bytes("1\n"), .webVTT) }
                == ExplainedError("The file does not begin with “WEBVTT”; if it is SubRip, name it .srt."))
    }

    @Test func anEmptyLineStandsBetweenTitlesOfAText() throws {
        let titles = try TitlePlainText.titles(of: bytes("One\ntwo\n\n\n-\n\nThree"))
        #expect(titles.map(\.firstText) == ["One\ntwo", "", "Three"])
        let text = TitlePlainText.text(of: try TitleList(titles), language: "")
        #expect(try TitlePlainText.titles(of: bytes(text)) == titles)
    }

    @Test func theNameOfAFileSaysItsFormat() {
        #expect(try! TitleFileFormat(fileName: "opera.act.SRT") == .srt)
        #expect(
            fault { _ = try TitleFileFormat(fileName: "opera.doc") }
                == ExplainedError(
                    "“opera.doc” is no format for titles; the formats are csv, srt, vtt, txt "
                        + "and xml, and to write also pdf."))
        #expect(
            fault { _ = try TitleFileFormat(fileName: "csv") }
                == ExplainedError(
                    "“csv” is no format for titles; the formats are csv, srt, vtt, txt and "
                        + "xml, and to write also pdf."))
    }

    /// Files cut at each byte and files with random bytes are read or refused, and what is read can be written.
    @Test func brokenFilesAreReadOrRefusedAndNeverStopTheProgram() throws {
        let files = [
            bytes(TitleSheet.csv(of: full)), bytes(TitleSubtitles.file(of: timed, .srt)),
            bytes(TitleSubtitles.file(of: timed, .webVTT)),
        ]
        var chance = SeededRandomGenerator(seed: 1)
        var (read, refused) = (0, 0)
        func attempt(_ broken: [UInt8]) {
            for format in TitleFileFormat.allCases {
                do {
                    switch format {
                    case .csv:
                        let titles = try TitleSheet.titles(of: broken)
                        if let list = try? TitleList(titles) { _ = TitleSheet.csv(of: list) }
                    case .srt: _ = TitleSubtitles.file(of: try TitleSubtitles.titles(of: broken, .srt), .srt)
                    case .vtt:
                        _ = TitleSubtitles.file(of: try TitleSubtitles.titles(of: broken, .webVTT), .webVTT)
                    case .txt: _ = try TitlePlainText.titles(of: broken)
                    }
                    read += 1
                } catch { refused += 1 }
            }
        }
        for file in files {
            for end in 0...file.count { attempt(Array(file[..<end])) }
            for _ in 0..<500 {
                var broken = file
                for _ in 0..<3 {
                    broken[Int.random(in: broken.indices, using: &chance)] = UInt8.random(
                        in: 0...255, using: &chance)
                }
                attempt(broken)
            }
        }
        #expect(read > 500 && refused > 500)
    }
}
