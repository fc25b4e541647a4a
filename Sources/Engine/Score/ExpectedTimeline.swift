import Basics

/// The time axis on which coming bar lines are predicted: the measures of the reference with the durations that are
/// expected tonight.
///
/// Tonight's players linger at some of the places at which the reference lingers, and at others not. The expected
/// duration of a measure is therefore halfway, as a geometric mean, between its duration in the reference and the
/// median of its neighbourhood, and at most a little longer than the latter: a page that waited for a fermata that
/// nobody makes would turn late. A measure that is more than three times as long as its neighbourhood is long music,
/// not a fermata, and one that is much shorter is an upbeat or a divided measure: both keep the reference's duration.
public struct ExpectedTimeline: Hashable, Sendable {
    /// The number of measures on either side that count as a measure's neighbourhood.
    static let neighbourhoodRadius = 4
    /// A measure that exceeds its neighbourhood's median by more than this factor keeps its duration.
    static let longMusicFactor = 3.0
    /// A measure that is shorter than its neighbourhood's median by more than this factor is short music (an upbeat, a
    /// measure divided by a repeat) and keeps its duration.
    static let shortMusicFactor = 1.8
    /// The longest expected duration, as a multiple of the neighbourhood's median.
    static let lingeringFactor = 1.2

    /// The starts of all measures in seconds from the first one, followed by the end of the last one.
    private let starts: [Double]
    private let durationsInReference: [Double]

    /// - Complexity: O(measures).
    public init(_ measures: MeasureMap) {
        let lengths = measures.marks.indices.map {
            (measures.onset(after: $0) - measures.marks[$0].onset).value
        }
        var starts = [0.0]
        starts.reserveCapacity(lengths.count + 1)
        for index in lengths.indices {
            starts.append(starts[index] + Self.expectedDuration(ofMeasure: index, in: lengths))
        }
        self.starts = starts
        durationsInReference = lengths
    }

    private static func expectedDuration(ofMeasure index: Int, in lengths: [Double]) -> Double {
        let first = max(0, index - neighbourhoodRadius)
        let last = min(lengths.count - 1, index + neighbourhoodRadius)
        let near = lengths[first...last].sorted()
        let median = (near[(near.count - 1) / 2] + near[near.count / 2]) / 2
        guard lengths[index] <= longMusicFactor * median, lengths[index] * shortMusicFactor >= median else {
            return lengths[index]
        }
        return min((lengths[index] * median).squareRoot(), lingeringFactor * median)
    }

    /// The expected duration of a played measure in seconds; a measure outside the music counts as the nearest one in
    /// it.
    public func duration(ofMeasure played: Int) -> Double {
        let index = clampedIndex(played)
        return starts[index + 1] - starts[index]
    }

    /// The start of a played measure in seconds from the start of the first one. The measure after the last one starts
    /// at the end of the music.
    public func start(ofMeasure played: Int) -> Double { starts[min(max(played, 0), starts.count - 1)] }

    /// The time of a position in seconds from the start of the first measure.
    /// - Complexity: O(1).
    public func seconds(at position: ScorePosition) -> Double {
        let fraction = position.fraction > 0 ? min(position.fraction, 1) : 0
        return start(ofMeasure: clampedIndex(position.played)) + fraction
            * duration(ofMeasure: position.played)
    }

    /// Converts a tempo from seconds of the reference per second to seconds of this axis per second.
    public func speed(ofTempo tempo: Double, inMeasure played: Int) -> Double {
        tempo * duration(ofMeasure: played) / durationsInReference[clampedIndex(played)]
    }

    private func clampedIndex(_ played: Int) -> Int { min(max(played, 0), durationsInReference.count - 1) }
}
