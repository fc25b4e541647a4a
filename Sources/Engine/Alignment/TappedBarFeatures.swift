/// Figures of each frame of a recording that tell where a bar begins, standardised by ``TappedBarScale``.
///
/// They are onsets in four ranges of pitch at the frame and its neighbours, their share of the strongest onset nearby,
/// the rise of notes, changes of harmony and bass over spans of 0.2 to 2 s, the rise of the loudness, and how much
/// happens before and after.
struct TappedBarFeatures {
    /// `frameCount × TappedBarScale.count` values, frame after frame.
    let values: [Float]
    let frameCount: Int

    /// - Parameter values: `frameCount × TappedBarScale.count` standardised values.
    init(standardised values: [Float], frameCount: Int) {
        (self.values, self.frameCount) = (values, frameCount)
    }

    /// - Complexity: O(frames × dimensions).
    init(_ frames: ReferenceFeatureFrames, framesPerSecond: Int) {
        let series = TappedBarSeries(frames, framesPerSecond: framesPerSecond)
        frameCount = frames.frameCount
        values = Self.standardised(
            series.onsetFigures + series.onsetShares + series.noteRises + series.harmonyChanges
                + series.loudnessRises + series.onsetsBeforeAndAfter, frameCount: frames.frameCount)
    }

    private static func standardised(_ columns: [[Float]], frameCount: Int) -> [Float] {
        let count = TappedBarScale.count
        precondition(columns.count == count, "\(columns.count) figures have \(count) weights")
        var values = [Float](repeating: 0, count: frameCount * count)
        for (index, column) in columns.enumerated() {
            let (mean, deviation) = (TappedBarScale.means[index], TappedBarScale.deviations[index])
            for frame in 0..<frameCount { values[frame * count + index] = (column[frame] - mean) / deviation }
        }
        return values
    }
}
