import Score

extension ContentCheck {
    /// Checks whether the content's measures fit the measures of the piece's prepared model, which the follower
    /// follows.
    ///
    /// During a bar that the content lacks, listeners keep the last slide before it.
    /// - Parameters:
    ///   - index: index of the piece in its concert.
    ///   - followed: the model's measures in playing order.
    /// - Complexity: O(measures).
    public static func followedMeasureFindings(
        _ piece: PieceContent, at index: Int, followed: [PlayedMeasure]
    ) -> [ContentFinding] {
        let numbers = followed.map(\.printed)
        guard !followed.isEmpty, !piece.measures.isEmpty, piece.measures.map(\.printed) != numbers else {
            return []  // a piece without measures has a finding of its own
        }
        let place = FindingLocation(piece: index)
        let advice = "give the piece the measures of its recording again"
        let missing = Set(numbers).subtracting(piece.measures.map(\.printed)).sorted()
        guard missing.isEmpty else {
            return [
                ContentFinding(
                    .otherMeasures, .error, at: place,
                    "The map of “\(piece.name)” does not fit the bars that are followed: \(describeMeasures(missing)) "
                        + "\(missing.count == 1 ? "is" : "are") missing in it, and listeners keep the slide before; "
                        + advice + ".")
            ]
        }
        return [
            ContentFinding(
                .otherMeasures, .warning, at: place,
                "The map of “\(piece.name)” plays \(piece.measures.count) measures, the recording that "
                    + "is followed plays "
                    + "\(followed.count), or the same ones in another order; \(advice).")
        ]
    }

    /// Lists bars in words, such as `bars 5, 61–88`. Consecutive numbers are joined, and at most five runs are listed.
    private static func describeMeasures(_ numbers: [Int]) -> String {
        var runs: [ClosedRange<Int>] = []
        for number in numbers {
            if let last = runs.last, last.upperBound == number - 1 {
                runs[runs.count - 1] = last.lowerBound...number
            } else {
                runs.append(number...number)
            }
        }
        let shown = runs.prefix(5).map {
            $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)"
        }
        return (numbers.count == 1 ? "bar " : "bars ") + shown.joined(separator: ", ")
            + (runs.count > 5 ? " …" : "")
    }
}
