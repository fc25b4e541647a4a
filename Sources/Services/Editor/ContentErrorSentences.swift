import Catalogue
import Concert
import Hosting
import Score
import ScoreFiles

/// Converts errors about content into errors with a sentence for people.
package func explainingContentErrors(_ body: () async throws -> Void) async throws {
    do { try await body() } catch {
        switch error {
        case let error as ConcertEditFault: throw ExplainedError(sentence: error.sentence)
        case let error as ContentFileError: throw ExplainedError(sentence: error.sentence)
        case let error as PieceName.ConcertNameFault: throw ExplainedError(sentence: error.sentence)
        default: throw error
        }
    }
}
