import Basics
import Testing

@testable import ScoreFiles

@Suite struct MIDIMeasuresTests {
    private func sequence(_ messages: [(Int, MIDIMessage)]) -> MIDISequence {
        MIDISequence(
            ticksPerQuarter: 10,
            tracks: [
                MIDITrack(
                    events: messages.map { MIDIEvent(tick: $0.0, message: $0.1) },
                    endTick: messages.last?.0 ?? 0)
            ])
    }

    @Test func aChangeOfMetreChangesTheMeasures() throws {
        let (measures, end) = try MIDIMeasureFinder.findMeasures(
            of: sequence([
                (0, .timeSignature(beats: 3, beatUnit: 4)), (60, .timeSignature(beats: 6, beatUnit: 8)),
                (60, .timeSignature(beats: 2, beatUnit: 4)), (95, .noteOff(channel: 0, key: 1)),
            ]))
        #expect(measures.map(\.startTick) == [0, 30, 60, 80])
        #expect(measures.map(\.printedNumber) == [1, 2, 3, 4])
        #expect(end == 100)
    }

    @Test(arguments: [-1, 0, 1]) func aMetreBesideABarLineBelongsToIt(late: Int) throws {
        let (measures, _) = try MIDIMeasureFinder.findMeasures(
            of: sequence([
                (0, .timeSignature(beats: 3, beatUnit: 4)),
                (60 + late, .timeSignature(beats: 2, beatUnit: 4)),
                (100 + late, .timeSignature(beats: 3, beatUnit: 4)), (125, .noteOff(channel: 0, key: 1)),
            ]))
        #expect(measures.map(\.startTick) == [0, 30, 60, 80, 100])
    }

    @Test func anUpbeatIsMeasureNought() throws {
        let (measures, _) = try MIDIMeasureFinder.findMeasures(
            of: sequence([
                (0, .timeSignature(beats: 1, beatUnit: 4)), (10, .timeSignature(beats: 3, beatUnit: 4)),
                (65, .noteOff(channel: 0, key: 1)),
            ]))
        #expect(measures.map(\.startTick) == [0, 10, 40])
        #expect(measures.map(\.printedNumber) == [0, 1, 2])
    }

    @Test func withoutATimeSignatureFourQuartersMakeAMeasure() throws {
        let (measures, end) = try MIDIMeasureFinder.findMeasures(
            of: sequence([(41, .noteOff(channel: 0, key: 1))]))
        #expect(measures.map(\.startTick) == [0, 40])
        #expect(end == 80)
    }

    @Test func aFileThatAsksForMillionsOfMeasuresIsRefused() {
        #expect(throws: MIDIFileFault.tooManyEvents(limit: MIDIMeasureFinder.maximumMeasures)) {
            try MIDIMeasureFinder.findMeasures(of: sequence([(1 << 48, .noteOff(channel: 0, key: 1))]))
        }
    }

    @Test func aFileWithoutNotesIsRefused() {
        #expect(throws: ExplainedError("it holds no notes")) {
            try MIDIMeasureFinder.findMeasures(of: sequence([]))
        }
    }
}
