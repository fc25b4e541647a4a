import Podium

extension Library {
    /// Pages are turned by measure numbers: are those of the scores the numbers of the pieces?
    nonisolated var numbersQuestion: PreShowQuestion {
        PreShowQuestion(id: "scores", title: "Scores on stands") { [self] course in
            Self.verdict(on: await numberRemarks(tonight: Set(course.pieces.map(\.folder))))
        }
    }

    /// - Parameter found: how many scores are followed as a piece of tonight, and what is wrong with their numbers.
    static func verdict(on found: (scores: Int, remarks: [String])) -> CheckVerdict {
        guard found.scores > 0 else {
            return CheckVerdict(.skipped, "No score of the library is followed as a piece of tonight.")
        }
        guard let first = found.remarks.first else {
            return CheckVerdict(
                .pass, "The measure numbers of all \(found.scores) scores are those of the pieces.")
        }
        let more = found.remarks.count - 1
        return CheckVerdict(.warn, first + (more > 0 ? " So in \(more) more; see the library." : ""))
    }
}
