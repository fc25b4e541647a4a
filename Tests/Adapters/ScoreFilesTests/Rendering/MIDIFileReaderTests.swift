import Basics
import Testing

@testable import ScoreFiles

@Suite struct MIDIFileReaderTests {
    @Test func runningStatusAndMetaEventsAreRead() throws {
        let sequence = try MIDIFileReader.read(SmallMIDI.waltz)
        #expect(sequence.ticksPerQuarter == 480)
        let track = try #require(sequence.tracks.first)
        #expect(track.name == "Vn")
        #expect(track.endTick == 480)
        #expect(
            track.events == [
                MIDIEvent(tick: 0, message: .timeSignature(beats: 3, beatUnit: 4)),
                MIDIEvent(tick: 0, message: .tempoChange(microsecondsPerQuarter: 600_000)),
                MIDIEvent(tick: 0, message: .programChange(channel: 0, number: 40)),
                MIDIEvent(tick: 0, message: .noteOn(channel: 0, key: 60, velocity: 80)),
                MIDIEvent(tick: 480, message: .noteOff(channel: 0, key: 60)),
            ])
    }

    @Test func everyTruncationIsRefused() {
        for length in 0..<SmallMIDI.waltz.count {
            #expect(throws: ExplainedError.self) {
                try MIDIFileReader.read(Array(SmallMIDI.waltz.prefix(length)))
            }
        }
    }

    @Test func noSingleChangedByteDoesHarm() {
        for index in SmallMIDI.waltz.indices {
            for value in [0x00, 0x7F, 0x80, 0xF0, 0xFF] as [UInt8] {
                var bytes = SmallMIDI.waltz
                bytes[index] = value
                if let sequence = try? MIDIFileReader.read(bytes) {
                    _ = try? MIDIMeasureFinder.findMeasures(of: sequence)
                }
            }
        }
    }

    /// What every player plays.
    @Test func wrongLengthsAndCountsAndOtherContainersAreRead() throws {
        let waltz = try MIDIFileReader.read(SmallMIDI.waltz).tracks
        let two = SmallMIDI.file(
            format: 1, tracks: [Array(SmallMIDI.waltz[22...]), Array(SmallMIDI.waltz[22...])])
        func changed(_ file: [UInt8], _ change: (inout [UInt8]) -> Void) throws -> MIDISequence {
            var bytes = file
            change(&bytes)
            return try MIDIFileReader.read(bytes)
        }
        let length = SmallMIDI.waltz.count - 22
        for wrong in [0, 1, length - 4, length - 1, length + 1, length + 9, length + 500, 0x7FFF_FFFF] {
            let number = SmallMIDI.number(wrong, 4)
            #expect(
                try changed(SmallMIDI.waltz) { $0.replaceSubrange(18..<22, with: number) }.tracks == waltz)
            #expect(try changed(two) { $0.replaceSubrange(18..<22, with: number) }.tracks == waltz + waltz)
        }
        let tooMany = try changed(two) { $0[11] = 5 }
        #expect(tooMany.tracks == waltz + waltz)
        #expect(tooMany.remarks == ["The MIDI file says that it has 5 tracks; all 2 that it has are read."])
        #expect(try changed(two) { $0[11] = 1 }.tracks == waltz + waltz)
        let riff =
            Array("RIFF".utf8) + [0, 0, 0, 0] + Array("RMIDdata".utf8) + [0, 0, 0, 0] + SmallMIDI.waltz
        #expect(try MIDIFileReader.read(riff).tracks == waltz)
    }

    @Test func aStatusGoesOnRunningAfterAMetaEvent() throws {
        let track: [UInt8] =
            [0, 0x90, 60, 80, 10, 0xFF, 0x06, 1, 65, 10, 60, 0, 0, 0xF8, 0, 62, 80] + SmallMIDI.endOfTrack
        let events = try MIDIFileReader.read(SmallMIDI.file(tracks: [track])).tracks[0].events
        #expect(
            events.map(\.message) == [
                .noteOn(channel: 0, key: 60, velocity: 80), .noteOff(channel: 0, key: 60),
                .noteOn(channel: 0, key: 62, velocity: 80),
            ])
        #expect(events.map(\.tick) == [0, 20, 20])
    }

    @Test func filmFramesAreRefusedByName() {
        let bytes = SmallMIDI.file(division: 0xE728, tracks: [SmallMIDI.endOfTrack])
        #expect(
            throws: ExplainedError(
                "it counts time in film frames (SMPTE); export it with ticks per quarter note instead")
        ) { try MIDIFileReader.read(bytes) }
    }

    @Test func formatTwoAndZeroDivisionAreRefused() {
        #expect(throws: ExplainedError("it is of format 2; formats 0 and 1 can be played")) {
            try MIDIFileReader.read(SmallMIDI.file(format: 2, tracks: [SmallMIDI.endOfTrack]))
        }
        #expect(throws: ExplainedError("it gives zero ticks to a quarter note")) {
            try MIDIFileReader.read(SmallMIDI.file(division: 0, tracks: [SmallMIDI.endOfTrack]))
        }
    }

    @Test func aTempoOfZeroAndAFiveByteNumberAreRefused() {
        #expect(throws: ExplainedError("the tempo at byte 26 is zero")) {
            try MIDIFileReader.read(SmallMIDI.file(tracks: [[0, 0xFF, 0x51, 3, 0, 0, 0]]))
        }
        #expect(throws: ExplainedError("the number at byte 22 is longer than four bytes")) {
            try MIDIFileReader.read(SmallMIDI.file(tracks: [[0x80, 0x80, 0x80, 0x80, 0x00, 0x90, 1, 1]]))
        }
    }

    @Test func whatIsWrittenIsReadBack() throws {
        let messages = [
            TimedMIDIMessage(seconds: 0, message: .programChange(channel: 3, number: 12)),
            TimedMIDIMessage(seconds: 0.5, message: .noteOn(channel: 3, key: 64, velocity: 90)),
            TimedMIDIMessage(seconds: 0.6, message: .pitchBend(channel: 3, low: 0, high: 64)),
            TimedMIDIMessage(seconds: 700, message: .noteOff(channel: 3, key: 64)),
        ]
        let sequence = try MIDIFileReader.read(MIDIFileWriter.makeFile(messages, end: .init(701)))
        let read = sequence.tracks[0].events.dropFirst()
        #expect(read.map(\.message) == messages.map(\.message))
        #expect(read.map(\.tick) == [0, 5_000, 6_000, 7_000_000])
        #expect(sequence.endTick == 7_010_000)
    }

    @Test func aKeyStruckAgainIsReleasedFirst() throws {
        let messages = [
            TimedMIDIMessage(seconds: 1, message: .noteOn(channel: 0, key: 60, velocity: 1)),
            TimedMIDIMessage(seconds: 1, message: .noteOff(channel: 0, key: 60)),
        ]
        let sequence = try MIDIFileReader.read(MIDIFileWriter.makeFile(messages, end: .init(2)))
        #expect(sequence.tracks[0].events.last?.message == .noteOn(channel: 0, key: 60, velocity: 1))
    }
}
