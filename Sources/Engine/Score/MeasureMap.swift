import Basics

/// One performed measure of a recording: the number printed in the score and the instant it starts.
public struct PlayedMeasure: Hashable, Sendable, Codable {
    /// The measure's number in the score; a repeated measure has the same number both times.
    public var printed: Int
    public var onset: ReferenceTime

    public init(printed: Int, onset: ReferenceTime) {
        self.printed = printed
        self.onset = onset
    }
}

/// Maps each instant of one recording to the measure that sounds: the recording's measures in performance order, with
/// repeats written out.
///
/// A *played* measure is an index into ``marks``, counted from 0 through the whole performance; a *printed* measure is
/// the number in the score. Only this map converts between the two.
public struct MeasureMap: Hashable, Sendable, Codable {
    /// The measures in performance order; the onsets rise strictly, and there is at least one.
    public let marks: [PlayedMeasure]
    /// The instant at which the last measure ends.
    public let end: ReferenceTime

    /// Creates a map after checking that the onsets rise and the end is after them.
    /// - Throws: ``MeasureMapFault`` naming the first row that is wrong.
    /// - Complexity: O(measures).
    public init(marks: [PlayedMeasure], end: ReferenceTime) throws(MeasureMapFault) {
        guard let last = marks.last else { throw .empty }
        for (row, mark) in marks.enumerated() {
            guard mark.onset.seconds.isFinite, mark.onset.seconds >= 0 else {
                throw .invalidTime(row: row, printed: mark.printed, seconds: mark.onset.seconds)
            }
            if row > 0, mark.onset <= marks[row - 1].onset {
                throw .onsetsNotRising(
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

    private init(seconds: Double) {
        marks = [PlayedMeasure(printed: 1, onset: ReferenceTime(seconds: 0))]
        end = ReferenceTime(seconds: seconds)
    }

    /// A single measure of one second, for a programme to which no piece has been added yet.
    public static let oneMeasure = MeasureMap(seconds: 1)

    /// The played measure that sounds at an instant, and the fraction of it that has passed.
    ///
    /// A bar line belongs to the measure that it opens. An instant before the first onset gives the start of the
    /// first measure, an instant after the end gives fraction 1 of the last one, and NaN gives the start.
    /// - Complexity: O(log measures).
    public func position(at time: ReferenceTime) -> ScorePosition {
        let played = playedIndex(at: time)
        let start = marks[played].onset.seconds
        let stop = onset(after: played).seconds
        return ScorePosition(
            played: played, fraction: clampedFraction((time.seconds - start) / (stop - start)))
    }

    /// The instant of a position; the inverse of ``position(at:)`` between first onset and end.
    ///
    /// A played measure outside the map counts as the nearest one inside; the fraction is limited to 0…1.
    /// - Complexity: O(1).
    public func time(of position: ScorePosition) -> ReferenceTime {
        let played = min(max(position.played, 0), marks.count - 1)
        let start = marks[played].onset
        return start + (onset(after: played) - start) * clampedFraction(position.fraction)
    }

    /// Returns the onset of the measure after `played`. After the last measure that is the end of the music; for -1 it
    /// is the first onset.
    public func onset(after played: Int) -> ReferenceTime {
        guard played >= 0 else { return marks[0].onset }
        return played < marks.count - 1 ? marks[played + 1].onset : end
    }

    /// The first played measure with a printed number, or nil if there is none.
    public func firstPlayedIndex(printed: Int) -> Int? {
        marks.firstIndex { $0.printed == printed }
    }

    /// Every played measure with a printed number, in performance order: two if a repeat is taken.
    /// - Complexity: O(measures).
    public func playedIndices(printed: Int) -> [Int] {
        marks.indices.filter { marks[$0].printed == printed }
    }

    /// Index of the played measure that sounds at an instant.
    private func playedIndex(at time: ReferenceTime) -> Int {
        var low = 0
        var high = marks.count
        while high - low > 1 {
            let middle = (low + high) / 2
            // Compares the numbers, because `>=` of ReferenceTime is `!(<)`, which is true for NaN.
            if time.seconds >= marks[middle].onset.seconds { low = middle } else { high = middle }
        }
        return low
    }

    /// Limits a fraction of a measure to 0…1; NaN becomes 0.
    private func clampedFraction(_ fraction: Double) -> Double {
        fraction >= 1 ? 1 : fraction > 0 ? fraction : 0
    }
}

#if !hasFeature(Embedded)
    extension MeasureMap {
        private enum CodingKeys: CodingKey { case marks, end }

        /// Decodes a stored map and checks it by the same rules as a new one.
        public init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            try self.init(
                marks: fields.decode([PlayedMeasure].self, forKey: .marks),
                end: fields.decode(ReferenceTime.self, forKey: .end))
        }
    }
#endif
