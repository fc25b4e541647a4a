import MusicalTime
import Score

/// The start of a slide or a section: a measure of the score and an instant of the reference recording.
public struct MeasureAnchor: Hashable, Sendable, Codable {
    /// The number printed in the score; the same for each repetition of a bar.
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

/// Finds the played measure for a printed number and an instant.
public struct PlayedMeasureLookup: Sendable {
    /// Per printed number: its played measures, by onset.
    private var occurrences: [Int: [(onset: Double, played: Int)]] = [:]

    /// - Complexity: O(measures log measures).
    public init(_ measures: [MeasureMark]) {
        for (played, mark) in measures.enumerated() {
            occurrences[mark.printed, default: []].append((mark.onset.seconds, played))
        }
        for printed in occurrences.keys { occurrences[printed]?.sort { $0.onset < $1.onset } }
    }

    /// The occurrence of a printed number with the onset nearest to an instant; the earlier one of two equally near.
    /// - Returns: nil if no measure has the number.
    /// - Complexity: O(log occurrences).
    public func played(printed: Int, near time: ReferenceTime) -> Int? {
        guard let candidates = occurrences[printed] else { return nil }
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

    public func place(printed: Int, time: ReferenceTime) -> MeasureAnchor {
        MeasureAnchor(printed: printed, played: played(printed: printed, near: time), time: time)
    }
}
