import Basics
import Score

/// The true position of the music at every moment of a live recording.
///
/// The position is linear between measure onsets and stands still within holds, which are intervals in which nothing
/// is played (a general pause, a rehearsal stop). Measure numbers may jump: a cut skips some, a repeat goes back.
public struct GroundTruth: Sendable {
    /// An interval of the live recording, in seconds, in which no music plays.
    public struct UnplayedInterval: Hashable, Sendable {
        public var start: Double
        public var end: Double

        public init(start: Double, endSeconds: Double) {
            self.start = start
            self.end = endSeconds
        }
    }

    /// Measure numbers in the order in which they sound.
    public let measureNumbers: [Double]
    /// The onset of each measure in seconds of the live recording, strictly rising.
    public let measureOnsets: [Double]
    /// The end of the last measure in seconds of the live recording.
    public let endSeconds: Double
    public let unplayedIntervals: [UnplayedInterval]
    /// Converts score positions to seconds, so that position errors can be given as times.
    public let scoreTimeAxis: ScoreTimeAxis
    /// The onsets and the end in seconds of the live recording, without the time spent in holds before them.
    private let onsetsInPlayedTime: [Double]

    /// Creates the ground truth of one live recording.
    /// - Parameters:
    ///   - live: the measures as they sounded live.
    ///   - reference: gives the length of measures that are never played live.
    /// - Throws: ``ExplainedError`` if scoring would need unreasonable memory.
    public init(live: MeasureMap, reference: MeasureMap? = nil, unplayedIntervals: [UnplayedInterval] = [])
        throws(ExplainedError)
    {
        guard live.end.seconds <= Self.longestScoredSeconds else {
            throw ExplainedError(
                "The live measures end at \(live.end.seconds) s; recordings up to two days are "
                    + "scored. Check the times.")
        }
        let played = (live.marks.map(\.onset) + [live.end]).map {
            Self.playedSeconds($0.seconds, without: unplayedIntervals)
        }
        measureNumbers = live.marks.map { Double($0.printed) }
        measureOnsets = live.marks.map(\.onset.seconds)
        endSeconds = live.end.seconds
        self.unplayedIntervals = unplayedIntervals
        onsetsInPlayedTime = played
        scoreTimeAxis = try ScoreTimeAxis(
            live: ScoreTimeAxis.meanMeasureLengths(of: live.marks.map(\.printed), bounds: played),
            reference: reference.map {
                ScoreTimeAxis.meanMeasureLengths(
                    of: $0.marks.map(\.printed), bounds: ($0.marks.map(\.onset) + [$0.end]).map(\.seconds))
            })
    }

    static let longestScoredSeconds = 172_800.0

    /// Returns the true measure, with its fraction, at an instant of the live recording. Before the first onset it is
    /// the first measure, after the end the last one.
    public func truePosition(at seconds: Double) -> Double {
        let instant = Self.playedSeconds(seconds, without: unplayedIntervals)
        let found = onsetsInPlayedTime.countAtMost(instant + 1e-9) - 1
        let index = min(max(found, 0), measureNumbers.count - 1)
        let length = max(onsetsInPlayedTime[index + 1] - onsetsInPlayedTime[index], 1e-9)
        let fraction = (instant - onsetsInPlayedTime[index]) / length
        return measureNumbers[index] + min(max(fraction, 0), 1 - 1e-9)
    }

    /// True if nothing is played at an instant of the live recording.
    public func isNothingPlayed(at seconds: Double) -> Bool {
        unplayedIntervals.contains { seconds >= $0.start && seconds < $0.end }
    }

    /// The times at which the music goes back to a lower measure number (repeats and restarts), in seconds of the live
    /// recording.
    public var backwardJumpTimes: [Double] {
        measureNumbers.indices.dropFirst().filter { measureNumbers[$0] < measureNumbers[$0 - 1] }.map {
            measureOnsets[$0]
        }
    }

    private static func playedSeconds(_ seconds: Double, without holds: [UnplayedInterval]) -> Double {
        var held = 0.0
        for hold in holds where seconds > hold.start { held += max(0, min(seconds, hold.end) - hold.start) }
        return seconds - held
    }
}
