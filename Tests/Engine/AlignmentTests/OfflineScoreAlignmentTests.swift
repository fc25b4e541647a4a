import Testing

@testable import Alignment

@Suite struct OfflineScoreAlignmentTests {
    /// Notes in a measure.
    private static let notes = 4

    private let melody = Melody(noteCount: 240, seed: 3)

    /// Onset of a measure in frames of the melody.
    private func start(_ measure: Int) -> Double { melody.starts[measure * Self.notes] }

    private func measures(written: [Int]? = nil) -> UnfoldedScoreMeasures {
        let count = 240 / Self.notes
        return UnfoldedScoreMeasures(
            onsets: (0..<count).map { start($0) / 50 }, end: start(count) / 50,
            writtenIndices: written ?? Array(0..<count))
    }

    /// The melody's measures in the given order.
    private func sound(_ ranges: [Range<Int>], tempo: Double = 1) -> ReferenceFeatureFrames {
        let whole = melody.frames(tempo: tempo)
        return whole.joined(
            ranges.map { Int(start($0.lowerBound) / tempo)..<Int(start($0.upperBound) / tempo) })
    }

    private func align(
        _ recording: ReferenceFeatureFrames, written: [Int]? = nil, mayLeap: Bool = true
    ) throws -> OfflineScoreAlignment {
        try OfflineScoreAlignment(
            score: melody.frames(), measures: measures(written: written), recording: recording,
            framesPerSecond: 50, mayLeap: mayLeap)
    }

    @Test(arguments: [0.6, 1, 1.5])
    func everyMeasureIsFoundAtAnyTempo(tempo: Double) throws {
        let found = try align(sound([0..<60], tempo: tempo))
        #expect(found.measures.map(\.played) == Array(0..<60))
        for measure in found.measures {
            #expect(abs(measure.seconds - start(measure.played) / tempo / 50) < 0.1)
        }
        #expect(abs(found.tempoRatio - tempo) < 0.15 * tempo)
        #expect(found.likeness > OfflineScoreAlignment.leastLikeness)
    }

    @Test func silenceBeforeAndAfterIsNotMusic() throws {
        let found = try align(.silence(400) + sound([0..<60]) + .silence(300))
        #expect(found.measures.map(\.played) == Array(0..<60))
        #expect(abs(found.measures[0].seconds - 8) < 0.25)
        #expect(abs(found.endSeconds - (8 + start(60) / 50)) < 0.5)
    }

    @Test func aPassageThatWasCutIsMissing() throws {
        let found = try align(sound([0..<20, 30..<60]))
        #expect(found.passages.map(\.played) == [0..<20, 30..<60])
        #expect(found.measures[20].reasons.contains(.afterLeap))
        #expect(found.measures[20].doubt >= OfflineScoreAlignment.doubtfulFrom)
    }

    @Test func aPassageThatIsPlayedAgainIsFoundAgain() throws {
        let found = try align(sound([0..<40, 20..<60]))
        #expect(found.passages.map(\.played) == [0..<40, 20..<60])
    }

    @Test func allMeasuresAreFoundInOrderWhereLeapsAreForbidden() throws {
        let found = try align(sound([0..<20, 24..<60]), mayLeap: false)
        #expect(found.measures.map(\.played) == Array(0..<60))
    }

    @Test func aTransposedPerformanceIsRecognised() throws {
        let recording = sound([0..<60]).transposed(semitones: -2)
        #expect(try align(recording).semitonesHigher == -2)
    }

    @Test func otherMusicIsNotAlike() throws {
        let other = Melody(noteCount: 240, seed: 99).frames()
        #expect(try align(other).likeness < OfflineScoreAlignment.leastLikeness)
        #expect(try align(.silence(3_000)).likeness < OfflineScoreAlignment.leastLikeness)
    }

    @Test func aLongRecordingIsAlignedInPartsThatFit() throws {
        let long = Melody(noteCount: 1_600, seed: 5)
        let onsets = (0..<400).map { long.starts[$0 * 4] / 50 }
        let found = try OfflineScoreAlignment(
            score: long.frames(),
            measures: UnfoldedScoreMeasures(
                onsets: onsets, end: long.starts[1_600] / 50, writtenIndices: Array(0..<400)),
            recording: long.frames(tempo: 0.9), framesPerSecond: 50)
        #expect(found.measures.map(\.played) == Array(0..<400))
        for (measure, onset) in zip(found.measures, onsets) {
            #expect(abs(measure.seconds - onset / 0.9) < 0.1)
        }
    }

    @Test func anAlignmentCanBeCancelled() {
        #expect(throws: OfflineAlignmentError.cancelled) {
            try OfflineScoreAlignment(
                score: melody.frames(), measures: measures(), recording: sound([0..<60]), framesPerSecond: 50
            ) { _ in false }
        }
    }

    @Test func aRecordingWithoutAFrameIsRefused() {
        #expect(throws: OfflineAlignmentError.recordingEmpty(.second)) { try align(.silence(0)) }
    }

    /// A B C A B D: a repeat with two endings.
    @Test func leavingOutARepeatIsALeapToTheSecondEnding() {
        let measures = UnfoldedScoreMeasures(
            onsets: [0, 1, 2, 3, 4, 5], end: 6, writtenIndices: [0, 1, 2, 0, 1, 3])
        #expect(measures.leapsOverRepeats()[5] == [1])
        #expect(measures.beginsSection(3) && measures.beginsSection(5) && !measures.beginsSection(4))
        #expect(measures.mayEndPerformance(after: 2) && !measures.mayEndPerformance(after: 3))
    }
}
