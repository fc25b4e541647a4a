import ScoreFiles
import TakeReport
import Testing

@testable import Students

/// The notes of a score, with the bars in which they begin and end.
@Suite struct PieceNotesTests {
    private func on(_ tick: Int, _ key: UInt8, channel: UInt8 = 0) -> MIDIEvent {
        MIDIEvent(tick: tick, message: .noteOn(channel: channel, key: key, velocity: 90))
    }

    private func off(_ tick: Int, _ key: UInt8, channel: UInt8 = 0) -> MIDIEvent {
        MIDIEvent(tick: tick, message: .noteOff(channel: channel, key: key))
    }

    @Test func aPitchThatIsStruckWhileItRingsOnAnotherStringIsTwoNotes() {
        let track = MIDITrack(
            events: [
                on(0, 66), on(120, 66), off(470, 66), on(480, 66), off(480, 66), off(600, 66), on(600, 66),
            ], endTick: 960)
        let music = NotatedMusic(
            sequence: MIDISequence(ticksPerQuarter: 120, tracks: [track]),
            playedMeasures: [
                NotatedMeasure(printedNumber: 1, startTick: 0),
                NotatedMeasure(printedNumber: 2, startTick: 480),
            ], endTick: 960, mayReassignChannels: false)
        let notes = PieceNotes(music).notes
        #expect(notes.map(\.bar) == [0, 0.25, 1, 1.25])
        #expect(notes.map(\.end) == [0.25, 1, 1.25, 2])
    }

    @Test func notesLieInTheirBars() {
        let track = MIDITrack(
            events: [
                on(0, 60), off(240, 60), on(240, 64), on(360, 67), off(600, 64), off(960, 67),
                on(960, 40, channel: 9), off(1_000, 40, channel: 9),
            ], endTick: 1_440)
        let music = NotatedMusic(
            sequence: MIDISequence(ticksPerQuarter: 120, tracks: [track]),
            playedMeasures: [
                NotatedMeasure(printedNumber: 1, startTick: 0),
                NotatedMeasure(printedNumber: 2, startTick: 480),
                NotatedMeasure(printedNumber: 1, startTick: 960),
            ], endTick: 1_440, mayReassignChannels: false)
        let notes = PieceNotes(music).notes
        #expect(notes.map(\.pitch) == [60, 64, 67])
        #expect(notes.map(\.bar) == [0, 0.5, 0.75])
        #expect(notes.map(\.end) == [0.5, 1.25, 2])
    }
}
