import MusicalTime
import Score

/// The true position of the music at every moment of a live recording.
///
/// The position is linear between measure onsets and stands still within holds, which are intervals in which nothing
/// is played (a general pause, a rehearsal stop). Measure numbers may jump: a cut skips some, a repeat goes back.
public struct GroundTruth: Sendable {
    /// A live interval in seconds in which no music plays.
    public struct Hold: Hashable, Sendable {
        public var start: Double
        public var end: Double

        public init(start: Double, end: Double) {
            self.start = start
            self.end = end
        }
    }

    /// Measure numbers in the order in which they sound.
    public let measures: [Double]
    /// Live seconds at which the measures begin, strictly rising.
    public let onsets: [Double]
    /// Live seconds at which the last measure ends.
    public let end: Double
    public let holds: [Hold]
    /// Converts score positions to live seconds, for errors measured in time.
    public let layout: ScoreLayout
    /// Onsets and end in live seconds, minus the time spent in holds before them.
    private let playedOnsets: [Double]

    /// - Parameters:
    ///   - live: the measures as they sounded live.
    ///   - reference: gives the length of measures that are never played live.
    /// - Throws: ``GroundTruthFault`` if scoring would need unreasonable memory.
    public init(live: MeasureMap, reference: MeasureMap? = nil, holds: [Hold] = []) throws(GroundTruthFault) {
        guard live.end.seconds <= Self.longestSeconds else { throw .tooLong(seconds: live.end.seconds) }
        let played = (live.marks.map(\.onset) + [live.end]).map { Self.played($0.seconds, without: holds) }
        measures = live.marks.map { Double($0.printed) }
        onsets = live.marks.map(\.onset.seconds)
        end = live.end.seconds
        self.holds = holds
        playedOnsets = played
        layout = try ScoreLayout(
            live: ScoreLayout.durations(of: live.marks.map(\.printed), bounds: played),
            reference: reference.map {
                ScoreLayout.durations(
                    of: $0.marks.map(\.printed), bounds: ($0.marks.map(\.onset) + [$0.end]).map(\.seconds))
            })
    }

    static let longestSeconds = 172_800.0

    /// The true measure with its fraction at a live instant; the nearest one before the first onset and after the
    /// end.
    public func position(at seconds: Double) -> Double {
        let instant = Self.played(seconds, without: holds)
        let found = playedOnsets.countAtMost(instant + 1e-9) - 1
        let index = min(max(found, 0), measures.count - 1)
        let length = max(playedOnsets[index + 1] - playedOnsets[index], 1e-9)
        let fraction = (instant - playedOnsets[index]) / length
        return measures[index] + min(max(fraction, 0), 1 - 1e-9)
    }

    /// True if nothing is played at a live instant.
    public func isHeld(at seconds: Double) -> Bool {
        holds.contains { seconds >= $0.start && seconds < $0.end }
    }

    /// Live seconds at which the music goes back to a lower number: repeats and restarts.
    public var backwardJumps: [Double] {
        measures.indices.dropFirst().filter { measures[$0] < measures[$0 - 1] }.map { onsets[$0] }
    }

    private static func played(_ seconds: Double, without holds: [Hold]) -> Double {
        var held = 0.0
        for hold in holds where seconds > hold.start { held += max(0, min(seconds, hold.end) - hold.start) }
        return seconds - held
    }
}

/// Reasons why a truth is refused.
public enum GroundTruthFault: Error, Hashable, Sendable {
    case tooLong(seconds: Double)
    case numbersTooFarApart(lowest: Int, highest: Int)

    public var sentence: String {
        switch self {
        case .tooLong(let seconds):
            "The live measures end at \(seconds) s; recordings up to two days are scored. Check the times."
        case .numbersTooFarApart(let lowest, let highest):
            "Measure numbers run from \(lowest) to \(highest); at most \(ScoreLayout.mostMeasures) are scored. "
                + "Check the measure column."
        }
    }
}
