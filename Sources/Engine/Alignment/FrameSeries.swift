import RealModule

/// Computations on series with one value a frame.
enum FrameSeries {
    /// The sum of what rises in some bands, compared with an earlier frame.
    static func rise(_ frames: ReferenceFeatureFrames, bands: Range<Int>, lag: Int) -> [Float] {
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
    static func compressed(
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
    static func change(_ values: [Float], dimensions: Int, bands: Range<Int>, reach: Int) -> [Float] {
        let frameCount = values.count / dimensions
        var before = [Float](repeating: 0, count: bands.count)
        var after = [Float](repeating: 0, count: bands.count)
        var changes = [Float](repeating: 0, count: frameCount)
        values.withUnsafeBufferPointer { values in
            func add(_ frame: Int, _ sign: Float, to sums: inout [Float]) {
                guard frame >= 0, frame < frameCount else { return }
                for band in bands {
                    sums[band - bands.lowerBound] += sign * values[frame * dimensions + band]
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

    /// The first bands of each frame, folded to twelve pitch classes.
    static func chroma(_ frames: ReferenceFeatureFrames, bands: Int) -> [Float] {
        var chroma = [Float](repeating: 0, count: frames.frameCount * 12)
        for frame in 0..<frames.frameCount {
            for band in 0..<bands {
                chroma[frame * 12 + band % 12] += frames.featureValues[frame * frames.dimensions + band]
            }
        }
        return chroma
    }

    /// The value some frames later; the first or last one beyond the ends.
    static func shifted(_ values: [Float], by lag: Int) -> [Float] {
        values.indices.map { values[min(max($0 + lag, 0), values.count - 1)] }
    }

    static func maxima(_ values: [Float], reach: Int) -> [Float] {
        values.indices.map { frame in
            values[max(frame - reach, 0)...min(frame + reach, values.count - 1)].max() ?? 0
        }
    }

    static func shares(_ values: [Float], of wholes: [Float], floor: Float) -> [Float] {
        zip(values, wholes).map { $0 / ($1 + floor) }
    }

    static func means(_ values: [Float], reach: Int) -> [Float] {
        let sums = runningSums(values.map(Double.init))
        return values.indices.map { frame in
            let from = max(frame - reach, 0)
            let to = min(frame + reach, values.count)
            return Float((sums[to] - sums[from]) / Double(to - from))
        }
    }

    static func runningSums(_ values: [Double]) -> [Double] {
        var sums = [0.0]
        sums.reserveCapacity(values.count + 1)
        for value in values { sums.append(sums[sums.count - 1] + value) }
        return sums
    }
}
