import Catalogue
import Content
import Hosting
import ScoreFiles
import ZipFiles

/// Converts errors about content into errors with a sentence for people.
package func explainingContentErrors(_ body: () async throws -> Void) async throws {
    do { try await body() } catch { throw explainedContentError(error) }
}

/// Returns an error about content with its sentence for people; other errors as they are.
func explainedContentError(_ error: any Error) -> any Error {
    switch error {
    case let error as ConcertEditFault: ExplainedError(sentence: error.sentence)
    case let error as ContentFileError: ExplainedError(sentence: error.sentence)
    case let error as ContentAssetError: ExplainedError(sentence: error.sentence)
    case let error as ContentEditRefusal: ExplainedError(sentence: error.sentence)
    case let error as ZipError: ExplainedError(sentence: error.sentence)
    default: error
    }
}
