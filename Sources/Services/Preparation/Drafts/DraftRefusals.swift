import Concert
import WebServer

/// Why a piece that is being prepared could not be read or changed.
extension Refusal {
    static let noSuchPiece = Refusal(
        404, "no-piece", "This piece no longer exists. Go back to the list of pieces.")
    static let noSuchRecording = Refusal(
        404, "no-recording", "This recording no longer exists. Reload the page.")
    static let noSuchUpload = Refusal(
        404, "no-upload", "This upload no longer exists. Choose the file again.")
    static let noSuchJob = Refusal(404, "no-job", "This is not running any more.")
    /// A piece that should be deleted only if it holds nothing holds something.
    static let inUse = Refusal(
        409, "in-use", "This piece is kept, because there is something in it, or it was not made for a file.")
    static let tooManyRecordings = refused(
        code: "too-many",
        sentence: "A piece can have \(DraftRecord.mostRecordings) recordings; remove one first.")

    /// The piece's file cannot be read.
    static func damaged(name: String, reason: String) -> Refusal {
        Refusal(
            500, damagedCode,
            "The file of the piece “\(name)” is damaged (\(reason)). Its recordings are kept in the server's data "
                + "folder, in drafts/\(name); restore draft.json there from a backup, or delete the piece.")
    }

    static let damagedCode = "damaged"

    static func notWritten(reason: String) -> Refusal {
        Refusal(
            507, notWrittenCode,
            "The change could not be saved: \(reason). Check the server's disk and its data folder.")
    }

    static let notWrittenCode = "not-written"

    /// A file could not be checked, for a reason that lies with the server.
    static func notChecked(reason: String) -> Refusal {
        Refusal(
            503, notCheckedCode,
            "The file has arrived, but the server could not check it: \(reason) The upload is kept; choose the same "
                + "file again to go on.")
    }

    static let notCheckedCode = "not-checked"

    static func tooManyPieces(limit: Int) -> Refusal {
        Refusal(
            409, "too-many",
            "There are \(limit) pieces in preparation already. Delete those that are no longer needed.")
    }

    /// A chunk of an upload does not begin where the one before ended.
    static func wrongOffset(received: Int) -> Refusal {
        let sentence = "The server has \(received) bytes of this file; go on from there."
        return Refusal(409, "wrong-offset", sentence, with: ["received": received])
    }

    static func jobRunning(kind: String) -> Refusal {
        Refusal(
            409, "job-running",
            "Something else is being done with this piece (\(kind)). Wait until it is ready, or interrupt it."
        )
    }

    /// The account has no right to this, for the reason in the sentence.
    static func notAllowed(sentence: String) -> Refusal { Refusal(403, "not-allowed", sentence) }

    /// A request that cannot be carried out, for the reason in the sentence.
    static func refused(code: String, sentence: String) -> Refusal { Refusal(422, code, sentence) }

    /// A file of measure times that can be read in several ways, by the formats' names; the page asks which is meant.
    /// - Parameter formats: the kind that each format recognises in the file, by the format's name.
    static func severalReadings(formats: [String: String], sentence: String) -> Refusal {
        Refusal(422, "several-readings", sentence, with: ["formats": formats])
    }
}
