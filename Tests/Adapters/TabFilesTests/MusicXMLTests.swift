import Basics
import Tablature
import Testing

@testable import TabFiles

@Suite struct MusicXMLTests {
    private func read(_ measures: String, header: String = "") throws -> TabReading {
        let text = """
            <?xml version="1.0"?>
            <!DOCTYPE score-partwise PUBLIC "-//Recordare//DTD MusicXML 4.0 Partwise//EN" "http://x/partwise.dtd">
            <score-partwise><part-list><score-part id="P1"><part-name>Lute</part-name>\(header)</score-part></part-list>
            <part id="P1">\(measures)</part></score-partwise>
            """
        return try MusicXMLReader.read(Array(text.utf8), name: "test.xml")
    }

    private func note(_ step: String, _ octave: Int, _ duration: Int, _ more: String = "") -> String {
        "<note><pitch><step>\(step)</step><octave>\(octave)</octave></pitch><duration>\(duration)</duration>\(more)</note>"
    }

    @Test func voicesAndBackupsGiveOnsets() throws {
        let measure = """
            <measure number="1"><attributes><divisions>2</divisions></attributes>
            \(note("C", 5, 4, "<voice>1</voice>"))\(note("D", 5, 4, "<voice>1</voice>"))
            <backup><duration>6</duration></backup>\(note("E", 4, 1, "<voice>2</voice>"))</measure>
            """
        let notes = try read(measure).tab.struckNotes
        #expect(notes.map(\.onset.text) == ["0", "1", "2"])
        #expect(notes.map(\.pitch) == [72, 64, 74])
        #expect(notes.map(\.length.text) == ["2", "1/2", "2"])
    }

    @Test(arguments: ["", "<staff-type>alternate</staff-type>"])
    func tablatureThatRepeatsItsStaffIsReadOnce(kind: String) throws {
        func staff(_ number: Int, _ places: [String]) -> String {
            zip([("C", 4), ("E", 4), ("G", 4), ("C", 5)], places).map { note, place in
                "<note><pitch><step>\(note.0)</step><octave>\(note.1)</octave></pitch><duration>1</duration>"
                    + "<voice>\(4 * number - 3)</voice><staff>\(number)</staff>\(place)</note>"
            }.joined()
        }
        let places = [(2, 1), (1, 0), (1, 3), (1, 8)].map {
            "<notations><technical><string>\($0.0)</string><fret>\($0.1)</fret></technical></notations>"
        }
        let reading = try read(
            "<measure number=\"1\"><attributes><divisions>1</divisions><staves>2</staves>"
                + "<clef number=\"1\"><sign>G</sign></clef><clef number=\"2\"><sign>TAB</sign></clef>"
                + "<staff-details number=\"2\">\(kind)</staff-details></attributes>"
                + staff(1, ["", "", "", ""]) + "<backup><duration>4</duration></backup>" + staff(2, places)
                + "</measure>")
        let notes = reading.tab.struckNotes
        #expect(notes.map(\.string) == [2, 1, 1, 1] && notes.map(\.fret) == [1, 0, 3, 8])
        #expect(reading.tab.tracks[0].strings == Tuning.guitar && reading.tab.tracks[0].moreStaves.isEmpty)
        #expect(reading.remarks.contains { $0.contains("repeats the notes of its other staff") })
    }

    @Test func notesOfAChordHaveTheirOwnLengths() throws {
        let chord = { (step: String, length: Int) in
            "<note><chord/><pitch><step>\(step)</step><octave>4</octave></pitch><duration>\(length)</duration></note>"
        }
        let measure = """
            <measure><attributes><divisions>1</divisions></attributes>\(note("C", 4, 2))\(chord("E", 4))\(chord("G", 1))
            \(note("D", 4, 2))</measure>
            """
        let notes = try read(measure).tab.struckNotes.sorted { ($0.onset, $0.pitch) < ($1.onset, $1.pitch) }
        #expect(notes.map(\.pitch) == [60, 64, 67, 62])
        #expect(notes.map(\.length.text) == ["2", "4", "1", "2"])
    }

    @Test func aTieJoinsNotesOfTwoStaves() throws {
        let parts = """
            <measure><attributes><divisions>1</divisions><staves>2</staves></attributes>
            \(note("C", 4, 4, "<tie type='start'/><voice>1</voice><staff>1</staff>"))</measure>
            <measure>\(note("C", 4, 4, "<tie type='stop'/><voice>5</voice><staff>2</staff>"))</measure>
            """
        #expect(try read(parts).tab.struckNotes.map(\.length.text) == ["8"])
    }

    @Test func aTranspositionOfAllStavesReplacesThatOfOne() throws {
        let measures = """
            <measure><attributes><divisions>1</divisions><transpose number="1"><chromatic>-2</chromatic></transpose>
            </attributes>\(note("C", 4, 4))</measure>
            <measure><attributes><transpose><chromatic>-9</chromatic><octave-change>1</octave-change></transpose>
            </attributes>\(note("C", 4, 4))</measure>
            """
        #expect(try read(measures).tab.struckNotes.map(\.pitch) == [58, 63])
    }

    @Test func aContainerNamesItsScoresAndNotItsPictures() throws {
        let text = """
            <container><rootfiles><rootfile full-path="a.pdf" media-type="application/pdf"/>
            <rootfile full-path="/b.musicxml" media-type="application/vnd.recordare.musicxml+xml"/>
            <rootfile full-path="c.xml"/></rootfiles></container>
            """
        #expect(
            try MusicXMLContainer.scorePaths(Array(text.utf8), name: "x.mxl") == ["/b.musicxml", "c.xml"])
    }

    @Test func tiesJoinAndDrawnTiesDoNot() throws {
        let tied = """
            <measure><attributes><divisions>1</divisions></attributes>\(note("C", 4, 4, "<tie type='start'/>"))</measure>
            <measure>\(note("C", 4, 1, "<tie type='stop'/>"))\(note("C", 4, 3, "<notations><tied type='stop'/></notations>"))</measure>
            """
        #expect(try read(tied).tab.struckNotes.map(\.length.text) == ["5", "3"])
    }

    @Test func stringsOfTheFileCountAndChordsGetStringsOfTheirOwn() throws {
        let details = """
            <staff-details><staff-lines>4</staff-lines>
            <staff-tuning line="1"><tuning-step>G</tuning-step><tuning-octave>3</tuning-octave></staff-tuning>
            <staff-tuning line="2"><tuning-step>D</tuning-step><tuning-octave>4</tuning-octave></staff-tuning>
            <staff-tuning line="3"><tuning-step>A</tuning-step><tuning-octave>4</tuning-octave></staff-tuning>
            <staff-tuning line="4"><tuning-step>E</tuning-step><tuning-octave>5</tuning-octave></staff-tuning>
            </staff-details>
            """
        let place = "<notations><technical><fret>5</fret><string>4</string></technical></notations>"
        let tab = try read(
            "<measure><attributes><divisions>1</divisions>\(details)</attributes>\(note("C", 4, 1, place))"
                + "<note><chord/><pitch><step>E</step><octave>4</octave></pitch><duration>1</duration></note></measure>"
        ).tab
        #expect(tab.tracks[0].strings == [76, 69, 62, 55])
        #expect(tab.struckNotes.map(\.string) == [4, 3])
        #expect(tab.struckNotes.map(\.fret) == [5, 2])
    }

    @Test func repeatsEndingsAndPickupsAreKept() throws {
        let tab = try read(
            """
            <measure implicit="yes"><attributes><divisions>1</divisions></attributes>\(note("G", 4, 1))</measure>
            <measure><barline location="left"><repeat direction="forward"/></barline>\(note("C", 4, 4))</measure>
            <measure><barline location="left"><ending number="1, 2" type="start"/></barline>\(note("C", 4, 4))
            <barline location="right"><ending number="1, 2" type="stop"/><repeat direction="backward" times="3"/></barline>
            </measure>
            """
        ).tab
        #expect(tab.bars.map(\.length) == [Fraction(1), nil, nil])
        #expect(tab.bars[1].repeatStart && tab.bars[2].repeats == 2 && tab.bars[2].endings == [1, 2])
    }

    @Test func theLastMeasureEndsWithItsLastNoteOrRest() throws {
        let fill = "<forward><duration>1</duration></forward>"
        let heading = "<attributes><divisions>1</divisions></attributes>"
        let upbeat = "<measure implicit='yes'>\(heading)\(note("G", 4, 1))</measure>"
        let whole = "<measure>\(note("C", 4, 3))\(fill)</measure>"
        let tab = try read(upbeat + whole + whole).tab
        #expect(tab.bars.map(\.length) == [Fraction(1), nil, Fraction(3)])
        let rest = "<note><rest/><duration>1</duration></note>"
        #expect(
            try read(upbeat + "<measure>\(note("C", 4, 3))\(rest)</measure>").tab.bars.map(\.length)
                == [Fraction(1), nil])
        #expect(
            try read(upbeat + "<measure>\(fill)\(fill)\(fill)\(fill)</measure>").tab.bars.map(\.length)
                == [Fraction(1), nil])
    }

    @Test func whatIsNotUnderstoodIsNamed() throws {
        let odd = note("C", 4, 4, "<notations><technical><heel/></technical></notations>")
        let reading = try read(
            "<measure><attributes><divisions>1</divisions></attributes>\(odd)<gong/></measure>")
        #expect(reading.remarks.joined().contains("technical heel"))
        #expect(reading.remarks.joined().contains("gong"))
    }

    @Test(arguments: [
        "", "x", "<score-partwise>", "<a/>",
        "<!DOCTYPE a [<!ENTITY b 'c'>]><score-partwise>&b;</score-partwise>",
        "<score-partwise><part><measure></part></score-partwise>", "<?xml", "<!--", "<![CDATA[",
        String(repeating: "<a>", count: 5_000),
        "<score-partwise" + (0...200).map { " a\($0)='>'" }.joined() + "/>",
    ])
    func brokenXMLIsRefusedWithASentence(_ text: String) {
        #expect(throws: ExplainedError.self) { try MusicXMLReader.read(Array(text.utf8), name: "bad.xml") }
    }

    @Test func whatIsWrittenIsReadBack() throws {
        let tab = try TabSamples.rich
        let (text, _) = MusicXMLWriter.write(tab)
        let back = try MusicXMLReader.read(Array(text.utf8), name: "back.xml").tab
        #expect(back.struckNotes.map(TabSamples.fields) == tab.struckNotes.map(TabSamples.fields))
        #expect(back.bars.map(\.repeats) == tab.bars.map(\.repeats))
        #expect(back.bars.map(\.endings) == tab.bars.map(\.endings))
        #expect(back.tracks[0].strings == tab.tracks[0].strings)
    }

    @Test func numbersThatNoFileMeansAreTakenForMissing() throws {
        let least = "-9223372036854775808"
        let measure = """
            <measure><attributes><divisions>\(least)</divisions><staves>\(least)</staves></attributes>
            \(note("C", 4, 1, "<notations><technical><string>\(least)</string></technical></notations>"))
            <harmony><root><root-step>C</root-step><root-alter>1e30</root-alter></root></harmony>
            <barline><repeat direction="backward" times="\(least)"/></barline></measure>
            """
        let tab = try read(measure).tab
        #expect(tab.struckNotes.count == 1)
    }
}
