import Basics

/// Places score positions on a time axis on which every measure is as long as it lasted in the live recording.
///
/// A measure that was played more than once has the mean of its lengths. A measure that was never played live has its
/// length in the reference, multiplied by the tempo ratio of the two recordings. The distance between two positions is
/// therefore exactly the live time between them, unless the music jumps in between.
public struct ScoreTimeAxis: Sendable {
    static let mostMeasures = 100_000

    /// The lowest measure number; `pastHighestMeasure` is one more than the highest measure number.
    public let lowestMeasure: Double
    public let pastHighestMeasure: Double
    private let boundaryMeasureNumbers: [Double]
    private let measureStartSeconds: [Double]

    init(live: [MeasureLength], reference: [MeasureLength]?) throws(ExplainedError) {
        var lengths: [Int: Double] = [:]
        for measure in live { lengths[measure.number] = measure.seconds }
        if let reference {
            var referenceLengths: [Int: Double] = [:]
            for measure in reference { referenceLengths[measure.number] = measure.seconds }
            let both = live.filter { referenceLengths[$0.number] != nil }
            let liveSum = both.reduce(0) { $0 + $1.seconds }
            let referenceSum = both.reduce(0) { $0 + (referenceLengths[$1.number] ?? 0) }
            let ratio = both.isEmpty ? 1 : liveSum / max(1e-9, referenceSum)
            for measure in reference where lengths[measure.number] == nil {
                lengths[measure.number] = measure.seconds * ratio
            }
        }
        let first = lengths.keys.min() ?? 0
        let last = lengths.keys.max() ?? 0
        let (span, overflow) = last.subtractingReportingOverflow(first)
        guard !overflow, span < Self.mostMeasures, abs(Double(last)) < 1e12 else {
            throw ExplainedError(
                "Measure numbers run from \(first) to \(last); at most \(ScoreTimeAxis.mostMeasures) "
                    + "are scored. Check the measure column.")
        }
        var knots: [Double] = []
        var seconds: [Double] = [0]
        for number in first...last {
            knots.append(Double(number))
            // NumPy's cumulative sum starts with its first term itself.
            let length = lengths[number] ?? 0
            seconds.append(number == first ? length : seconds[seconds.count - 1] + length)
        }
        knots.append(Double(last + 1))
        self.boundaryMeasureNumbers = knots
        self.measureStartSeconds = seconds
        lowestMeasure = Double(first)
        pastHighestMeasure = Double(last + 1)
    }

    /// Returns the seconds from the start of the lowest measure to a position; a position outside the score counts as
    /// the nearest end.
    public func seconds(at position: Double) -> Double {
        boundaryMeasureNumbers.interpolate(measureStartSeconds, at: position)
    }

    /// Returns the mean length of each measure number, in seconds, in the order of first appearance.
    static func meanMeasureLengths(of numbers: [Int], bounds: [Double]) -> [MeasureLength] {
        var order: [Int] = []
        var lengths: [Int: [Double]] = [:]
        for (index, number) in numbers.enumerated() {
            if lengths[number] == nil { order.append(number) }
            lengths[number, default: []].append(bounds[index + 1] - bounds[index])
        }
        return order.map { MeasureLength(number: $0, seconds: Statistics.mean(lengths[$0] ?? [])) }
    }

    struct MeasureLength {
        var number: Int
        var seconds: Double
    }
}
