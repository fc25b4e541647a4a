import Alignment
import Basics
import Following
import Score
import Testing

@Suite struct ReferenceWarpingTests {
    /// Each frame has a value of its own in one of many places, so that every frame resembles only itself.
    private func frames(_ notes: [Int]) -> ReferenceFeatureFrames {
        let dimensions = 40
        var values = [Float](repeating: 0, count: notes.count * dimensions)
        for (frame, note) in notes.enumerated() {
            values[frame * dimensions + note % 20] = 1
            values[frame * dimensions + 20 + note % 20] = 1
        }
        return ReferenceFeatureFrames(
            featureValues: values, dimensions: dimensions, powerByFrame: notes.map(Float.init))
    }

    private func map(_ seconds: [Double]) throws -> MeasureMap {
        try MeasureMap(
            marks: seconds.dropLast().enumerated().map {
                PlayedMeasure(printed: $0.offset + 1, onset: ReferenceTime(seconds: $0.element))
            }, end: ReferenceTime(seconds: seconds[seconds.count - 1]))
    }

    @Test func aRecordingOnItsOwnTimelineStaysTheSame() {
        let recording = frames(Array(0..<60))
        let diagonal = WarpingPath((0..<60).map { .init(firstRecordingFrame: $0, secondRecordingFrame: $0) })
        #expect(ReferenceWarping.warpedFrames(recording, along: diagonal, frameCount: 60) == recording)
    }

    @Test func aRecordingOfHalfTheSpeedLosesEverySecondFrame() {
        let recording = frames((0..<80).map { $0 / 2 })
        let path = WarpingPath(
            (0..<40).flatMap {
                [
                    .init(firstRecordingFrame: $0, secondRecordingFrame: 2 * $0),
                    .init(firstRecordingFrame: $0, secondRecordingFrame: 2 * $0 + 1),
                ]
            })
        #expect(
            ReferenceWarping.warpedFrames(recording, along: path, frameCount: 40) == frames(Array(0..<40)))
    }

    @Test func beyondThePathTheNearestFrameIsTaken() {
        let recording = frames(Array(0..<10))
        let path = WarpingPath((0..<10).map { .init(firstRecordingFrame: $0, secondRecordingFrame: $0) })
        let warped = ReferenceWarping.warpedFrames(recording, along: path, frameCount: 14)
        #expect(warped.frameCount == 14 && warped.powerByFrame.suffix(5) == [9, 9, 9, 9, 9])
    }

    @Test func barLinesMeet() throws {
        // Silence, then three measures, slower and quicker in the second recording.
        let first = frames((0..<200).map { $0 / 10 })
        let second = frames(
            (0..<50).map { $0 / 10 } + (0..<100).map { 5 + $0 / 20 } + (0..<50).map { 10 + $0 / 5 })
        let path = try ReferenceWarping.alignMeasureByMeasure(
            timeline: (first, map([1, 2, 4])), recording: (second, map([1, 3, 4])), framesPerSecond: 50)
        #expect(path.framePairs.contains(.init(firstRecordingFrame: 50, secondRecordingFrame: 50)))
        #expect(path.framePairs.contains(.init(firstRecordingFrame: 100, secondRecordingFrame: 150)))
        #expect(path.framePairs.first == .init(firstRecordingFrame: 0, secondRecordingFrame: 0))
        #expect(path.framePairs.last == .init(firstRecordingFrame: 199, secondRecordingFrame: 199))
        let warped = ReferenceWarping.warpedFrames(second, along: path, frameCount: 200)
        let same = zip(warped.powerByFrame, first.powerByFrame).filter { $0 == $1 }.count
        #expect(same >= 190)
    }

    @Test func measuresWithoutAFrameGoWithTheirNeighbour() throws {
        let recording = frames((0..<100).map { $0 / 5 })
        let path = try ReferenceWarping.alignMeasureByMeasure(
            timeline: (recording, map([0, 0.001, 0.5, 0.505, 1.9, 2])),
            recording: (recording, map([0, 0.5, 0.501, 0.6, 1.995, 7])), framesPerSecond: 50)
        #expect(path.framePairs.last == .init(firstRecordingFrame: 99, secondRecordingFrame: 99))
    }
}
