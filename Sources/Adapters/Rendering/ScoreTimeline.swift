import MusicalTime

/// Converts ticks of the score to seconds of the audio.
///
/// The score's tempo marks and the performer's tempo ratio and curve are integrated once, on a grid of
/// ``slicesPerMeasure`` steps a measure; between grid points the conversion is linear.
public struct ScoreTimeline: Sendable {
    /// The longest accepted performance, in seconds. A limit is needed because a MIDI file of a few bytes can last for
    /// centuries.
    public static let maximumSeconds = 6.0 * 3_600
    static let slicesPerMeasure = 48

    private var ticks: [Int]
    private var seconds: [Double]

    /// - Parameters:
    ///   - start: the time of the first measure in the audio.
    ///   - ratio: a factor for every tempo, including the curve's.
    /// - Throws: ``RenderingError/tooLong(seconds:)``.
    public init(
        music: NotatedMusic, start: Seconds, ratio: TempoRatio = .unity, curve: TempoCurve? = nil
    ) throws(RenderingError) {
        let marks = TempoMap(music.sequence)
        let first = music.measures[0].tick
        ticks = [first]
        seconds = [start.value]
        var elapsed = start.value
        for (played, measure) in music.measures.enumerated() {
            let stop = played + 1 < music.measures.count ? music.measures[played + 1].tick : music.endTick
            let length = stop - measure.tick
            let grid = (1...Self.slicesPerMeasure).map { measure.tick + length * $0 / Self.slicesPerMeasure }
            let changes = marks.tempoChanges(after: measure.tick, before: stop)
            var from = measure.tick
            for tick in Set(grid + changes).sorted() where tick > from {
                let middle = (Double(from + tick) / 2 - Double(measure.tick)) / Double(length)
                let nominal = marks.seconds(from: from, to: tick)
                let quarters = Double(tick - from) / Double(music.sequence.ticksPerQuarter)
                let pace = curve?.value(measure, played: played, middle) ?? 1
                let unhurried = curve?.unit == .quartersPerMinute ? quarters * 60 : nominal
                elapsed += unhurried / (ratio.value * pace)
                guard elapsed <= Self.maximumSeconds else { throw .tooLong(seconds: elapsed) }
                ticks.append(tick)
                seconds.append(elapsed)
                from = tick
            }
        }
    }

    /// The time of a tick. Before the first measure and after the last, the tempo at that edge continues.
    /// - Complexity: O(log measures).
    public func time(of tick: Int) -> ReferenceTime {
        var low = 0
        var high = ticks.count - 1
        while high - low > 1 {
            let middle = (low + high) / 2
            if ticks[middle] <= tick { low = middle } else { high = middle }
        }
        let slope = (seconds[high] - seconds[low]) / Double(ticks[high] - ticks[low])
        return ReferenceTime(seconds: seconds[low] + Double(tick - ticks[low]) * slope)
    }
}

extension TempoCurve {
    fileprivate func value(_ measure: NotatedMeasure, played: Int, _ fraction: Double) -> Double {
        switch axis {
        case .printed: value(at: Double(measure.printed) + fraction)
        case .played: value(at: Double(played + 1) + fraction)
        }
    }
}
