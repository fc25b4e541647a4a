import Rehearsal
import Score

/// Compares a movement's marked measure numbers with the numbers of the piece to which the movement is bound.
///
/// Stands turn pages by the measure numbers that the follower reports. If the marked numbers are shifted, every page
/// turn comes late or early by the same number of measures, and no other sign shows the error.
enum MeasureNumberCheck {
    /// Warns about marked numbers that differ from the piece's. Movements that are bound to no piece are not checked.
    /// - Parameter pieces: the pieces that can be followed, with their lowest and highest number.
    /// - Returns: one sentence for each movement with other numbers; empty if all agree.
    static func warnings(
        _ places: [Rehearsal.MeasureBox], movements: [Movement],
        pieces: [FollowablePiece]
    ) -> [String] {
        movements.indices.compactMap { number in
            guard let piece = pieces.first(where: { $0.piece == movements[number].piece }),
                let numbers = piece.measureNumbers
            else { return nil }
            let placed = places.filter { $0.movement == number }
            guard let first = placed.map(\.first).min(), let last = placed.map(\.last).max() else {
                return nil
            }
            guard let sentence = mismatchWarning(first...max(first, last), piece: piece.name, has: numbers)
            else {
                return nil
            }
            return (movements.count > 1 ? "Movement \(number + 1): " : "") + sentence
        }
    }

    /// Compares a movement's marked numbers with the piece's numbers.
    /// - Returns: a warning; nil if the numbers are equal.
    static func mismatchWarning(
        _ marked: ClosedRange<Int>, piece name: String, has numbers: ClosedRange<Int>
    ) -> String? {
        guard marked != numbers else { return nil }
        let both =
            "Measures \(marked.lowerBound) to \(marked.upperBound) are marked, “\(name)” has "
            + "\(numbers.lowerBound) to \(numbers.upperBound)"
        let shift = marked.lowerBound - numbers.lowerBound
        if shift != 0, marked.upperBound - numbers.upperBound == shift {
            let question = shift == 1 && numbers.lowerBound == 0 ? ": begins with an upbeat (0)? " : ". "
            let count = "\(abs(shift)) measure\(abs(shift) == 1 ? "" : "s")"
            return both + question
                + "Every page turn would come \(count) too \(shift > 0 ? "late" : "early"); "
                + "number the first measure \(numbers.lowerBound), with those behind it."
        }
        if numbers.contains(marked.lowerBound), numbers.contains(marked.upperBound) {
            return both + "; mark the rest too, or check where the numbers begin."
        }
        return both + ". Check the numbers, or whether the movement is followed as the right piece."
    }
}
