import Basics
import Score

/// The start of a slide or a section, as a measure of the score and a time in the reference recording.
public struct MeasureAnchor: Hashable, Sendable, Codable {
    /// The measure number printed in the score, which is the same for each repetition of a bar.
    public var printed: Int
    /// Index into ``PieceContent/measures``; nil if no measure there has the printed number.
    public var played: Int?
    public var time: ReferenceTime

    public init(printed: Int, played: Int?, time: ReferenceTime) {
        self.printed = printed
        self.played = played
        self.time = time
    }
}

/// Finds the played measure that belongs to a printed number and a time.
public struct PlayedMeasureLookup: Sendable {
    /// For each printed number its played measures, sorted by onset; onsets in seconds.
    private var playedMeasuresByPrintedNumber: [Int: [(onset: Double, played: Int)]] = [:]

    /// Builds the lookup table.
    /// - Complexity: O(measures log measures).
    public init(_ measures: [PlayedMeasure]) {
        for (played, mark) in measures.enumerated() {
            playedMeasuresByPrintedNumber[mark.printed, default: []].append((mark.onset.seconds, played))
        }
        for printed in playedMeasuresByPrintedNumber.keys {
            playedMeasuresByPrintedNumber[printed]?.sort { $0.onset < $1.onset }
        }
    }

    /// Finds the played measure with a printed number whose onset is nearest to a time; of two equally near, the
    /// earlier one.
    /// - Returns: nil if no measure has the number.
    /// - Complexity: O(log occurrences).
    public func playedMeasure(printed: Int, near time: ReferenceTime) -> Int? {
        guard let candidates = playedMeasuresByPrintedNumber[printed] else { return nil }
        var (low, high) = (0, candidates.count)
        while low < high {
            let middle = (low + high) / 2
            if candidates[middle].onset < time.seconds { low = middle + 1 } else { high = middle }
        }
        guard low < candidates.count else { return candidates.last?.played }
        guard low > 0 else { return candidates[0].played }
        let isNearerBefore = time.seconds - candidates[low - 1].onset <= candidates[low].onset - time.seconds
        return candidates[isNearerBefore ? low - 1 : low].played
    }

    public func makeAnchor(printed: Int, time: ReferenceTime) -> MeasureAnchor {
        MeasureAnchor(printed: printed, played: playedMeasure(printed: printed, near: time), time: time)
    }
}
