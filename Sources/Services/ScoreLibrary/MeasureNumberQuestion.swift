import Hosting
import Podium

extension Library {
    /// Pre-show check that scores and pieces have the same measure numbers. Wrong numbers would turn pages at the
    /// wrong time.
    nonisolated var measureNumberCheckItem: PreShowCheckItem {
        PreShowCheckItem(id: "scores", title: "Scores on stands") { [self] course in
            Self.measureNumberVerdict(
                on: await measureNumberWarnings(tonight: Set(course.pieces.map(\.folder))))
        }
    }

    /// Makes a pre-show verdict from the result of the measure-number check.
    /// - Parameter found: the number of scores of tonight's pieces, and the warnings about their numbers.
    package static func measureNumberVerdict(on found: (scores: Int, remarks: [String]))
        -> PreShowCheckVerdict
    {
        guard found.scores > 0 else {
            return PreShowCheckVerdict(
                .skipped, "No score in the library belongs to a piece of tonight's programme.")
        }
        guard let first = found.remarks.first else {
            return PreShowCheckVerdict(
                .pass, "The measure numbers of all \(found.scores) scores agree with the pieces.")
        }
        let more = found.remarks.count - 1
        return PreShowCheckVerdict(.warn, first + (more > 0 ? " So in \(more) more; see the library." : ""))
    }
}
