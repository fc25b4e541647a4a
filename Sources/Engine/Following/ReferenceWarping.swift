import Alignment
import Basics
import Score

/// Warps further recordings of the same music onto the timeline of a first one.
public enum ReferenceWarping {
    /// Returns, for each frame of the timeline, the frame of the recording that belongs to it.
    /// - Parameters:
    ///   - frames: the frames of the recording.
    ///   - path: a path from the timeline (first) to the recording (second).
    ///   - frameCount: the number of frames of the timeline.
    /// - Returns: `frameCount` frames. Where the path stands still a frame is repeated; where it leaps, frames are left
    ///   out.
    /// - Complexity: O(frameCount × (dimensions + log pairs)).
    public static func warpedFrames(
        _ frames: ReferenceFeatureFrames, along path: WarpingPath, frameCount: Int
    ) -> ReferenceFeatureFrames {
        precondition(frames.frameCount > 0 && frameCount > 0, "both recordings have frames")
        var values: [Float] = []
        var power: [Float] = []
        values.reserveCapacity(frameCount * frames.dimensions)
        power.reserveCapacity(frameCount)
        for frame in 0..<frameCount {
            let nearest = Int(path.secondFrame(forFirst: Double(frame)).rounded())
            let source = min(max(nearest, 0), frames.frameCount - 1)
            values += frames.featureValues[source * frames.dimensions..<(source + 1) * frames.dimensions]
            power.append(frames.powerByFrame[source])
        }
        return ReferenceFeatureFrames(
            featureValues: values, dimensions: frames.dimensions, powerByFrame: power)
    }

    /// Aligns two recordings whose measure times are both known: bar lines are matched with each other, and each bar is
    /// aligned by time warping.
    ///
    /// - Parameters:
    ///   - timeline: the frames and measures of the first recording.
    ///   - recording: the frames and measures of the second one; as many measures.
    ///   - progress: called with the share that is done, 0…1; returns false to cancel.
    /// - Returns: a path from both recordings' first frames to their last ones.
    /// - Throws: the errors of ``OfflineRecordingAlignment``.
    /// - Complexity: O(frames × measure length in frames × dimensions).
    public static func alignMeasureByMeasure(
        timeline: (frames: ReferenceFeatureFrames, measures: MeasureMap),
        recording: (frames: ReferenceFeatureFrames, measures: MeasureMap), framesPerSecond: Int,
        progress: ((Double) -> Bool)? = nil
    ) throws(OfflineAlignmentError) -> WarpingPath {
        precondition(
            timeline.measures.marks.count == recording.measures.marks.count,
            "measures meet one by one, not \(timeline.measures.marks.count) and "
                + "\(recording.measures.marks.count)")
        let bounds = matchingMeasureStarts(timeline, recording, framesPerSecond: framesPerSecond)
        var pairs: [WarpingPath.FramePair] = []
        for (start, end) in zip(bounds, bounds.dropFirst()) {
            if let progress, !progress(Double(start.firstRecordingFrame) / Double(timeline.frames.frameCount))
            {
                throw .cancelled
            }
            let part = try OfflineRecordingAlignment.align(
                timeline.frames.framesInRange(start.firstRecordingFrame..<end.firstRecordingFrame),
                recording.frames.framesInRange(start.secondRecordingFrame..<end.secondRecordingFrame))
            for pair in part.framePairs {
                pairs.append(
                    .init(
                        firstRecordingFrame: start.firstRecordingFrame + pair.firstRecordingFrame,
                        secondRecordingFrame: start.secondRecordingFrame + pair.secondRecordingFrame))
            }
        }
        return WarpingPath(pairs)
    }

    /// Returns the frames at which a measure begins on both sides. The first pair is (0, 0), the last pair lies after
    /// both last frames.
    private static func matchingMeasureStarts(
        _ timeline: (frames: ReferenceFeatureFrames, measures: MeasureMap),
        _ recording: (frames: ReferenceFeatureFrames, measures: MeasureMap), framesPerSecond: Int
    ) -> [WarpingPath.FramePair] {
        let last = WarpingPath.FramePair(
            firstRecordingFrame: timeline.frames.frameCount, secondRecordingFrame: recording.frames.frameCount
        )
        var anchors = [WarpingPath.FramePair(firstRecordingFrame: 0, secondRecordingFrame: 0)]
        for played in 0...timeline.measures.marks.count {
            let anchor = WarpingPath.FramePair(
                firstRecordingFrame: frameNumber(
                    at: timeline.measures.onset(after: played - 1), framesPerSecond),
                secondRecordingFrame: frameNumber(
                    at: recording.measures.onset(after: played - 1), framesPerSecond))
            // A measure that is shorter than a frame, or beyond the recording's end, is joined to its neighbour.
            if let before = anchors.last, anchor.firstRecordingFrame > before.firstRecordingFrame,
                anchor.secondRecordingFrame > before.secondRecordingFrame,
                anchor.firstRecordingFrame < last.firstRecordingFrame,
                anchor.secondRecordingFrame < last.secondRecordingFrame
            {
                anchors.append(anchor)
            }
        }
        return anchors + [last]
    }

    private static func frameNumber(at time: ReferenceTime, _ framesPerSecond: Int) -> Int {
        Int(min(time.seconds * Double(framesPerSecond), 1e12).rounded())
    }
}

extension ReferenceFeatureFrames {
    fileprivate func framesInRange(_ range: Range<Int>) -> ReferenceFeatureFrames {
        ReferenceFeatureFrames(
            featureValues: Array(
                featureValues[range.lowerBound * dimensions..<range.upperBound * dimensions]),
            dimensions: dimensions, powerByFrame: Array(powerByFrame[range]))
    }
}
