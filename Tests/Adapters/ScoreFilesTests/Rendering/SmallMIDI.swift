import ScoreFiles

/// Builds Standard MIDI Files byte by byte for the tests.
enum SmallMIDI {
    static func file(format: Int = 0, division: Int = 480, tracks: [[UInt8]]) -> [UInt8] {
        Array("MThd".utf8) + number(6, 4) + number(format, 2) + number(tracks.count, 2) + number(division, 2)
            + tracks.flatMap { Array("MTrk".utf8) + number($0.count, 4) + $0 }
    }

    static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }

    static let endOfTrack: [UInt8] = [0, 0xFF, 0x2F, 0]

    /// Name, 3/4, 100 quarters a minute, program 40, and a note by running status: middle C for 480 ticks.
    static let waltz = file(tracks: [
        [0, 0xFF, 0x03, 2] + Array("Vn".utf8) + [0, 0xFF, 0x58, 4, 3, 2, 24, 8]
            + [0, 0xFF, 0x51, 3, 0x09, 0x27, 0xC0] + [0, 0xC0, 40] + [0, 0x90, 60, 80, 0x83, 0x60, 60, 0]
            + endOfTrack
    ])

    /// Measures of four quarters, one note at the head of each, in one named track.
    static func march(measures count: Int, tempo: Int = 500_000, part: String = "Flute") -> NotatedMusic {
        let events = (0..<count).flatMap { measure in
            [
                MIDIEvent(
                    tick: measure * 1_920, message: .noteOn(channel: 0, key: 60, velocity: 80)),
                MIDIEvent(tick: measure * 1_920 + 480, message: .noteOff(channel: 0, key: 60)),
            ]
        }
        return NotatedMusic(
            sequence: MIDISequence(
                ticksPerQuarter: 480,
                tracks: [
                    MIDITrack(
                        events: [MIDIEvent(tick: 0, message: .tempoChange(microsecondsPerQuarter: tempo))],
                        endTick: 0),
                    MIDITrack(name: part, events: events, endTick: count * 1_920),
                ]),
            playedMeasures: (0..<count).map { NotatedMeasure(printedNumber: $0 + 1, startTick: $0 * 1_920) },
            endTick: count * 1_920, mayReassignChannels: true)
    }
}
