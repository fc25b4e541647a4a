import Basics
import Tablature
import Testing

@testable import TabFiles

@Suite struct TextFormatTests {
    @Test func asciiIsReadBackExactly() throws {
        let tab = try TabSamples.rich
        let (text, _) = ASCIITabWriter.write(tab)
        let back = try ASCIITabReader.read(Array(text.utf8), name: "tab.txt").tab
        #expect(back.struckNotes.map(TabSamples.fields) == tab.struckNotes.map(TabSamples.fields), "\(text)")
        #expect(back.bars == tab.bars)
        #expect(back.title == tab.title && back.tempo == tab.tempo)
    }

    @Test func aTabFromTheWebIsRead() throws {
        let text = """
            Smoke

            e|-----------------|-----------------|
            B|-----------------|-----------------|
            G|-----0---3---5---|-----0---3-6-5---|
            D|-5---0---3---5---|-5---0---3-6-5---|
            A|-5---------------|-5---------------|
            E|-----------------|-----------------|
            """
        let reading = try ASCIITabReader.read(Array(text.utf8), name: "tab.txt")
        let notes = reading.tab.struckNotes
        #expect(reading.tab.tracks[0].strings == Tuning.guitar)
        #expect(notes.filter { $0.bar == 1 }.map(\.onset.text) == ["0", "0", "1", "1", "2", "2", "3", "3"])
        #expect(notes.filter { $0.bar == 2 }.count == 10)
        #expect(notes[0].pitch == 55 && notes[0].string == 4)
        #expect(reading.remarks.contains { $0.contains("note values") })
    }

    // MARK: As people write them

    private static let arpeggio = [
        "e|-----0-------0-|", "B|---1-------1---|", "G|-0-------0-----|", "D|---------------|",
        "A|-3-------------|",
        "E|---------------|",
    ]

    private static let asIs = arpeggio.joined(separator: "\n")
    private static let spoilt: [String] = [
        "\u{FEFF}" + asIs, asIs.replacing("0-|\nB", with: "0-|  Repeat 4 times\nB"),
        "[tab]" + asIs + "[/tab]",
        asIs.replacing("A|-3-------------|", with: "A|-3-------------|   <-- let it ring here"),
        asIs.replacing("A|-3-------------|", with: "A|-3-------------| x2 (3 times 2)"),
        asIs.replacing("-", with: "–"), asIs.replacing("e|-----0-------0-|", with: "e|-----0-PM----0-|"),
        asIs.replacing("E|---------------|\n", with: "").replacing("\nE|---------------|", with: ""),
    ]

    @Test(arguments: spoilt.indices) func whatStandsBesideTheStringsChangesNoNote(index: Int) throws {
        let tab = try ASCIITabReader.read(Array(Self.spoilt[index].utf8), name: "tab.txt").tab
        let notes = tab.struckNotes
        #expect(tab.tracks.count == 1 && tab.tracks[0].strings == Tuning.guitar)
        #expect(notes.map(\.pitch) == [55, 48, 60, 64, 55, 60, 64])
        #expect(notes.map(\.string) == [3, 5, 2, 1, 3, 2, 1])
        #expect(
            notes.map(\.onset.text) == ["0", "0", "1/2", "1", "2", "5/2", "3"], "an even arpeggio stays even")
    }

    @Test func aStringThatIsNotThereIsAskedAbout() throws {
        let four = Self.arpeggio.prefix(4).joined(separator: "\n")
        let reading = try ASCIITabReader.read(Array(four.utf8), name: "tab.txt")
        #expect(reading.tab.tracks[0].strings == Tuning.guitar)
        #expect(reading.tab.struckNotes.map(\.pitch) == [55, 60, 64, 55, 60, 64])
        #expect(
            reading.remarks.contains { $0.contains("have the strings e B G D") && $0.contains("A and E") })
        let bass = ["G|--0--|", "D|--0--|", "A|--0--|", "E|--0--|"].joined(separator: "\n")
        #expect(
            try ASCIITabReader.read(Array(bass.utf8), name: "bass.txt").tab.tracks[0].strings == Tuning.bass)
    }

    @Test func denseRunsAndWordsBetweenFretsAreRead() throws {
        func notes(_ lines: [String]) throws -> [StruckNote] {
            try ASCIITabReader.read(Array(lines.joined(separator: "\n").utf8), name: "tab.txt").tab
                .struckNotes
        }
        let chugging = try notes([
            "e|-----------------|", "B|-----------------|", "G|-----------------|", "D|-----------------|",
            "A|-2222222222222222|", "E|-0000000000000000|",
        ])
        #expect(
            chugging.filter { $0.pitch == 47 }.count == 16 && chugging.filter { $0.pitch == 40 }.count == 16)
        let empty = ["D", "A", "E"].map { "\($0)|--------------------------|" }
        let run = try notes(
            [
                "e|--------------------------|", "B|-15b17r15p13-15b17r15p13--|",
                "G|--------------------------|",
            ] + empty)
        #expect(run.map(\.fret) == [15, 13, 15, 13] && run.allSatisfy { $0.string == 2 })
        let words = try notes(
            [
                "e|--------------------------|", "B|-5--full--5---------------|",
                "G|-----------7--w/bar-------|",
            ] + empty)
        #expect(words.map(\.pitch) == [64, 64, 62])
    }

    @Test(arguments: [
        ("Capo 2", [0, 0, 0, 0, 0, 0], 2), ("Capo on 2nd fret", [0, 0, 0, 0, 0, 0], 2),
        ("Capo: 2nd fret", [0, 0, 0, 0, 0, 0], 2),
        ("(capo III)", [0, 0, 0, 0, 0, 0], 3), ("No capo", [0, 0, 0, 0, 0, 0], 0),
        ("Tuning: Half step down (Eb Ab Db Gb Bb Eb)", [-1, -1, -1, -1, -1, -1], 0),
        ("Tuning: half step down", [-1, -1, -1, -1, -1, -1], 0),
        ("Tune down 1/2 step", [-1, -1, -1, -1, -1, -1], 0),
        ("Tuning: D A D G B E", [0, 0, 0, 0, 0, -2], 0), ("DADGBE", [0, 0, 0, 0, 0, -2], 0),
        ("Drop D", [0, 0, 0, 0, 0, -2], 0), ("Tuning: DADGAD", [-2, -2, 0, 0, 0, -2], 0),
        ("Tuning: standard", [0, 0, 0, 0, 0, 0], 0),
    ]) func capoAndTuningAreReadAsPeopleWriteThem(_ head: String, _ steps: [Int], _ capo: Int) throws {
        for body in [
            Self.asIs,
            Self.asIs.split(separator: "\n").map { String($0.dropFirst()) }.joined(separator: "\n"),
        ] {
            let tab = try ASCIITabReader.read(Array("\(head)\n\n\(body)".utf8), name: "tab.txt").tab
            #expect(tab.tracks[0].strings == zip(Tuning.guitar, steps).map { $0 + $1 }, "\(head)")
            #expect(tab.tracks[0].capo == capo, "\(head)")
            #expect(tab.title.isEmpty, "\(head)")
        }
    }

    @Test(arguments: ["Tempo: 96", "96 bpm", "BPM = 96", "q = 96", "♩ = 96"])
    func tempoAndMeterAreReadAsPeopleWriteThem(_ tempo: String) throws {
        for meter in ["3/4", "Time: 3/4", "3/4 time", "Time signature: 3/4"] {
            let reading = try ASCIITabReader.read(
                Array("Song\n\(tempo)\n\(meter)\n\(Self.asIs)".utf8), name: "tab.txt")
            #expect(reading.tab.tempo == 96 && reading.tab.bars[0].time == [3, 4])
            #expect(reading.tab.title == "Song")
            #expect(!reading.remarks.contains { $0.contains("120 is assumed") })
        }
    }

    @Test func stackedGuitarsSoundTogether() throws {
        let stacked = [
            "Guitar 1\n\(Self.asIs)\n\nGuitar 2\n\(Self.asIs)\n\nGuitar 1\n\(Self.asIs)\n\nGuitar 2\n\(Self.asIs)",
            "\(Self.asIs)\n\(Self.asIs)\n\n\(Self.asIs)\n\(Self.asIs)",
        ]
        for text in stacked {
            let tab = try ASCIITabReader.read(Array(text.utf8), name: "tab.txt").tab
            #expect(tab.tracks.map(\.bars.count) == [2, 2])
            #expect(tab.bars.count == 2)
        }
    }

    @Test func aPullOffIsWrittenAsOne() throws {
        let lines = ["e|-3p0-0h3-|"] + ["B", "G", "D", "A", "E"].map { "\($0)|---------|" }
        let tab = try ASCIITabReader.read(Array(lines.joined(separator: "\n").utf8), name: "tab.txt").tab
        let (xml, _) = MusicXMLWriter.write(tab)
        #expect(xml.contains("<pull-off") && xml.contains("<hammer-on"))
        let (text, _) = ASCIITabWriter.write(tab)
        #expect(text.contains("3p") && text.contains("0h"))
    }

    @Test func namesOfLinesGiveTheTuning() throws {
        let text = "D|--0--|\nA|--0--|\nF|--0--|\nC|--0--|\nG|--0--|\nC|-12--|"
        let tab = try ASCIITabReader.read(Array(text.utf8), name: "tab.txt").tab
        #expect(tab.tracks[0].strings == [62, 57, 53, 48, 43, 36])
        #expect(tab.struckNotes.compactMap(\.fret).max() == 12)
    }

    @Test func thePropertyListIsExact() throws {
        let tab = try TabSamples.rich
        let bytes = try TabPropertyList.write(tab)
        #expect(try TabPropertyList.read(bytes, name: "tab.plist") == tab)
        #expect(try TabJSON.read(try TabJSON.write(tab), name: "tab.json") == tab)
    }

    @Test(arguments: ["", "hello", "e|---", "{}", "[1]", "<plist><dict><key>a</key></dict></plist>", "nil"])
    func whatIsNoTabIsRefusedWithASentence(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(throws: ExplainedError.self) { try ASCIITabReader.read(bytes, name: "x.txt") }
        #expect(throws: ExplainedError.self) { try TabPropertyList.read(bytes, name: "x.plist") }
        #expect(throws: ExplainedError.self) { try TabJSON.read(bytes, name: "x.json") }
    }
}
