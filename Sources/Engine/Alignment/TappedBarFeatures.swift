import RealModule

/// Figures of each frame of a recording that tell where a bar begins, standardised by ``TappedBarScale``.
///
/// They are onsets in four ranges of pitch at the frame and its neighbours, their share of the strongest onset nearby,
/// the rise of notes, changes of harmony and bass over spans of 0.2 to 2 s, the rise of the loudness, and how much
/// happens before and after.
struct TappedBarFeatures {
    /// `frameCount × TappedBarScale.count` values, frame after frame.
    let values: [Float]
    let frameCount: Int

    /// The delay in seconds after which a note is clearest in the pitch part of the frames.
    private static let pitchLagSeconds = 0.08
    /// The span over which the mean strength of onsets is taken, on either side, in seconds.
    private static let meanSeconds = 3.0

    /// - Parameter values: `frameCount × TappedBarScale.count` standardised values.
    init(standardised values: [Float], frameCount: Int) {
        (self.values, self.frameCount) = (values, frameCount)
    }

    /// - Complexity: O(frames × dimensions).
    init(_ frames: ReferenceFeatureFrames, framesPerSecond: Int) {
        func frameCount(_ seconds: Double) -> Int { Int((seconds * Double(framesPerSecond)).rounded()) }
        let half = frames.dimensions / 2
        let quarter = half / 4
        let nearby = frameCount(Self.meanSeconds)
        let pitchLag = frameCount(Self.pitchLagSeconds)
        var columns: [[Float]] = []

        let ranges = (0..<4).map { range in
            FrameSeries.rise(frames, bands: half + range * quarter..<half + (range + 1) * quarter, lag: 1)
        }
        let sum = ranges[0].indices.map { frame in ranges.reduce(0) { $0 + $1[frame] } }
        let onsets = FrameSeries.compressed(sum, relativeTo: nearby)
        columns += [-2, -1, 0, 1, 2, 3].map { FrameSeries.shifted(onsets.compressed, by: $0) }
        for range in ranges {
            let part = FrameSeries.compressed(range, relativeTo: nearby).compressed
            columns += [0, 1, 2].map { FrameSeries.shifted(part, by: $0) }
        }
        let strongest = FrameSeries.maxima(FrameSeries.shifted(onsets.plain, by: 1), reach: 1)
        columns += [0.1, 0.2, 0.4, 0.8].map {
            FrameSeries.shares(
                strongest, of: FrameSeries.maxima(strongest, reach: frameCount($0)), floor: 1e-6)
        }
        for range in ranges.prefix(2) {
            let strongest = FrameSeries.maxima(FrameSeries.shifted(range, by: 1), reach: 1)
            columns.append(
                FrameSeries.shares(
                    strongest, of: FrameSeries.maxima(strongest, reach: frameCount(0.5)), floor: 1e-3))
        }
        for bands in [0..<half / 6, half / 6..<half / 3, half / 3..<2 * half / 3, 2 * half / 3..<half] {
            let rise = FrameSeries.rise(frames, bands: bands, lag: frameCount(0.06))
            columns.append(
                FrameSeries.shifted(
                    FrameSeries.compressed(rise, relativeTo: nearby).compressed, by: pitchLag))
        }
        let pitches = frames.featureValues
        func changes(_ values: [Float], _ dimensions: Int, _ bands: Range<Int>, _ spans: [Double]) {
            columns += spans.map {
                let change = FrameSeries.change(
                    values, dimensions: dimensions, bands: bands, reach: frameCount($0))
                return FrameSeries.shifted(change, by: pitchLag)
            }
        }
        changes(pitches, frames.dimensions, 0..<half, [0.16, 0.3, 0.5, 0.8, 1.6])
        changes(pitches, frames.dimensions, 0..<half / 3, [0.2, 0.5, 1])
        changes(FrameSeries.chroma(frames, bands: half), 12, 0..<12, [0.4, 1, 2])
        let loudness = frames.powerByFrame.map { Float.log($0 + 1e-7) }
        let rise = loudness.indices.map { $0 < pitchLag ? 0 : max(loudness[$0] - loudness[$0 - pitchLag], 0) }
        columns += [0, 2, 4].map { FrameSeries.shifted(rise, by: $0) }
        let mean = FrameSeries.means(loudness, reach: nearby)
        columns.append(FrameSeries.shifted(zip(loudness, mean).map { $0 - $1 }, by: pitchLag))
        let far = frameCount(0.24)
        columns += [far, -far].map { distance in
            let moved = onsets.plain.indices.map { frame in
                frame + distance < 0 ? 0 : onsets.plain[min(frame + distance, onsets.plain.count - 1)]
            }
            return FrameSeries.means(moved, reach: frameCount(0.2))
        }
        self.frameCount = frames.frameCount
        values = Self.standardised(columns, frameCount: frames.frameCount)
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
