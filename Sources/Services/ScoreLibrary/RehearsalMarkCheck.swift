import Rehearsal

/// Checks the rehearsal marks that a librarian writes, for people who do not use the page, which checks them too.
///
/// A stand that is told to go to a mark goes to its measure: a mark twice, or outside the music, sends it astray.
enum RehearsalMarkCheck {
    /// Finds the first mark that cannot be.
    /// - Parameters:
    ///   - movements: as the librarian writes them.
    ///   - old: the score before. Marks of a movement that nobody changed are not judged.
    /// - Returns: a sentence; nil if all marks can be.
    static func fault(in movements: [Movement], of old: Rehearsal.Score, pieces: [FollowablePiece]) -> String?
    {
        for (number, movement) in movements.enumerated() {
            if old.movements.indices.contains(number), old.movements[number].marks == movement.marks {
                continue
            }
            let known = measureNumbers(of: number, movement, in: old, pieces: pieces)
            if let fault = fault(in: movement.marks, known: known) {
                return (movements.count > 1 ? "Movement \(number + 1): " : "") + fault
            }
        }
        return nil
    }

    private static func fault(in marks: [RehearsalMark], known: ClosedRange<Int>?) -> String? {
        // As stands look for them, capital letters are no others.
        var seen: [String: Int] = [:]
        for mark in marks {
            let label = "“\(mark.label)”"
            if mark.measure < 0 {
                return
                    "The rehearsal mark \(label) is at measure \(mark.measure), before the music; write a measure "
                    + "from 0, an upbeat, on."
            }
            if let known, !known.contains(mark.measure) {
                return
                    "The rehearsal mark \(label) is at measure \(mark.measure), outside the music, which has "
                    + "measures \(known.lowerBound) to \(known.upperBound); correct the measure."
            }
            if let before = seen.updateValue(mark.measure, forKey: mark.label.lowercased()) {
                return
                    "The rehearsal mark \(label) is there twice, at measures \(before) and \(mark.measure); rename "
                    + "one of them."
            }
        }
        return nil
    }

    /// The numbers of a movement's measures: those of the piece as which it is followed, and those of the parts that
    /// are marked to their last page; nil if neither tells.
    private static func measureNumbers(
        of number: Int, _ movement: Movement, in score: Rehearsal.Score, pieces: [FollowablePiece]
    ) -> ClosedRange<Int>? {
        let marked = score.parts.filter { part in part.places.contains { $0.page == part.pages.count - 1 } }
            .flatMap(\.places).filter { $0.movement == number && $0.steps == nil }
            .flatMap { [$0.first, $0.last] }
        let followed = pieces.first { $0.piece == movement.piece }?.measureNumbers
        let known = marked + (followed.map { [$0.lowerBound, $0.upperBound] } ?? [])
        guard let first = known.min(), let last = known.max() else { return nil }
        return first...last
    }
}
