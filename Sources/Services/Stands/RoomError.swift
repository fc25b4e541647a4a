import Catalogue
import Rehearsal
import WebServer

/// Reasons why a request to the rehearsal rooms fails.
package enum RoomError: Error, Equatable, Sendable {
    case noRoom
    case noScore
    case noSession
    case noPart(Int)
    case refused(RoomRefusal)
    case notStored(CatalogueError)
    /// The event was not written, or the room cannot be read from disk at present.
    case roomUnavailable
    case usedID
    case tooManyRooms(most: Int)
    case badName(sentence: String)
    case badPasskey(sentence: String)
    case mustWait(milliseconds: Int64)
    /// The passkey could not be checked, for example for lack of memory. It may be right or wrong.
    case notChecked(sentence: String)
    case tooFast(milliseconds: Int64)
    case malformed(sentence: String)
    /// The request names one user, but another user is signed in.
    case otherUser
    /// This server is on standby. The rooms are at the active server.
    case notActiveServer

    var sentence: String {
        switch self {
        case .noRoom: "There is no such room any more; go back to the list of rooms."
        case .noScore: "There is no such score; ask the librarian for it."
        case .noSession: "There is no such session in this room; choose one from its list."
        case .noPart(let part): "There is no part of index \(part) in this score; load the score again."
        case .refused(let refusal): refusal.sentence
        case .notStored(let error): error.sentenceWithoutPath
        case .roomUnavailable:
            "The room cannot be written at present; what you made is kept on the stand. Try again."
        case .usedID: "This id is in use; make a new one."
        case .tooManyRooms(let most): "You own \(most) rooms, the most there may be; remove one first."
        case .badName(let sentence), .badPasskey(let sentence), .malformed(let sentence),
            .notChecked(let sentence):
            sentence
        case .mustWait(let milliseconds):
            "Too many wrong passkeys; wait \(max(1, (milliseconds + 999) / 1_000)) s and try again."
        case .tooFast(let milliseconds):
            "This stand sends too many messages; wait \(milliseconds) ms and send the rest."
        case .otherUser:
            "Somebody else is signed in on this device; nothing was stored. Sign in as yourself and go on."
        case .notActiveServer:
            "This server is on standby; the rooms are at the active server. Open the stand there."
        }
    }

    var code: String {
        switch self {
        case .noRoom: "no-room"
        case .noScore: "no-score"
        case .noSession: "no-session"
        case .noPart: "no-page"
        case .refused(let refusal): refusal.code.rawValue
        case .notStored, .roomUnavailable: "not-stored"
        case .usedID: "used-id"
        case .tooManyRooms: "full"
        case .badName: "bad-name"
        case .badPasskey: "bad-passkey"
        case .mustWait: "wait"
        case .notChecked: "busy"
        case .tooFast: "too-fast"
        case .malformed: "bad-json"
        case .otherUser: "other-user"
        case .notActiveServer: "not-reigning"
        }
    }

    private var status: Int {
        switch self {
        case .noRoom, .noScore, .noSession, .noPart: 404
        case .refused(let refusal):
            switch refusal.code {
            case .notNow, .full: 409
            case .invalid, .noPage: 422
            case .noRemark, .noLayer, .noMember: 404
            default: 403
            }
        case .notStored, .roomUnavailable, .notChecked: 503
        case .usedID, .tooManyRooms: 409
        case .badName, .badPasskey: 422
        case .mustWait, .tooFast: 429
        case .malformed: 400
        case .otherUser: 401
        case .notActiveServer: 503
        }
    }

    var response: WebResponse {
        let answer = WebResponse.refused(status, code, sentence)
        switch self {
        case .mustWait(let milliseconds), .tooFast(let milliseconds):
            return answer.withHeader("Retry-After", String(max(1, (milliseconds + 999) / 1_000)))
        case .notStored, .roomUnavailable, .notActiveServer, .notChecked:
            return answer.withHeader("Retry-After", "1")
        default: return answer
        }
    }
}
