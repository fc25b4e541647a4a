import Drafts
import Explanations
import WebServer

/// The reason why a piece that is being prepared could not be read or changed.
package enum DraftFault: Explained, Equatable, Sendable {
    case noSuchPiece
    case noSuchRecording
    case noSuchUpload
    case noSuchJob
    /// The piece's file cannot be read.
    case damaged(name: String, reason: String)
    case notWritten(reason: String)
    /// A file could not be checked, for a reason that lies with the server.
    case notChecked(reason: String)
    case tooManyPieces(limit: Int)
    /// A piece that should be deleted only if it holds nothing holds something.
    case inUse
    /// A chunk of an upload does not begin where the one before ended.
    case wrongOffset(received: Int)
    case jobRunning(kind: String)
    /// The account has no right to this, for the reason in the sentence.
    case notAllowed(sentence: String)
    /// A request that cannot be carried out, for the reason in the sentence.
    case refused(code: String, sentence: String)
    /// A file of measure times that can be read in several ways, by the formats' names; the page asks which is meant.
    case severalReadings(formats: [String: String], sentence: String)

    static let tooManyRecordings = Self.refused(
        code: "too-many",
        sentence: "A piece can have \(DraftRecord.mostRecordings) recordings; remove one first.")

    package var sentence: String {
        switch self {
        case .noSuchPiece: "This piece no longer exists. Go back to the list of pieces."
        case .noSuchRecording: "This recording no longer exists. Reload the page."
        case .noSuchUpload: "This upload no longer exists. Choose the file again."
        case .noSuchJob: "This is not running any more."
        case .damaged(let name, let reason):
            "The file of the piece “\(name)” is damaged (\(reason)). Its recordings are kept in the server's data "
                + "folder, in drafts/\(name); restore draft.json there from a backup, or delete the piece."
        case .notWritten(let reason):
            "The change could not be saved: \(reason). Check the server's disk and its data folder."
        case .notChecked(let reason):
            "The file has arrived, but the server could not check it: \(reason) The upload is kept; choose the same "
                + "file again to go on."
        case .tooManyPieces(let limit):
            "There are \(limit) pieces in preparation already. Delete those that are no longer needed."
        case .inUse: "This piece is kept, because there is something in it, or it was not made for a file."
        case .wrongOffset(let received):
            "The server has \(received) bytes of this file; go on from there."
        case .jobRunning(let kind):
            "Something else is being done with this piece (\(kind)). Wait until it is ready, or interrupt it."
        case .notAllowed(let sentence), .refused(_, let sentence), .severalReadings(_, let sentence): sentence
        }
    }

    var response: WebResponse {
        switch self {
        case .noSuchPiece: .refused(404, "no-piece", sentence)
        case .noSuchRecording: .refused(404, "no-recording", sentence)
        case .noSuchUpload: .refused(404, "no-upload", sentence)
        case .noSuchJob: .refused(404, "no-job", sentence)
        case .damaged: .refused(500, "damaged", sentence)
        case .notWritten: .refused(507, "not-written", sentence)
        case .notChecked: .refused(503, "not-checked", sentence)
        case .tooManyPieces: .refused(409, "too-many", sentence)
        case .inUse: .refused(409, "in-use", sentence)
        case .wrongOffset(let received):
            .json(WrongOffset(error: sentence, received: received), status: 409)
        case .jobRunning: .refused(409, "job-running", sentence)
        case .notAllowed: .refused(403, "not-allowed", sentence)
        case .refused(let code, let sentence): .refused(422, code, sentence)
        case .severalReadings(let formats, let sentence):
            .json(SeveralReadings(error: sentence, formats: formats), status: 422)
        }
    }

    private struct SeveralReadings: Encodable {
        var error: String
        var code = "several-readings"
        /// What each format takes the file for, by its name.
        var formats: [String: String]
    }

    private struct WrongOffset: Encodable {
        var error: String
        var code = "wrong-offset"
        var received: Int
    }
}
