import Basics

/// Converts ticks of the score to seconds of the audio.
///
/// The score's tempo marks and the performer's tempo ratio and curve are integrated once, on a grid of
/// ``tempoStepsPerMeasure`` steps a measure; between grid points the conversion is linear.
public struct ScoreTickConverter: Sendable {
    /// The longest accepted performance, in seconds. A limit is needed because a MIDI file of a few bytes can last for
    /// centuries.
    public static let longestPerformanceSeconds = 6.0 * 3_600
    static let tempoStepsPerMeasure = 48

    private(set) var gridTicks: [Int]
    /// The time of each tick of the grid in the audio.
    private(set) var gridSeconds: [Double]

    /// - Parameters:
    ///   - start: the time of the first measure in the audio.
    ///   - ratio: a factor for every tempo, including the curve's.
    /// - Throws: ``ExplainedError``.
    public init(
        music: NotatedMusic, start: Seconds, ratio: TempoRatio = .unity, curve: TempoCurve? = nil
    ) throws(ExplainedError) {
        let marks = TempoMap(music.sequence)
        let first = music.playedMeasures[0].startTick
        gridTicks = [first]
        gridSeconds = [start.value]
        var elapsed = start.value
        for (played, measure) in music.playedMeasures.enumerated() {
            let stop =
                played + 1 < music.playedMeasures.count
                ? music.playedMeasures[played + 1].startTick : music.endTick
            let length = stop - measure.startTick
            let grid = (1...Self.tempoStepsPerMeasure).map {
                measure.startTick + length * $0 / Self.tempoStepsPerMeasure
            }
            let changes = marks.ticksOfTempoChanges(after: measure.startTick, before: stop)
            var from = measure.startTick
            for tick in Set(grid + changes).sorted() where tick > from {
                let middle = (Double(from + tick) / 2 - Double(measure.startTick)) / Double(length)
                let nominal = marks.durationSeconds(from: from, to: tick)
                let quarters = Double(tick - from) / Double(music.sequence.ticksPerQuarter)
                let pace = curve?.tempoValue(measure, played: played, middle) ?? 1
                let unhurried = curve?.tempoUnit == .quartersPerMinute ? quarters * 60 : nominal
                elapsed += unhurried / (ratio.value * pace)
                guard elapsed <= Self.longestPerformanceSeconds else {
                    throw ExplainedError(
                        "The performance would last \(Int(elapsed / 3_600)) hours or more; up to 6 "
                            + "are rendered. Check the tempo.")
                }
                gridTicks.append(tick)
                gridSeconds.append(elapsed)
                from = tick
            }
        }
    }

    /// The time of a tick. Before the first measure and after the last, the tempo at that edge continues.
    /// - Complexity: O(log measures).
    public func audioTime(of tick: Int) -> ReferenceTime {
        var low = 0
        var high = gridTicks.count - 1
        while high - low > 1 {
            let middle = (low + high) / 2
            if gridTicks[middle] <= tick { low = middle } else { high = middle }
        }
        let slope = (gridSeconds[high] - gridSeconds[low]) / Double(gridTicks[high] - gridTicks[low])
        return ReferenceTime(seconds: gridSeconds[low] + Double(tick - gridTicks[low]) * slope)
    }
}

extension TempoCurve {
    /// Refuses a curve with a point more than a measure before the first measure, or after the end of the last.
    func checkMeasures(of music: NotatedMusic) throws(ExplainedError) {
        let printed = music.playedMeasures.map(\.printedNumber)
        let (first, last) =
            measureCounting == .played
            ? (1, printed.count) : (printed.min() ?? 1, printed.max() ?? 1)
        let allowed = Double(first - 1)...Double(last + 1)
        guard let point = points.first(where: { !allowed.contains($0.measure) }) else { return }
        throw ExplainedError(
            "The tempo curve has a point at measure "
                + "\(point.measure.formatted(.number.grouping(.never))); the score has the measures "
                + "\(first) to \(last). Correct the point or take it out.")
    }

    fileprivate func tempoValue(_ measure: NotatedMeasure, played: Int, _ fraction: Double) -> Double {
        switch measureCounting {
        case .printed: tempoValue(at: Double(measure.printedNumber) + fraction)
        case .played: tempoValue(at: Double(played + 1) + fraction)
        }
    }
}
