import Alignment
import MusicalTime
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
    public static func warped(
        _ frames: ReferenceFrames, along path: WarpingPath, frameCount: Int
    ) -> ReferenceFrames {
        precondition(frames.frameCount > 0 && frameCount > 0, "both recordings have frames")
        var values: [Float] = []
        var power: [Float] = []
        values.reserveCapacity(frameCount * frames.dimensions)
        power.reserveCapacity(frameCount)
        for frame in 0..<frameCount {
            let nearest = Int(path.second(forFirst: Double(frame)).rounded())
            let source = min(max(nearest, 0), frames.frameCount - 1)
            values += frames.values[source * frames.dimensions..<(source + 1) * frames.dimensions]
            power.append(frames.power[source])
        }
        return ReferenceFrames(values: values, dimensions: frames.dimensions, power: power)
    }

    /// Aligns two recordings whose measure times are both known: bar lines are matched with each other, and each bar is
    /// aligned by time warping.
    ///
    /// - Parameters:
    ///   - timeline: the frames and measures of the first recording.
    ///   - recording: the frames and measures of the second one; as many measures.
    ///   - progress: called with the share that is done, 0…1; returns false to cancel.
    /// - Returns: a path from both recordings' first frames to their last ones.
    /// - Throws: the errors of ``OfflineAlignment``.
    /// - Complexity: O(frames × measure length in frames × dimensions).
    public static func path(
        timeline: (frames: ReferenceFrames, measures: MeasureMap),
        recording: (frames: ReferenceFrames, measures: MeasureMap), framesPerSecond: Int,
        progress: ((Double) -> Bool)? = nil
    ) throws(OfflineAlignmentError) -> WarpingPath {
        precondition(
            timeline.measures.marks.count == recording.measures.marks.count,
            "measures meet one by one, not \(timeline.measures.marks.count) and "
                + "\(recording.measures.marks.count)")
        let bounds = anchors(timeline, recording, framesPerSecond: framesPerSecond)
        var pairs: [WarpingPath.Pair] = []
        for (start, end) in zip(bounds, bounds.dropFirst()) {
            if let progress, !progress(Double(start.first) / Double(timeline.frames.frameCount)) {
                throw .cancelled
            }
            let part = try OfflineAlignment.align(
                timeline.frames.part(start.first..<end.first),
                recording.frames.part(start.second..<end.second))
            for pair in part.pairs {
                pairs.append(.init(first: start.first + pair.first, second: start.second + pair.second))
            }
        }
        return WarpingPath(pairs)
    }

    /// Returns the frames at which a measure begins on both sides. The first pair is (0, 0), the last pair lies after
    /// both last frames.
    private static func anchors(
        _ timeline: (frames: ReferenceFrames, measures: MeasureMap),
        _ recording: (frames: ReferenceFrames, measures: MeasureMap), framesPerSecond: Int
    ) -> [WarpingPath.Pair] {
        let last = WarpingPath.Pair(first: timeline.frames.frameCount, second: recording.frames.frameCount)
        var anchors = [WarpingPath.Pair(first: 0, second: 0)]
        for played in 0...timeline.measures.marks.count {
            let anchor = WarpingPath.Pair(
                first: frame(at: timeline.measures.onset(after: played - 1), framesPerSecond),
                second: frame(at: recording.measures.onset(after: played - 1), framesPerSecond))
            // A measure that is shorter than a frame, or beyond the recording's end, is joined to its neighbour.
            if let before = anchors.last, anchor.first > before.first, anchor.second > before.second,
                anchor.first < last.first, anchor.second < last.second
            {
                anchors.append(anchor)
            }
        }
        return anchors + [last]
    }

    private static func frame(at time: ReferenceTime, _ framesPerSecond: Int) -> Int {
        Int(min(time.seconds * Double(framesPerSecond), 1e12).rounded())
    }
}

extension ReferenceFrames {
    fileprivate func part(_ range: Range<Int>) -> ReferenceFrames {
        ReferenceFrames(
            values: Array(values[range.lowerBound * dimensions..<range.upperBound * dimensions]),
            dimensions: dimensions, power: Array(power[range]))
    }
}
