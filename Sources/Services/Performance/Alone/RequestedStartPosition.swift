import Basics
import Following
import Hosting
import Score

/// The place where the music begins, as written on the command line: `23`, `unknown`, `PIECE`, `PIECE:23` or
/// `PIECE:unknown`.
package struct RequestedStartPosition: Equatable {
    package var piece: String?
    package var measure: Measure

    package enum Measure: Equatable {
        case first
        case printed(Int)
        case unknown

        package init?(_ text: Substring) {
            if text == "unknown" {
                self = .unknown
            } else if let number = Int(text) {
                self = .printed(number)
            } else {
                return nil
            }
        }
    }

    /// Parses the command-line argument that names the start.
    /// - Returns: nil if the argument has another form.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        switch parts.count {
        case 1 where Measure(parts[0]) != nil:
            piece = nil
            measure = Measure(parts[0]) ?? .first
        case 1 where !text.isEmpty:
            piece = text
            measure = .first
        case 2 where !parts[0].isEmpty:
            guard let told = Measure(parts[1]) else { return nil }
            piece = String(parts[0])
            measure = told
        default: return nil
        }
    }

    /// Finds the place in a programme.
    /// - Throws: if the programme has no such piece, or the piece no such measure.
    package func resolve(in programme: ConcertProgramme, folders: [String]) throws
        -> ProgrammePosition
    {
        guard let index = piece.map({ folders.firstIndex(of: $0) }) ?? 0 else {
            throw ExplainedError(
                "--start names “\(piece ?? "")”, which is not in the programme; choose one of "
                    + folders.joined(separator: ", ") + ".")
        }
        switch measure {
        case .first:
            return ProgrammePosition(pieceIndex: index, position: ScorePosition(played: 0, fraction: 0))
        case .unknown: return ProgrammePosition(pieceIndex: index, position: nil)
        case .printed(let number):
            let measures = programme.pieceModels[index].measures
            guard let played = measures.firstPlayedIndex(printed: number) else {
                let numbers = measures.marks.map(\.printed)
                throw ExplainedError(
                    "“\(folders[index])” has no measure \(number); "
                        + "its measures are \(numbers.min() ?? 0) to \(numbers.max() ?? 0).")
            }
            return ProgrammePosition(pieceIndex: index, position: ScorePosition(played: played, fraction: 0))
        }
    }
}
