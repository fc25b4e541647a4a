import Hosting
import Podium

extension Library {
    /// Pre-show check that the scores' measure numbers agree with those of the pieces, since pages are turned by
    /// them.
    nonisolated var numbersQuestion: PreShowQuestion {
        PreShowQuestion(id: "scores", title: "Scores on stands") { [self] course in
            Self.verdict(on: await numberRemarks(tonight: Set(course.pieces.map(\.folder))))
        }
    }

    /// - Parameter found: the number of scores of tonight's pieces, and the warnings about their numbers.
    package static func verdict(on found: (scores: Int, remarks: [String])) -> CheckVerdict {
        guard found.scores > 0 else {
            return CheckVerdict(
                .skipped, "No score in the library belongs to a piece of tonight's programme.")
        }
        guard let first = found.remarks.first else {
            return CheckVerdict(
                .pass, "The measure numbers of all \(found.scores) scores agree with the pieces.")
        }
        let more = found.remarks.count - 1
        return CheckVerdict(.warn, first + (more > 0 ? " So in \(more) more; see the library." : ""))
    }
}
