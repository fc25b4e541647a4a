import MusicalTime

/// One performed measure of a recording: the number printed in the score and the instant it starts.
public struct MeasureMark: Hashable, Sendable, Codable {
    /// The number printed in the score; a repeated bar has the same number both times.
    public var printed: Int
    public var onset: ReferenceTime

    public init(printed: Int, onset: ReferenceTime) {
        self.printed = printed
        self.onset = onset
    }
}

/// Which measure sounds when in one recording, in performance order with repeats unfolded.
///
/// *Played* measures count through what is performed (index 0 is the first row); *printed* measures are the
/// numbers in the score. The map is the only place where the two meet.
public struct MeasureMap: Hashable, Sendable, Codable {
    /// In performance order, onsets strictly rising, at least one.
    public let marks: [MeasureMark]
    /// Where the last measure ends.
    public let end: ReferenceTime

    /// - Throws: ``MeasureMapFault`` naming the first row that breaks a rule.
    public init(marks: [MeasureMark], end: ReferenceTime) throws(MeasureMapFault) {
        guard let last = marks.last else { throw .empty }
        for (row, mark) in marks.enumerated() {
            guard mark.onset.seconds.isFinite, mark.onset.seconds >= 0 else {
                throw .notATime(row: row, printed: mark.printed, seconds: mark.onset.seconds)
            }
            if row > 0, mark.onset <= marks[row - 1].onset {
                throw .notRising(
                    row: row, printed: mark.printed, seconds: mark.onset.seconds,
                    before: marks[row - 1].onset.seconds)
            }
        }
        guard end.seconds.isFinite, end > last.onset else {
            throw .endsBeforeLastMeasure(end: end.seconds, last: last.onset.seconds)
        }
        self.marks = marks
        self.end = end
    }

    /// Where the music is at an instant: clamped to the first onset before it and to the end after it.
    /// - Complexity: O(log measures).
    public func position(at time: ReferenceTime) -> ScorePosition {
        let played = index(at: time)
        let start = marks[played].onset.seconds
        let stop = onset(after: played).seconds
        let fraction = min(max((time.seconds - start) / (stop - start), 0), 1)
        return ScorePosition(played: played, fraction: fraction)
    }

    /// The instant of a position; the inverse of ``position(at:)`` between first onset and end.
    public func time(of position: ScorePosition) -> ReferenceTime {
        let played = min(max(position.played, 0), marks.count - 1)
        let start = marks[played].onset
        return start + (onset(after: played) - start) * position.fraction
    }

    /// Where the measure after `played` starts; the end behind the last one.
    public func onset(after played: Int) -> ReferenceTime {
        played + 1 < marks.count ? marks[played + 1].onset : end
    }

    /// The printed number and the fraction within the measure in one figure, as evaluations write it.
    public func fractionalMeasure(at time: ReferenceTime) -> Double {
        let position = position(at: time)
        return Double(marks[position.played].printed) + position.fraction
    }

    /// The first played measure that bears a printed number, or nil where none does.
    public func firstPlayed(printed: Int) -> Int? {
        marks.firstIndex { $0.printed == printed }
    }

    /// Index of the played measure that sounds at an instant.
    private func index(at time: ReferenceTime) -> Int {
        var low = 0
        var high = marks.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if marks[middle].onset <= time { low = middle } else { high = middle }
        }
        return low
    }
}

/// A place in the music: a played measure and how far into it.
public struct ScorePosition: Hashable, Comparable, Sendable, Codable {
    /// Index into ``MeasureMap/marks``: performed measures counted through from 0.
    public var played: Int
    /// 0 at the bar line that opens the measure, 1 at the next.
    public var fraction: Double

    public init(played: Int, fraction: Double) {
        self.played = played
        self.fraction = fraction
    }

    public static func < (lhs: ScorePosition, rhs: ScorePosition) -> Bool {
        (lhs.played, lhs.fraction) < (rhs.played, rhs.fraction)
    }
}

/// What is wrong with a list of measure times. Rows count from 0 as in the list.
public enum MeasureMapFault: Error, Hashable, Sendable {
    case empty
    case notATime(row: Int, printed: Int, seconds: Double)
    case notRising(row: Int, printed: Int, seconds: Double, before: Double)
    case endsBeforeLastMeasure(end: Double, last: Double)
}
