import Basics
import Score

/// Finds measures that are much longer or shorter than their neighbours: a bar line was missed or tapped twice.
struct MeasureLengthCheck {
    let marks: [PlayedMeasure]
    let end: ReferenceTime?

    /// The number of measures before and after a measure with which it is compared.
    private let comparedNeighbourCount = 4
    private let longRatio = 3.0
    private let shortRatio = 0.25
    /// The shortest plausible measure, in seconds: half the length of a very fast measure that is conducted in one.
    private let shortestPlausibleSeconds = 0.05

    func addFindings(to findings: inout MeasureTimesFindingCollector) {
        let lengths = marks.indices.map { row -> Double? in
            guard let next = row + 1 < marks.count ? marks[row + 1].onset : end else { return nil }
            let length = (next - marks[row].onset).value
            return length.isFinite && length > 0 ? length : nil
        }
        for (row, length) in lengths.enumerated() {
            guard let length else { continue }
            if length < shortestPlausibleSeconds {
                findings.addFinding(
                    .warning, .short, row: row,
                    "lasts only \(formattedSeconds(length)) s; was its bar line set twice?")
                continue
            }
            guard let median = medianLengthAround(row, lengths) else { continue }
            if length > longRatio * median {
                findings.addFinding(
                    .warning, .long, row: row,
                    "lasts \(formattedSeconds(length)) s, those around it \(formattedSeconds(median)) s; "
                        + "if it is no fermata or cadenza, a bar line is missing.")
            } else if length < shortRatio * median, shouldHaveFullLength(row) {
                findings.addFinding(
                    .warning, .short, row: row,
                    "lasts \(formattedSeconds(length)) s, those around it \(formattedSeconds(median)) s; "
                        + "is a bar line too many?"
                )
            }
        }
    }

    /// Returns false for a pickup, the last measure and a split bar, which may be shorter than other measures.
    private func shouldHaveFullLength(_ row: Int) -> Bool {
        guard row > 0, row + 1 < marks.count else { return false }
        let printed = marks[row].printed
        return printed != marks[row - 1].printed && printed != marks[row + 1].printed
    }

    /// Returns the median length of the neighbouring measures; nil if there are fewer than three.
    private func medianLengthAround(_ row: Int, _ lengths: [Double?]) -> Double? {
        let near = max(row - comparedNeighbourCount, 0)...min(row + comparedNeighbourCount, lengths.count - 1)
        let sorted = near.compactMap { $0 == row ? nil : lengths[$0] }.sorted()
        return sorted.count < 3 ? nil : sorted[sorted.count / 2]
    }
}
