import Rehearsal
import Score

/// Marked measure numbers held against those of the piece that a movement is followed as.
///
/// The follower says a number and a stand looks for its place. Where the numbers of a page are shifted against those of
/// the piece, every turn comes by as much too late or too early, and nothing else looks wrong.
enum NumbersCheck {
    /// Sentences; none where all numbers agree, and of movements that nobody follows.
    /// - Parameter measures: first and last number of a piece, by its folder; nil where it is not known.
    static func remarks(
        _ places: [Rehearsal.MeasureBox], movements: [Movement],
        pieces: [LibraryPiece]
    ) -> [String] {
        movements.indices.compactMap { number in
            guard let piece = pieces.first(where: { $0.piece == movements[number].piece }),
                let numbers = piece.numbers
            else { return nil }
            let placed = places.filter { $0.movement == number }
            guard let first = placed.map(\.first).min(), let last = placed.map(\.last).max() else {
                return nil
            }
            guard let sentence = sentence(first...max(first, last), piece: piece.name, has: numbers) else {
                return nil
            }
            return (movements.count > 1 ? "Movement \(number + 1): " : "") + sentence
        }
    }

    /// - Returns: nil where what is marked is what the piece has.
    static func sentence(
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
