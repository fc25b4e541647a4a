import Testing

@testable import Rendering

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
            #expect(throws: MIDIFileFault.self) {
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

    @Test func filmFramesAreRefusedByName() {
        let bytes = SmallMIDI.file(division: 0xE728, tracks: [SmallMIDI.endOfTrack])
        #expect(throws: MIDIFileFault.smpteTimeDivision) { try MIDIFileReader.read(bytes) }
    }

    @Test func formatTwoAndZeroDivisionAreRefused() {
        #expect(throws: MIDIFileFault.unsupportedFormat(2)) {
            try MIDIFileReader.read(SmallMIDI.file(format: 2, tracks: [SmallMIDI.endOfTrack]))
        }
        #expect(throws: MIDIFileFault.zeroTicksPerQuarter) {
            try MIDIFileReader.read(SmallMIDI.file(division: 0, tracks: [SmallMIDI.endOfTrack]))
        }
    }

    @Test func aTempoOfZeroAndAFiveByteNumberAreRefused() {
        #expect(throws: MIDIFileFault.zeroTempo(offset: 26)) {
            try MIDIFileReader.read(SmallMIDI.file(tracks: [[0, 0xFF, 0x51, 3, 0, 0, 0]]))
        }
        #expect(throws: MIDIFileFault.variableLengthNumberTooLong(offset: 22)) {
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
