import RealModule

/// The series from which ``TappedBarFeatures`` are made; each property holds some figures, of which each has a value
/// for every frame. Their order is that of the weights of ``TappedBarScale``.
struct TappedBarSeries {
    /// The delay in seconds after which a note is clearest in the pitch part of the frames.
    private static let pitchLagSeconds = 0.08
    /// The span over which the mean strength of onsets is taken, on either side, in seconds.
    private static let meanSeconds = 3.0

    private let frames: ReferenceFeatureFrames
    private let framesPerSecond: Int
    /// The bands of pitch in a frame; as many bands of onsets follow them.
    private let half: Int
    private let pitchLag: Int
    /// The frames of ``meanSeconds``.
    private let nearby: Int
    /// The onsets in four ranges of pitch.
    private let ranges: [[Float]]
    /// The onsets of all ranges.
    private let onsets: (plain: [Float], compressed: [Float])

    init(_ frames: ReferenceFeatureFrames, framesPerSecond: Int) {
        func frameCount(_ seconds: Double) -> Int { Int((seconds * Double(framesPerSecond)).rounded()) }
        (self.frames, self.framesPerSecond) = (frames, framesPerSecond)
        half = frames.dimensions / 2
        pitchLag = frameCount(Self.pitchLagSeconds)
        nearby = frameCount(Self.meanSeconds)
        let (half, quarter) = (frames.dimensions / 2, frames.dimensions / 2 / 4)
        let ranges = (0..<4).map { range in
            FrameSeries.rise(frames, bands: half + range * quarter..<half + (range + 1) * quarter, lag: 1)
        }
        self.ranges = ranges
        let sum = ranges[0].indices.map { frame in ranges.reduce(0) { $0 + $1[frame] } }
        onsets = FrameSeries.compressed(sum, relativeTo: nearby)
    }

    /// The onsets at the frame and its neighbours, of all ranges and of each.
    var onsetFigures: [[Float]] {
        var figures = [-2, -1, 0, 1, 2, 3].map { FrameSeries.shifted(onsets.compressed, by: $0) }
        for range in ranges {
            let part = FrameSeries.compressed(range, relativeTo: nearby).compressed
            figures += [0, 1, 2].map { FrameSeries.shifted(part, by: $0) }
        }
        return figures
    }

    /// The onsets' share of the strongest onset nearby, of all ranges and of the two lowest.
    var onsetShares: [[Float]] {
        let strongest = FrameSeries.maxima(FrameSeries.shifted(onsets.plain, by: 1), reach: 1)
        var figures = [0.1, 0.2, 0.4, 0.8].map {
            FrameSeries.shares(
                strongest, of: FrameSeries.maxima(strongest, reach: frameCount($0)), floor: 1e-6)
        }
        for range in ranges.prefix(2) {
            let strongest = FrameSeries.maxima(FrameSeries.shifted(range, by: 1), reach: 1)
            figures.append(
                FrameSeries.shares(
                    strongest, of: FrameSeries.maxima(strongest, reach: frameCount(0.5)), floor: 1e-3))
        }
        return figures
    }

    /// The rise of notes in four ranges of pitch.
    var noteRises: [[Float]] {
        [0..<half / 6, half / 6..<half / 3, half / 3..<2 * half / 3, 2 * half / 3..<half].map { bands in
            let rise = FrameSeries.rise(frames, bands: bands, lag: frameCount(0.06))
            return FrameSeries.shifted(
                FrameSeries.compressed(rise, relativeTo: nearby).compressed, by: pitchLag)
        }
    }

    /// The changes of harmony, of the bass, and of the chroma.
    var harmonyChanges: [[Float]] {
        let pitches = frames.featureValues
        return changes(pitches, frames.dimensions, 0..<half, [0.16, 0.3, 0.5, 0.8, 1.6])
            + changes(pitches, frames.dimensions, 0..<half / 3, [0.2, 0.5, 1])
            + changes(FrameSeries.chroma(frames, bands: half), 12, 0..<12, [0.4, 1, 2])
    }

    /// - Parameter spans: in seconds.
    private func changes(
        _ values: [Float], _ dimensions: Int, _ bands: Range<Int>, _ spans: [Double]
    ) -> [[Float]] {
        spans.map {
            let change = FrameSeries.change(
                values, dimensions: dimensions, bands: bands, reach: frameCount($0))
            return FrameSeries.shifted(change, by: pitchLag)
        }
    }

    /// The rise of the loudness, and its height above the mean nearby.
    var loudnessRises: [[Float]] {
        let loudness = frames.powerByFrame.map { Float.log($0 + 1e-7) }
        let rise = loudness.indices.map { $0 < pitchLag ? 0 : max(loudness[$0] - loudness[$0 - pitchLag], 0) }
        let mean = FrameSeries.means(loudness, reach: nearby)
        return [0, 2, 4].map { FrameSeries.shifted(rise, by: $0) }
            + [FrameSeries.shifted(zip(loudness, mean).map { $0 - $1 }, by: pitchLag)]
    }

    /// The onsets after the frame and before it.
    var onsetsBeforeAndAfter: [[Float]] {
        let far = frameCount(0.24)
        return [far, -far].map { distance in
            let moved = onsets.plain.indices.map { frame in
                frame + distance < 0 ? 0 : onsets.plain[min(frame + distance, onsets.plain.count - 1)]
            }
            return FrameSeries.means(moved, reach: frameCount(0.2))
        }
    }

    private func frameCount(_ seconds: Double) -> Int {
        Int((seconds * Double(framesPerSecond)).rounded())
    }
}
