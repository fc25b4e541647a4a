/// Two passages of a recording that sound almost the same, bar by bar.
public struct RepeatedPassage: Sendable, Hashable {
    /// The bars of the earlier passage, counted from 0.
    public var bars: Range<Int>
    /// The first bar of the later passage, which has as many bars.
    public var laterStart: Int

    public init(bars: Range<Int>, laterStart: Int) {
        self.bars = bars
        self.laterStart = laterStart
    }

    public var laterBars: Range<Int> { laterStart..<laterStart + bars.count }

    /// The least cosine of two bars that count as the same. Measured on recordings with written-out repeats: copies
    /// have 0.93 and more in a performance by hand, and variations less.
    static let leastLikeness: Float = 0.93
    /// The least number of bars of a passage.
    static let leastBars = 4
    /// The delay in seconds after which a note is clear in the pitch part of the frames.
    private static let pitchLagSeconds = 0.06
    private static let partsOfBar = 4

    /// Finds the passages that return, the longest first.
    /// - Parameters:
    ///   - onsets: the bars' onsets in seconds, rising.
    ///   - end: the end of the last bar, in seconds.
    /// - Complexity: O(bars² × dimensions).
    public static func find(
        onsets: [Double], end: Double, frames: ReferenceFeatureFrames, framesPerSecond: Int
    ) -> [RepeatedPassage] {
        let bars = zip(onsets, onsets.dropFirst() + [end]).map {
            pitches(from: $0, to: $1, frames: frames, framesPerSecond: framesPerSecond)
        }
        var found: [RepeatedPassage] = []
        for distance in stride(from: leastBars, to: bars.count, by: 1) {
            var length = 0
            for bar in 0...bars.count - distance {
                if bar + distance < bars.count, cosine(bars[bar], bars[bar + distance]) > leastLikeness {
                    length += 1
                } else {
                    if length >= leastBars {
                        found.append(
                            RepeatedPassage(bars: bar - length..<bar, laterStart: bar - length + distance))
                    }
                    length = 0
                }
            }
        }
        return found.sorted { ($1.bars.count, $0.bars.lowerBound) < ($0.bars.count, $1.bars.lowerBound) }
    }

    /// The mean pitch parts of the quarters of a bar, scaled to unit norm; zeros for silence.
    private static func pitches(
        from start: Double, to end: Double, frames: ReferenceFeatureFrames, framesPerSecond: Int
    ) -> [Float] {
        let half = frames.dimensions / 2
        var pitches = [Float](repeating: 0, count: partsOfBar * half)
        for part in 0..<partsOfBar {
            func frame(_ boundary: Int) -> Int {
                let seconds = start + (end - start) * Double(boundary) / Double(partsOfBar) + pitchLagSeconds
                return min(max(Int(seconds * Double(framesPerSecond)), 0), frames.frameCount - 1)
            }
            let range = frame(part)..<max(frame(part + 1), frame(part) + 1)
            for frame in range {
                for band in 0..<half {
                    pitches[part * half + band] +=
                        frames.featureValues[frame * frames.dimensions + band] / Float(range.count)
                }
            }
        }
        let norm = pitches.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return norm > 0 ? pitches.map { $0 / norm } : pitches
    }

    private static func cosine(_ first: [Float], _ second: [Float]) -> Float {
        var product: Float = 0
        for index in first.indices { product += first[index] * second[index] }
        return product
    }
}
