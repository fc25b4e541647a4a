import Basics
import Foundation
import Platform
import TabFiles
import Tablature
import Testing

@testable import Practice

@Suite struct TabExchangeTests {
    private let exchange = TabExchange()

    /// A bar of quarters, and one of a half, a triplet and a tie over the bar line.
    private var tab: Tab {
        get throws {
            let json = """
                {"format": "baton-tab", "version": 1, "tempo": 90, "bars": [{}, {"time": [3, 4]}, {}],
                 "tracks": [{"strings": [64, 59, 55, 50, 45, 40], "bars": [
                  {"voices": [{"beats": [{"notes": [{"string": 1, "fret": 3}]}, {"notes": [{"string": 2, "fret": 1}]},
                    {}, {"notes": [{"string": 3, "fret": 0}, {"string": 4, "fret": 2}]}]}]},
                  {"voices": [{"beats": [{"value": "1/8", "tuplet": [3, 2], "notes": [{"string": 1, "fret": 0}]},
                    {"value": "1/8", "tuplet": [3, 2], "notes": [{"string": 1, "fret": 1}]},
                    {"value": "1/8", "tuplet": [3, 2], "notes": [{"string": 1, "fret": 3}]},
                    {"value": "1/2", "notes": [{"string": 5, "fret": 3}]}]}]},
                  {"voices": [{"beats": [{"value": "1/2", "dots": 1, "notes": [{"string": 5, "fret": 3, "tie": true}]}]}]}
                 ]}]}
                """
            return try TabJSON.read(Array(json.utf8), name: "tab.json")
        }
    }

    private func fields(_ tab: Tab) -> [String] {
        tab.struckNotes.map { "\($0.bar) \($0.onset.text) \($0.pitch) \($0.length.text)" }
    }

    @Test func thePageGetsBarsWithSimileMarksWrittenOut() async throws {
        let gpif = """
            <GPIF><Score/><MasterTrack/><Tracks><Track id="0"><Staves><Staff><Properties><Property name="Tuning">
            <Pitches>40 45 50 55 59 64</Pitches></Property></Properties></Staff></Staves></Track></Tracks>
            <MasterBars><MasterBar><Time>4/4</Time><Bars>0</Bars></MasterBar><MasterBar><Bars>1</Bars></MasterBar>
            </MasterBars><Bars><Bar id="0"><Voices>0</Voices></Bar>
            <Bar id="1"><Voices>1</Voices><SimileMark>Simple</SimileMark></Bar></Bars>
            <Voices><Voice id="0"><Beats>0</Beats></Voice><Voice id="1"><Beats>1</Beats></Voice></Voices>
            <Beats><Beat id="0"><Rhythm ref="0"/><Notes>0</Notes></Beat><Beat id="1"><Rhythm ref="0"/></Beat></Beats>
            <Notes><Note id="0"><Properties><Property name="String"><String>5</String></Property>
            <Property name="Fret"><Fret>7</Fret></Property></Properties></Note></Notes>
            <Rhythms><Rhythm id="0"><NoteValue>Whole</NoteValue></Rhythm></Rhythms></GPIF>
            """
        let read = try GPIFReader.read(Array(gpif.utf8), name: "a.gp")
        #expect(fields(read.tab) == ["1 0 71 4"], "the file itself has one note")
        let path = NSTemporaryDirectory() + "baton-\(UUID()).gp"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = try ZipWriter(path: path)
        try file.addFile("Content/score.gpif", Array(gpif.utf8), packs: true)
        try file.finish()
        let page = try await TabExchangeConverter().convert(
            [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))), fileName: "a.gp", to: "json")
        #expect(fields(try TabJSON.read(page.bytes, name: "a.json")) == ["1 0 71 4", "2 0 71 4"])
        #expect(page.remarks.contains { $0.contains("simile mark") })
    }

    @Test(arguments: TabFormat.allCases.filter(\.isWritten))
    func everyFormatThatIsWrittenIsReadBackWithTheSameNotes(_ format: TabFormat) async throws {
        let tab = try tab
        let written = try exchange.write(tab, as: format)
        let back = try await exchange.read(written.bytes, as: format, name: "tab.\(format.rawValue)").tab
        #expect(fields(back).sorted() == fields(tab).sorted())
    }

    @Test func notesAreListedAsFractions() throws {
        let text = TabNoteText.json(try tab.struckNotes)
        #expect(
            text.contains(
                "{\"track\": 1, \"bar\": 2, \"onset\": \"1/3\", \"string\": 1, \"fret\": 1, \"pitch\": 65, \"length\": \"1/3\"}"
            ))
        #expect(
            text.contains("\"onset\": \"1\", \"string\": 5, \"fret\": 3, \"pitch\": 48, \"length\": \"5\""))
    }

    @Test(arguments: TabFormat.allCases)
    func rubbishIsRefusedWithASentence(_ format: TabFormat) async {
        for bytes in [
            [], [0], Array("PK\u{3}\u{4}rubbish".utf8), Array("MThd".utf8), Array("BCFZ".utf8),
            Array("BCFS".utf8),
        ] {
            await #expect(throws: ExplainedError.self) {
                _ = try await exchange.read(bytes, as: format, name: "bad.\(format.rawValue)")
            }
        }
    }

    @Test func cutAndChangedFilesAreReadOrRefused() async throws {
        for format in TabFormat.allCases.filter(\.isWritten) {
            let bytes = try exchange.write(try tab, as: format).bytes
            for cut in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 40)) {
                _ = try? await exchange.read(Array(bytes[..<cut]), as: format, name: "cut")
                var changed = bytes
                changed[cut] ^= UInt8(1 << (cut % 8))
                _ = try? await exchange.read(changed, as: format, name: "changed")
            }
        }
    }

    /// Every key of every channel is held through 9,000 bars: 2,048 notes that would become 18 million.
    @Test func aSmallMIDIFileThatWouldBecomeHugeIsRefused() async {
        var track: [UInt8] = []
        for channel in UInt8(0)..<16 {
            for key in UInt8(0)..<128 { track += [0, 0x90 | channel, key, 64] }
        }
        track += [0x81, 0xD2, 0xE2, 0x00, 0xFF, 0x2F, 0x00]
        let count = UInt32(track.count)
        let header = Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0, 96] + Array("MTrk".utf8)
        let length = (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * UInt32($0))) }
        let bytes = header + length + track
        await #expect(throws: ExplainedError.self) {
            _ = try await exchange.read(bytes, as: .midi, name: "held.mid")
        }
    }

    @Test func anEndingNamesTheFormat() throws {
        #expect(try TabFormat(fileName: "a/b.GP4") == .guitarPro5)
        #expect(try TabFormat(fileName: "x.xml") == .musicXML)
        #expect(throws: ExplainedError.self) { try TabFormat(fileName: "x") }
    }
}
