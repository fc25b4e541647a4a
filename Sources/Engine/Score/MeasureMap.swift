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
    /// - Complexity: O(measures).
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

    /// Where the music is at an instant.
    ///
    /// A bar line belongs to the measure it opens. Before the first onset the music waits at its start, after
    /// the end it stays at fraction 1 of the last measure; what is not a number is taken for the start.
    /// - Complexity: O(log measures).
    public func position(at time: ReferenceTime) -> ScorePosition {
        let played = index(at: time)
        let start = marks[played].onset.seconds
        let stop = onset(after: played).seconds
        return ScorePosition(played: played, fraction: clamped((time.seconds - start) / (stop - start)))
    }

    /// The instant of a position; the inverse of ``position(at:)`` between first onset and end.
    ///
    /// A played measure outside the map is taken for the nearest one in it, a fraction is kept within 0…1.
    /// - Complexity: O(1).
    public func time(of position: ScorePosition) -> ReferenceTime {
        let played = min(max(position.played, 0), marks.count - 1)
        let start = marks[played].onset
        return start + (onset(after: played) - start) * clamped(position.fraction)
    }

    /// Where the measure after `played` starts; the end behind the last one, the first onset before the first.
    public func onset(after played: Int) -> ReferenceTime {
        guard played >= 0 else { return marks[0].onset }
        return played < marks.count - 1 ? marks[played + 1].onset : end
    }

    /// The first played measure that bears a printed number, or nil where none does.
    public func firstPlayed(printed: Int) -> Int? {
        marks.firstIndex { $0.printed == printed }
    }

    /// Every played measure that bears a printed number, in performance order: two where a repeat is taken.
    /// - Complexity: O(measures).
    public func everyPlayed(printed: Int) -> [Int] {
        marks.indices.filter { marks[$0].printed == printed }
    }

    /// Index of the played measure that sounds at an instant.
    private func index(at time: ReferenceTime) -> Int {
        var low = 0
        var high = marks.count
        while high - low > 1 {
            let middle = (low + high) / 2
            // By numbers: the operators of ReferenceTime take what is not a number for late.
            if time.seconds >= marks[middle].onset.seconds { low = middle } else { high = middle }
        }
        return low
    }

    /// A fraction of a measure, kept within 0…1; 0 for what is not a number.
    private func clamped(_ fraction: Double) -> Double {
        fraction >= 1 ? 1 : fraction > 0 ? fraction : 0
    }
}

extension MeasureMap {
    private enum CodingKeys: CodingKey { case marks, end }

    /// Decodes and checks: a stored map obeys the same rules as one made from a list.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            marks: fields.decode([MeasureMark].self, forKey: .marks),
            end: fields.decode(ReferenceTime.self, forKey: .end))
    }
}
