import Catalogue
import Rehearsal
import ScorePages
import WebServer

/// Reasons for which the library refuses a request.
package enum LibraryError: Error, Equatable, Sendable {
    case noSuchScore
    case noSuchPart(Int)
    case notLastPart(Int)
    case lastPart
    case notScoreFile
    case changedMeanwhile
    case busy(String)
    case badRequest(String)
    /// All errors in measures that were marked on pages, one sentence each.
    case places([String])
    case pages(ScorePagesError, file: String?)
    case rehearsal(RehearsalFault)
    case catalogue(CatalogueError)

    var sentence: String {
        switch self {
        case .noSuchScore: "This score does not exist, or you have no right to it; ask the librarian."
        case .noSuchPart(let part): "The score has no part \(part + 1); load its list of parts again."
        case .notLastPart(let part):
            "Part \(part + 1) is not the last one. Only the last can be removed, since rooms count parts."
        case .lastPart: "A score needs at least one part; remove the whole score instead."
        case .notScoreFile:
            "The file is neither a PDF nor MusicXML (.musicxml, .xml, .mxl); export the score as one of these."
        case .changedMeanwhile: CatalogueError.scoreChanged("").sentence
        case .busy(let work): "The server is busy with \(work); try again in a minute."
        case .badRequest(let sentence): sentence
        case .places(let sentences): sentences.joined(separator: "\n")
        case .pages(let error, let file):
            // Librarians know the file that they chose, not its path on the server.
            WebResponse.withoutMachinePaths(
                file.map { Self.sentence(error.sentence, without: $0) } ?? error.sentence)
        case .rehearsal(let fault): fault.sentence
        case .catalogue(let error): error.sentenceWithoutPath
        }
    }

    private static func sentence(_ text: String, without path: String) -> String {
        let plain = text.replacing(path, with: "the file")
        return plain.prefix(1).uppercased() + plain.dropFirst()
    }

    /// True if the server is at fault (disk, catalogue, a missing program), so that the file may be valid.
    var isServerFault: Bool {
        switch self {
        case .busy, .catalogue(.diskFull), .catalogue(.busy), .catalogue(.failed), .catalogue(.readOnly): true
        case .pages(.verovioMissing, _), .pages(.engraverMissing, _), .pages(.cannotWrite, _): true
        default: false
        }
    }

    /// HTTP status and error code of the response.
    var code: (status: Int, word: String) {
        switch self {
        case .noSuchScore, .catalogue(.noSuchScore): (404, "no-score")
        case .noSuchPart: (404, "no-part")
        case .pages(.noSuchPage, _): (404, "no-page")
        case .notLastPart, .lastPart: (409, "part-stays")
        case .changedMeanwhile, .catalogue(.scoreChanged): (409, "changed")
        case .busy: (503, "busy")
        case .badRequest: (400, "bad-json")
        case .places: (422, "bad-places")
        case .notScoreFile: (415, "bad-file")
        case .pages(.notPermitted, _): (403, "not-permitted")
        case .pages(.tooLarge, _): (413, "too-large")
        case .pages(.popplerMissing, _), .pages(.verovioMissing, _), .pages(.engraverMissing, _):
            (503, "no-tool")
        case .pages(.cannotWrite, _), .catalogue(.diskFull): (507, "disk-full")
        case .pages: (422, "bad-file")
        case .rehearsal: (422, "bad-score")
        case .catalogue(.noSuchAccount): (404, "no-account")
        case .catalogue: (503, "catalogue")
        }
    }
}
