import Catalogue
import Rehearsal
import ScorePages
import WebServer

/// Why the library refuses a request: its own reasons, and errors of what it uses in words for people who use it.
package struct LibraryRefusal: AnsweringError, Equatable {
    var status: Int
    var code: String
    var sentence: String
    /// True if the server is at fault (disk, catalogue or a missing program), so that the same file may succeed later.
    var isServerFault = false
    /// Errors in marked measures, one sentence each.
    private var sentences: [String]?

    init(_ error: any Error) {
        switch error {
        case let refusal as LibraryRefusal: self = refusal
        case let error as ScorePagesError: self.init(error)
        case let error as CatalogueError: self.init(error)
        case let error as RehearsalFault: self.init(422, "bad-score", error.sentence)
        default: self.init(400, "bad-json", "The request cannot be used: \(error).")
        }
    }

    private init(_ status: Int, _ code: String, _ sentence: String, isServerFault: Bool = false) {
        (self.status, self.code, self.sentence) = (status, code, sentence)
        self.isServerFault = isServerFault
    }

    static let noSuchScore = LibraryRefusal(
        404, "no-score", "This score does not exist, or you have no right to it; ask the librarian.")
    static let scoreInBin = LibraryRefusal(
        404, "score-in-bin",
        "A librarian has put this score into the bin. With all remarks it can be restored for "
            + "\(CatalogueStore.daysInBin) days: ask for it.")
    static let onlyPart = LibraryRefusal(
        409, "part-stays", "A score needs at least one part; remove the whole score instead.")
    static let notScoreFile = LibraryRefusal(
        415, "bad-file",
        "The file is neither a PDF nor MusicXML (.musicxml, .xml, .mxl); export the score as one of these.")
    static let noMusic = LibraryRefusal(
        404, "no-music",
        "The server has only the pages of this score, not its music. Choose its MusicXML or MIDI file instead."
    )
    static let changedMeanwhile = LibraryRefusal(CatalogueError.scoreChanged(""))

    static func noSuchPart(_ part: Int) -> Self {
        Self(404, "no-part", "The score has no part \(part + 1); load its list of parts again.")
    }

    static func notLastPart(_ part: Int) -> Self {
        Self(
            409, "part-stays",
            "Part \(part + 1) is not the last one. Only the last can be removed, since rooms count parts.")
    }

    static func busy(_ work: String) -> Self {
        Self(503, "busy", "The server is busy with \(work); try again in a minute.", isServerFault: true)
    }

    static func badRequest(_ sentence: String) -> Self { Self(400, "bad-json", sentence) }

    static func badFile(_ sentence: String) -> Self { Self(422, "bad-file", sentence) }

    /// A file that a librarian chose cannot be used. The sentence does not name its path on the server.
    static func badUpload(_ error: ScorePagesError, path: String) -> Self {
        var refusal = Self(error)
        let plain = error.sentence.replacing(path, with: "the file")
        refusal.sentence = WebResponse.removeMachinePaths(plain.prefix(1).uppercased() + plain.dropFirst())
        return refusal
    }

    /// All errors in measures that a librarian marked on pages, one sentence each.
    static func invalidMeasures(_ sentences: [String]) -> Self {
        var refusal = Self(422, "bad-places", sentences.joined(separator: "\n"))
        refusal.sentences = sentences
        return refusal
    }

    /// Rehearsal marks that cannot be, with the sentence.
    static func invalidMarks(_ sentence: String) -> Self { Self(422, "bad-score", sentence) }

    private init(_ error: ScorePagesError) {
        let (status, code, isServerFault) =
            switch error {
            case .noSuchPage: (404, "no-page", false)
            case .printingNotPermitted: (403, "not-permitted", false)
            case .fileTooLarge: (413, "too-large", false)
            case .popplerMissing: (503, "no-tool", false)
            case .verovioMissing, .engraverScriptMissing: (503, "no-tool", true)
            case .cannotWrite: (507, "disk-full", true)
            default: (422, "bad-file", false)
            }
        self.init(
            status, code, WebResponse.removeMachinePaths(error.sentence), isServerFault: isServerFault)
    }

    private init(_ error: CatalogueError) {
        let (status, code, isServerFault) =
            switch error {
            case .noSuchScore: (404, "no-score", false)
            case .scoreChanged: (409, "changed", false)
            case .noSuchAccount: (404, "no-account", false)
            case .diskFull: (507, "disk-full", true)
            case .busy, .readOrWriteFailed, .readOnly: (503, "catalogue", true)
            default: (503, "catalogue", false)
            }
        self.init(status, code, error.sentenceWithoutPath, isServerFault: isServerFault)
    }

    package var response: WebResponse {
        guard let sentences else { return .refused(status, code, sentence) }
        return Refusal(status, code, sentence, with: ["sentences": sentences]).response
    }
}
