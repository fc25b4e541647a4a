import Catalogue
import Rehearsal
import ScorePages
import WebServer

/// Reasons why the library refuses a request.
package enum LibraryError: Error, Equatable, Sendable {
    case noSuchScore
    case noSuchPart(Int)
    case notLastPart(Int)
    case onlyPart
    case notScoreFile
    case changedMeanwhile
    case busy(String)
    case badRequest(String)
    case badFile(String)
    /// All errors in measures that a librarian marked on pages, one sentence each.
    case invalidMeasures([String])
    case pagesFailed(ScorePagesError, file: String?)
    case invalidScore(RehearsalFault)
    /// Rehearsal marks that cannot be, with the sentence.
    case invalidMarks(String)
    case catalogueFailed(CatalogueError)

    var sentence: String {
        switch self {
        case .noSuchScore: "This score does not exist, or you have no right to it; ask the librarian."
        case .noSuchPart(let part): "The score has no part \(part + 1); load its list of parts again."
        case .notLastPart(let part):
            "Part \(part + 1) is not the last one. Only the last can be removed, since rooms count parts."
        case .onlyPart: "A score needs at least one part; remove the whole score instead."
        case .notScoreFile:
            "The file is neither a PDF nor MusicXML (.musicxml, .xml, .mxl); export the score as one of these."
        case .changedMeanwhile: CatalogueError.scoreChanged("").sentence
        case .busy(let work): "The server is busy with \(work); try again in a minute."
        case .badRequest(let sentence), .badFile(let sentence), .invalidMarks(let sentence): sentence
        case .invalidMeasures(let sentences): sentences.joined(separator: "\n")
        case .pagesFailed(let error, let file):
            // Librarians know the file that they chose, not its path on the server.
            WebResponse.removeMachinePaths(
                file.map { Self.hidePath(error.sentence, without: $0) } ?? error.sentence)
        case .invalidScore(let fault): fault.sentence
        case .catalogueFailed(let error): error.sentenceWithoutPath
        }
    }

    private static func hidePath(_ text: String, without path: String) -> String {
        let plain = text.replacing(path, with: "the file")
        return plain.prefix(1).uppercased() + plain.dropFirst()
    }

    /// True if the server is at fault (disk, catalogue or a missing program), so that the same file may succeed later.
    var isServerFault: Bool {
        switch self {
        case .busy, .catalogueFailed(.diskFull), .catalogueFailed(.busy),
            .catalogueFailed(.readOrWriteFailed),
            .catalogueFailed(.readOnly):
            true
        case .pagesFailed(.verovioMissing, _), .pagesFailed(.engraverScriptMissing, _),
            .pagesFailed(.cannotWrite, _):
            true
        default: false
        }
    }

    /// HTTP status and error code of the response.
    var statusAndCode: (status: Int, word: String) {
        switch self {
        case .noSuchScore, .catalogueFailed(.noSuchScore): (404, "no-score")
        case .noSuchPart: (404, "no-part")
        case .pagesFailed(.noSuchPage, _): (404, "no-page")
        case .notLastPart, .onlyPart: (409, "part-stays")
        case .changedMeanwhile, .catalogueFailed(.scoreChanged): (409, "changed")
        case .busy: (503, "busy")
        case .badRequest: (400, "bad-json")
        case .invalidMeasures: (422, "bad-places")
        case .notScoreFile: (415, "bad-file")
        case .badFile: (422, "bad-file")
        case .pagesFailed(.printingNotPermitted, _): (403, "not-permitted")
        case .pagesFailed(.fileTooLarge, _): (413, "too-large")
        case .pagesFailed(.popplerMissing, _), .pagesFailed(.verovioMissing, _),
            .pagesFailed(.engraverScriptMissing, _):
            (503, "no-tool")
        case .pagesFailed(.cannotWrite, _), .catalogueFailed(.diskFull): (507, "disk-full")
        case .pagesFailed: (422, "bad-file")
        case .invalidScore, .invalidMarks: (422, "bad-score")
        case .catalogueFailed(.noSuchAccount): (404, "no-account")
        case .catalogueFailed: (503, "catalogue")
        }
    }
}
