import RealModule

/// The evidence of the sound for a bar line at each frame of a recording, as the logarithm of a likelihood ratio: above
/// zero where a bar line is more likely than at the average frame within a second.
///
/// It is a linear model of six figures: the onsets at the frame and at its neighbours, their share of the strongest
/// onset nearby, the rise of low notes, and the change of harmony. The weights were fitted to recordings with known bars
/// (docs/own-piece.md).
struct TappedBarEvidence {
    /// The logarithm of the likelihood ratio of each frame.
    let ratios: [Float]

    private static let previousOnsetWeight: Float = 1.35
    private static let onsetWeight: Float = 2.56
    private static let nextOnsetWeight: Float = 1.69
    private static let shareOfStrongestWeight: Float = 2.81
    private static let lowNotesWeight: Float = 0.57
    private static let harmonyWeight: Float = 6.92
    /// The delay in seconds after which a note is clearest in the onset part of the frames, and in their pitch part.
    private static let onsetLagSeconds = 0.02
    private static let pitchLagSeconds = 0.08
    private static let lowBandCount = 24

    /// - Complexity: O(frames × dimensions).
    init(_ frames: ReferenceFeatureFrames, framesPerSecond: Int) {
        func frameCount(_ seconds: Double) -> Int { Int((seconds * Double(framesPerSecond)).rounded()) }
        let half = frames.dimensions / 2
        let nearby = frameCount(3)
        let onset = Self.compressed(
            Self.shifted(
                Self.rise(frames, bands: half..<2 * half, lag: 1), by: frameCount(Self.onsetLagSeconds)),
            relativeTo: nearby)
        let strongest = Self.maxima(onset.plain, reach: 1)
        let share = zip(strongest, Self.maxima(strongest, reach: frameCount(0.2))).map { $0 / ($1 + 1e-6) }
        let pitchLag = frameCount(Self.pitchLagSeconds)
        let low = Self.compressed(
            Self.shifted(
                Self.rise(frames, bands: 0..<min(Self.lowBandCount, half), lag: frameCount(0.06)),
                by: pitchLag),
            relativeTo: nearby
        ).compressed
        let harmony = Self.shifted(
            Self.change(frames, bands: 0..<half, reach: frameCount(0.4)), by: pitchLag)
        var sums = [Float](repeating: 0, count: frames.frameCount)
        for frame in sums.indices {
            let before = onset.compressed[max(frame - 1, 0)]
            let after = onset.compressed[min(frame + 1, sums.count - 1)]
            sums[frame] = Self.previousOnsetWeight * before
            sums[frame] += Self.onsetWeight * onset.compressed[frame] + Self.nextOnsetWeight * after
            sums[frame] += Self.shareOfStrongestWeight * share[frame] + Self.lowNotesWeight * low[frame]
            sums[frame] += Self.harmonyWeight * harmony[frame]
        }
        ratios = Self.ratiosToAverage(sums, reach: framesPerSecond)
    }

    /// The evidence as the score of a bar line or beat that is accompanied by a new note only with some probability.
    /// - Parameter trust: a factor below 1 flattens the evidence.
    func scores(trust: Float, probabilityOfNote: Float) -> [Float] {
        ratios.map {
            Float.log(probabilityOfNote * Float.exp(min(trust * $0, 20)) + 1 - probabilityOfNote)
        }
    }

    /// The sum of what rises in some bands, compared with an earlier frame.
    private static func rise(_ frames: ReferenceFeatureFrames, bands: Range<Int>, lag: Int) -> [Float] {
        var rises = [Float](repeating: 0, count: frames.frameCount)
        frames.featureValues.withUnsafeBufferPointer { values in
            for frame in rises.indices.dropFirst(lag) {
                let now = frame * frames.dimensions
                let before = (frame - lag) * frames.dimensions
                for band in bands { rises[frame] += max(values[now + band] - values[before + band], 0) }
            }
        }
        return rises
    }

    /// The values as multiples of their mean nearby, and these multiples compressed by a logarithm.
    private static func compressed(
        _ values: [Float], relativeTo reach: Int
    ) -> (plain: [Float], compressed: [Float]) {
        let sums = runningSums(values.map(Double.init))
        let floor = 0.25 * sums[values.count] / Double(max(values.count, 1)) + 1e-9
        let plain = values.indices.map { frame in
            let from = max(frame - reach, 0)
            let to = min(frame + reach, values.count)
            return Float(Double(values[frame]) / ((sums[to] - sums[from]) / Double(to - from) + floor))
        }
        return (plain, plain.map { Float.log(1 + 2 * $0) })
    }

    /// One minus the cosine between the mean frames before and after each frame.
    private static func change(_ frames: ReferenceFeatureFrames, bands: Range<Int>, reach: Int) -> [Float] {
        var before = [Float](repeating: 0, count: bands.count)
        var after = [Float](repeating: 0, count: bands.count)
        var changes = [Float](repeating: 0, count: frames.frameCount)
        frames.featureValues.withUnsafeBufferPointer { values in
            func add(_ frame: Int, _ sign: Float, to sums: inout [Float]) {
                guard frame >= 0, frame < frames.frameCount else { return }
                for band in bands {
                    sums[band - bands.lowerBound] += sign * values[frame * frames.dimensions + band]
                }
            }
            for frame in 0..<reach { add(frame, 1, to: &after) }
            for frame in changes.indices {
                var (product, first, second): (Float, Float, Float) = (0, 1e-6, 1e-6)
                for band in before.indices {
                    product += before[band] * after[band]
                    first += before[band] * before[band]
                    second += after[band] * after[band]
                }
                changes[frame] = 1 - product / (first * second).squareRoot()
                add(frame, 1, to: &before)
                add(frame - reach, -1, to: &before)
                add(frame, -1, to: &after)
                add(frame + reach, 1, to: &after)
            }
        }
        return changes
    }

    private static func shifted(_ values: [Float], by lag: Int) -> [Float] {
        values.indices.map { values[min($0 + lag, values.count - 1)] }
    }

    private static func maxima(_ values: [Float], reach: Int) -> [Float] {
        values.indices.map { frame in
            values[max(frame - reach, 0)...min(frame + reach, values.count - 1)].max() ?? 0
        }
    }

    private static func ratiosToAverage(_ sums: [Float], reach: Int) -> [Float] {
        let highest = sums.max() ?? 0
        let likelihoods = runningSums(sums.map { Double.exp(Double(max($0 - highest, -30))) })
        return sums.indices.map { frame in
            let from = max(frame - reach, 0)
            let to = min(frame + reach, sums.count)
            let mean = (likelihoods[to] - likelihoods[from]) / Double(to - from)
            return sums[frame] - highest - Float(Double.log(mean + 1e-12))
        }
    }

    private static func runningSums(_ values: [Double]) -> [Double] {
        var sums = [0.0]
        sums.reserveCapacity(values.count + 1)
        for value in values { sums.append(sums[sums.count - 1] + value) }
        return sums
    }
}
