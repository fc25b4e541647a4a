import Testing

@testable import ScoreFiles

@Suite struct MIDIRehearsalMarksTests {
    /// Four bars of 3/4 at 480 ticks a quarter, and these meta events in a track of their own.
    private func marks(_ events: [(delta: Int, kind: UInt8, text: [UInt8])]) throws -> [MIDIRehearsalMarks
        .Mark]
    {
        let music: [UInt8] =
            [0, 0xFF, 0x58, 4, 3, 2, 24, 8, 0, 0x90, 60, 80] + [0xAC, 0x60, 0x80, 60, 0]
            + SmallMIDI.endOfTrack
        var named: [UInt8] = []
        for event in events {
            named += [UInt8(0x80 | event.delta >> 7), UInt8(event.delta & 0x7F), 0xFF, event.kind]
            named += [UInt8(event.text.count)] + event.text
        }
        let file = SmallMIDI.file(format: 1, tracks: [music, named + SmallMIDI.endOfTrack])
        return try MIDIRehearsalMarks.find(in: try MIDIFileReader.read(file), longestLabel: 32)
    }

    @Test func markersAndCuePointsAreMarksAtTheirMeasures() throws {
        let found = try marks([
            (0, 0x06, Array("A".utf8)), (1_440, 0x06, Array(" B  slow\n".utf8)),
            (1_500, 0x07, Array("C".utf8)),
        ])
        #expect(
            found == [
                .init(label: "A", measure: 1), .init(label: "B slow", measure: 2),
                .init(label: "C", measure: 3),
            ])
    }

    @Test func aMarkerJustBeforeABarLineBelongsBehindIt() throws {
        #expect(try marks([(1_440 - 60, 0x06, Array("A".utf8))]).map(\.measure) == [2])
        #expect(try marks([(1_440 - 61, 0x06, Array("A".utf8))]).map(\.measure) == [1])
    }

    @Test func whatIsNoMarkIsLeftOutAndDoublesCountOnce() throws {
        let found = try marks([
            (0, 0x06, Array("—".utf8)), (0, 0x06, []), (10, 0x06, Array("A".utf8)),
            (0, 0x07, Array("A".utf8)),
            (9_000, 0x06, Array("behind the end".utf8)),
        ])
        #expect(found == [.init(label: "A", measure: 1)])
    }

    @Test func longLabelsAreCutAndLatinLettersRead() throws {
        let found = try marks([(0, 0x06, [0xDC] + Array(repeating: UInt8(ascii: "x"), count: 90))])
        #expect(found.map(\.label) == ["Ü" + String(repeating: "x", count: 31)])
    }
}
