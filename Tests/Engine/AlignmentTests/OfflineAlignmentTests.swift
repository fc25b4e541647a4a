import Testing

@testable import Alignment

@Suite struct OfflineAlignmentTests {
    @Test func aRecordingAlignsWithItselfFrameByFrame() throws {
        let frames = Melody(noteCount: 60).frames()
        let path = try OfflineRecordingAlignment.align(frames, frames)
        #expect(
            path.framePairs
                == (0..<frames.frameCount).map {
                    WarpingPath.FramePair(firstRecordingFrame: $0, secondRecordingFrame: $0)
                })
    }

    @Test(arguments: [0.5, 0.8, 1.25, 2])
    func aSteadyTempoIsFound(tempo: Double) throws {
        let melody = Melody(noteCount: 80)
        let path = try OfflineRecordingAlignment.align(melody.frames(), melody.frames(tempo: tempo))
        for start in melody.starts.dropFirst().dropLast() {
            // A frame on either side is what steps of whole frames cost.
            #expect(abs(path.secondFrame(forFirst: start) - start / tempo) <= 2)
        }
    }

    @Test func aPauseInOneRecordingIsStoodThrough() throws {
        let frames = Melody(noteCount: 40).frames()
        let middle = frames.frameCount / 2
        let paused = frames.part(0..<middle) + .silence(300) + frames.part(middle..<frames.frameCount)
        let path = try OfflineRecordingAlignment.align(frames, paused)
        #expect(abs(path.secondFrame(forFirst: Double(middle - 50)) - Double(middle - 50)) <= 1)
        #expect(abs(path.secondFrame(forFirst: Double(middle + 50)) - Double(middle + 350)) <= 1)
    }

    @Test func aCoarserSearchBeforeFindsTheSameBand() throws {
        let melody = Melody(noteCount: 400)
        let (first, second) = (melody.frames(), melody.frames(tempo: 0.8))
        let band = try OfflineRecordingAlignment.bandAroundCoarsePath(first, second, progress: nil)
        let long = try OfflineRecordingAlignment.bandAroundCoarsePath(first, second, limit: 1, progress: nil)
        #expect(long == band)
        #expect(long.columnRangesByRow.allSatisfy { $0.count < second.frameCount / 4 })
    }

    @Test func exchangedRecordingsGiveTheSamePath() throws {
        let melody = Melody(noteCount: 40)
        let (first, second) = (melody.frames(), melody.frames(tempo: 0.9))
        let there = try OfflineRecordingAlignment.align(first, second)
        let back = try OfflineRecordingAlignment.align(second, first)
        for start in melody.starts.dropLast() {
            // If the two differ at all, equal costs were decided differently.
            #expect(abs(there.secondFrame(forFirst: start) - back.firstFrame(forSecond: start)) <= 1)
        }
    }

    @Test func theShortestRecordingsAndSilenceAreAligned() throws {
        let frames = Melody(noteCount: 5).frames()
        let one = frames.part(0..<1)
        #expect(
            try OfflineRecordingAlignment.align(one, one).framePairs == [
                .init(firstRecordingFrame: 0, secondRecordingFrame: 0)
            ])
        #expect(try OfflineRecordingAlignment.align(one, frames).framePairs.count == frames.frameCount)
        #expect(try OfflineRecordingAlignment.align(frames, one).framePairs.count == frames.frameCount)
        let silent = try OfflineRecordingAlignment.align(.silence(200), frames)
        #expect(
            silent.framePairs.last
                == .init(firstRecordingFrame: 199, secondRecordingFrame: frames.frameCount - 1))
    }

    @Test func whatCannotBeAlignedIsRefused() {
        let frames = Melody(noteCount: 2).frames()
        let other = ReferenceFeatureFrames(featureValues: [1, 0, 0, 1], dimensions: 2, powerByFrame: [1, 1])
        let long = ReferenceFeatureFrames.silence(OfflineRecordingAlignment.frameLimit + 1)
        #expect(throws: OfflineAlignmentError.recordingEmpty(.first)) {
            try OfflineRecordingAlignment.align(.silence(0), frames)
        }
        #expect(throws: OfflineAlignmentError.recordingEmpty(.second)) {
            try OfflineRecordingAlignment.align(frames, .silence(0))
        }
        #expect(throws: OfflineAlignmentError.differentDimensions(first: 24, second: 2)) {
            try OfflineRecordingAlignment.align(frames, other)
        }
        #expect(throws: OfflineAlignmentError.recordingTooLong(.second, frames: 360_101, limit: 360_100)) {
            try OfflineRecordingAlignment.align(frames, long)
        }
    }

    @Test func progressRisesAndCancels() throws {
        let frames = Melody(noteCount: 60).frames()
        var shares: [Double] = []
        _ = try OfflineRecordingAlignment.align(frames, frames) {
            shares.append($0)
            return true
        }
        #expect(shares.count > 20 && shares.count < 210)
        #expect(zip(shares, shares.dropFirst()).allSatisfy(<))
        #expect(shares.allSatisfy { (0...1).contains($0) })
        #expect(throws: OfflineAlignmentError.cancelled) {
            try OfflineRecordingAlignment.align(frames, frames) { $0 < 0.7 }
        }
    }

    @Test func everyErrorSaysWhatIsWrong() {
        #expect(
            OfflineAlignmentError.recordingEmpty(.second).sentence.hasPrefix(
                "The second recording holds no music"))
        #expect(
            OfflineAlignmentError.recordingTooLong(.first, frames: 70_000, limit: 66_000).sentence
                == "The first recording has 70000 frames, but at most 66000 can be aligned: cut it into movements."
        )
        #expect(
            OfflineAlignmentError.differentDimensions(first: 144, second: 12).sentence.contains("144 and 12"))
        #expect(OfflineAlignmentError.cancelled.sentence == "The alignment was cancelled.")
    }
}
