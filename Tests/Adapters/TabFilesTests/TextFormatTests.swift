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
        #expect(throws: TabFileError.self) { try ASCIITabReader.read(bytes, name: "x.txt") }
        #expect(throws: TabFileError.self) { try TabPropertyList.read(bytes, name: "x.plist") }
        #expect(throws: TabFileError.self) { try TabJSON.read(bytes, name: "x.json") }
    }
}
