import Tablature
import Testing

@testable import TabFiles

/// A score of Guitar Pro 7, made here: a banjo with a capo, and a drum kit.
@Suite struct GPIFTests {
    private static func property(_ name: String, _ content: String) -> String {
        "<Property name=\"\(name)\">\(content)</Property>"
    }

    /// A note on a string, counted from the lowest, 0 first.
    private static func note(_ id: Int, string: Int, fret: Int, _ more: String = "") -> String {
        "<Note id=\"\(id)\">\(more)<Properties>\(property("String", "<String>\(string)</String>"))"
            + "\(property("Fret", "<Fret>\(fret)</Fret>"))</Properties></Note>"
    }

    private static func beat(_ id: Int, rhythm: Int, notes: String, _ more: String = "") -> String {
        "<Beat id=\"\(id)\">\(more)<Rhythm ref=\"\(rhythm)\"/><Notes>\(notes)</Notes></Beat>"
    }

    static let score = """
        <?xml version="1.0"?><GPIF><Score><Title>Made</Title></Score>
        <MasterTrack><Automations><Automation><Type>Tempo</Type><Bar>0</Bar><Position>0</Position>
        <Value>90 2</Value></Automation></Automations></MasterTrack>
        <Tracks><Track id="0"><Name>Banjo</Name><Staves><Staff><Properties>
        \(property("Tuning", "<Pitches>67 50 55 59 62</Pitches>"))\(property("CapoFret", "<Fret>2</Fret>"))
        </Properties></Staff></Staves></Track>
        <Track id="1"><Name>Drums</Name><InstrumentSet><Type>drumKit</Type><Elements><Element><Articulations>
        <Articulation><OutputMidiNumber>36</OutputMidiNumber></Articulation>
        <Articulation><OutputMidiNumber>42</OutputMidiNumber></Articulation>
        </Articulations></Element></Elements></InstrumentSet><Staves><Staff><Properties/></Staff></Staves></Track></Tracks>
        <MasterBars><MasterBar><Time>4/4</Time><Bars>0 1</Bars></MasterBar>
        <MasterBar><Time>7/8</Time><Bars>2 3</Bars></MasterBar></MasterBars>
        <Bars><Bar id="0"><Voices>0 1 -1 -1</Voices></Bar><Bar id="1"><Voices>2 -1 -1 -1</Voices></Bar>
        <Bar id="2"><Voices>3 -1 -1 -1</Voices></Bar><Bar id="3"><Voices>-1 -1 -1 -1</Voices></Bar></Bars>
        <Voices><Voice id="0"><Beats>0 0 1 2</Beats></Voice><Voice id="1"><Beats>3</Beats></Voice>
        <Voice id="2"><Beats>4</Beats></Voice><Voice id="3"><Beats>5 6</Beats></Voice></Voices>
        <Beats>\(beat(0, rhythm: 0, notes: "0"))\(beat(1, rhythm: 1, notes: "1"))\(beat(2, rhythm: 2, notes: "2"))
        \(beat(3, rhythm: 3, notes: "3"))\(beat(4, rhythm: 3, notes: "4"))\(beat(5, rhythm: 4, notes: "5"))
        \(beat(6, rhythm: 0, notes: "6", "<GraceNotes>BeforeBeat</GraceNotes>"))</Beats>
        <Notes>\(note(0, string: 4, fret: 0))\(note(1, string: 0, fret: 5))
        \(note(2, string: 3, fret: 1, "<Tie origin=\"true\" destination=\"false\"/>"))\(note(3, string: 1, fret: 0))
        <Note id="4"><InstrumentArticulation>1</InstrumentArticulation></Note>
        \(note(5, string: 3, fret: 1, "<Tie origin=\"false\" destination=\"true\"/>"))\(note(6, string: 2, fret: 3))</Notes>
        <Rhythms><Rhythm id="0"><NoteValue>Eighth</NoteValue><PrimaryTuplet num="3" den="2"/>
        <SecondaryTuplet num="5" den="4"/></Rhythm>
        <Rhythm id="1"><NoteValue>Quarter</NoteValue><AugmentationDot count="2"/></Rhythm>
        <Rhythm id="2"><NoteValue>16th</NoteValue></Rhythm><Rhythm id="3"><NoteValue>Whole</NoteValue></Rhythm>
        <Rhythm id="4"><NoteValue>Eighth</NoteValue></Rhythm></Rhythms></GPIF>
        """

    @Test func lengthsStringsTiesAndDrumsAreRead() throws {
        let tab = try GPIFReader.read(Array(Self.score.utf8), name: "made.gp").tab
        #expect(tab.title == "Made")
        #expect(tab.tempo == 90)
        #expect(tab.tracks[0].strings == [62, 59, 55, 50, 67])
        let banjo = tab.struckNotes.filter { $0.track == 1 }
        // A quintuplet in a triplet, a doubly dotted quarter, and a tie over the bar line; the capo sounds.
        let first = banjo.filter { $0.bar == 1 && $0.voice == 0 }
        #expect(first.map(\.onset.text) == ["0", "4/15", "8/15", "137/60"])
        #expect(first.map(\.length.text) == ["4/15", "4/15", "7/4", "3/4"])
        #expect(first.map(\.pitch) == [64, 64, 74, 62])
        #expect(first.map(\.string) == [1, 1, 5, 2])
        #expect(banjo.filter { $0.voice == 1 }.map(\.pitch) == [52])
        let grace = banjo.filter { $0.bar == 2 }
        #expect(grace.map(\.onset.text) == ["1/2"])
        #expect(grace.map(\.length.text) == ["0"])
        let drums = tab.struckNotes.filter { $0.track == 2 }
        #expect(drums.map(\.pitch) == [42])
        #expect(drums.map(\.length.text) == ["4"])
    }

    /// The number of a track is not its place: a track that was moved keeps it.
    @Test func barsBelongToTheTracksInTheOrderOfTheMasterTrack() throws {
        let moved = Self.score.replacing("<MasterTrack>", with: "<MasterTrack><Tracks>1 0</Tracks>")
            .replacing("<Bars>0 1</Bars>", with: "<Bars>1 0</Bars>")
            .replacing("<Bars>2 3</Bars>", with: "<Bars>3 2</Bars>")
        let tab = try GPIFReader.read(Array(moved.utf8), name: "made.gp").tab
        let plain = try GPIFReader.read(Array(Self.score.utf8), name: "made.gp").tab
        #expect(tab.tracks.map(\.name) == ["Drums", "Banjo"])
        #expect(tab.tracks[1].bars == plain.tracks[0].bars && tab.tracks[0].bars == plain.tracks[1].bars)
        let unknown = Self.score.replacing("<MasterTrack>", with: "<MasterTrack><Tracks>7 0</Tracks>")
        #expect(try GPIFReader.read(Array(unknown.utf8), name: "made.gp").tab == plain)
    }

    @Test func fermatasStandOnTheBeatsAtTheirQuarter() throws {
        let held = Self.score.replacing(
            "<Bars>0 1</Bars>",
            with: """
                <Fermatas><Fermata><Type>Short</Type><Offset>8/15</Offset></Fermata>
                <Fermata><Type>Long</Type><Offset>9/1</Offset></Fermata></Fermatas><Bars>0 1</Bars>
                """)
        let tab = try GPIFReader.read(Array(held.utf8), name: "made.gp").tab
        let voices = tab.tracks[0].bars[0].voices
        #expect(voices[0].beats.map(\.play.fermata) == [false, false, true, false])
        #expect(voices[1].beats.map(\.play.fermata) == [false])
        #expect(tab.bars[0].kept.map(\.value) == ["Short at 8/15 quarters", "Long at 9/1 quarters"])
    }

    @Test func aScoreThatIsCutAnywhereIsReadOrRefusedWithASentence() {
        let bytes = Array(Self.score.utf8)
        for end in stride(from: 0, to: bytes.count, by: 97) {
            do { _ = try GPIFReader.read(Array(bytes[..<end]), name: "made.gp") } catch {
                #expect(error.sentence.contains("made.gp"))
            }
        }
    }

    @Test func numbersThatLeadNowhereAreLeftOut() throws {
        let text = Self.score.replacing("<Voices>0 1 -1 -1</Voices>", with: "<Voices>99 x -7</Voices>")
            .replacing("<Bars>2 3</Bars>", with: "<Bars>2 99999999999999999999 4</Bars>")
        let tab = try GPIFReader.read(Array(text.utf8), name: "made.gp").tab
        #expect(tab.bars.count == 2)
        #expect(tab.struckNotes.contains { $0.track == 2 })
    }
}
