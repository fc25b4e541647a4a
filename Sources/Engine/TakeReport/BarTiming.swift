/// One bar of a take, as the alignment with the reference found it.
public struct AlignedBar: Sendable, Hashable {
    /// The played measure of the reference, counted from 0.
    public var played: Int
    /// The onset in seconds of the take.
    public var seconds: Double
    /// The onset in seconds of the reference.
    public var referenceSeconds: Double
    /// The reason why the onset is not certain; nil if it is.
    public var doubt: BarDoubt?

    public init(played: Int, seconds: Double, referenceSeconds: Double, doubt: BarDoubt? = nil) {
        (self.played, self.seconds, self.referenceSeconds) = (played, seconds, referenceSeconds)
        self.doubt = doubt
    }
}

/// The reason why something of a bar cannot be judged.
public enum BarDoubt: Sendable, Hashable {
    /// The sound fits other instants nearly as well.
    case ambiguous
    /// The sound is unlike the reference: other notes, noise, or silence for lost sound.
    case unlike
    /// The bar is played at a third of the tempo or three times as fast: a stop, or a wrong onset.
    case improbableTempo
    /// The student came here by a jump, so that no even pace leads to it.
    case afterJump
    /// Too few certain bars are beside it.
    case fewNeighbours
}

/// The pace of one bar of a take.
public struct BarTiming: Sendable, Hashable {
    public var played: Int
    /// The onset in seconds of the take.
    public var seconds: Double
    /// The tempo as a multiple of the reference's; nil if an end of the bar is not certain.
    public var tempo: Double?
    /// Seconds by which the bar begins later than the bars beside it lead to expect; negative if earlier. Nil if that
    /// cannot be judged.
    public var lateness: Double?
    /// The reason why the lateness cannot be judged; nil if it can.
    public var doubt: BarDoubt?

    /// The shortest lateness, in seconds, that is called early or late. Alignment itself errs by some 30 ms.
    public static let leastLateness = 0.06
    /// The bars before and after a bar that show its pace.
    static let reach = 3
    /// The fewest certain bars among them, with one before and one after.
    static let fewestNeighbours = 3

    /// Judges the bars that were played one after the other, without a jump.
    /// - Parameters:
    ///   - bars: in order; onsets rise in the take and in the reference.
    ///   - end: the end of the last bar, in seconds of the take and of the reference.
    /// - Complexity: O(bars).
    public static func judge(
        _ bars: [AlignedBar], end: (seconds: Double, referenceSeconds: Double)
    ) -> [BarTiming] {
        bars.indices.map { index in
            let bar = bars[index]
            let isLast = index == bars.count - 1
            let next = isLast ? nil : bars[index + 1]
            let isCertain = bar.doubt == nil && next?.doubt == nil
            let length = (next?.seconds ?? end.seconds) - bar.seconds
            let written = (next?.referenceSeconds ?? end.referenceSeconds) - bar.referenceSeconds
            var timing = BarTiming(
                played: bar.played, seconds: bar.seconds,
                tempo: isCertain && length > 0 ? written / length : nil)
            if let doubt = bar.doubt {
                timing.doubt = doubt
            } else if index == 0 {
                timing.doubt = .afterJump
            } else if let expected = expectedSeconds(of: index, among: bars) {
                timing.lateness = bar.seconds - expected
            } else {
                timing.doubt = .fewNeighbours
            }
            return timing
        }
    }

    /// The onset to which an even pace through the bars beside a bar leads, by the median of slopes.
    ///
    /// Source: P. K. Sen, "Estimates of the regression coefficient based on Kendall's tau", JASA 1968.
    private static func expectedSeconds(of index: Int, among bars: [AlignedBar]) -> Double? {
        let range = max(index - reach, 0)...min(index + reach, bars.count - 1)
        let beside = range.filter { $0 != index && bars[$0].doubt == nil }
        guard beside.count >= fewestNeighbours, beside[0] < index, beside[beside.count - 1] > index else {
            return nil
        }
        var slopes: [Double] = []
        for (position, one) in beside.enumerated() {
            for other in beside[(position + 1)...] {
                slopes.append(
                    (bars[other].seconds - bars[one].seconds)
                        / (bars[other].referenceSeconds - bars[one].referenceSeconds))
            }
        }
        let slope = median(slopes)
        let here = bars[index].referenceSeconds
        return median(beside.map { bars[$0].seconds + slope * (here - bars[$0].referenceSeconds) })
    }
}

/// The middle value; the mean of both middle ones of an even number. At least one value.
func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
