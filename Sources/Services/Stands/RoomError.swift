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
    case storeFailed(CatalogueError)
    /// The event could not be written, or the room cannot be read from disk at present.
    case roomUnavailable
    case idAlreadyUsed
    case tooManyRooms(most: Int)
    case badRoomName(sentence: String)
    case badPasskey(sentence: String)
    case mustWaitForPasskeyCheck(milliseconds: Int64)
    /// The passkey could not be checked, for example for lack of memory. It may be right or wrong.
    case passkeyNotChecked(sentence: String)
    case tooManyMessages(milliseconds: Int64)
    case malformedRequest(sentence: String)
    /// The request names one user, but another user is signed in.
    case otherUserSignedIn
    /// This server is on standby. The rooms are at the active server.
    /// `address` is that of the active server's pages; nil if it is unknown.
    case notActiveServer(address: String?)

    var sentence: String {
        switch self {
        case .noRoom: "There is no such room any more; go back to the list of rooms."
        case .noScore: "There is no such score; ask the librarian for it."
        case .noSession: "There is no such session in this room; choose one from its list."
        case .noPart(let part): "There is no part of index \(part) in this score; load the score again."
        case .refused(let refusal): refusal.sentence
        case .storeFailed(let error): error.sentenceWithoutPath
        case .roomUnavailable:
            "The room cannot be written at present; what you made is kept on the stand. Try again."
        case .idAlreadyUsed: "This id is in use; make a new one."
        case .tooManyRooms(let most): "You own \(most) rooms, the most there may be; remove one first."
        case .badRoomName(let sentence), .badPasskey(let sentence), .malformedRequest(let sentence),
            .passkeyNotChecked(let sentence):
            sentence
        case .mustWaitForPasskeyCheck(let milliseconds):
            "Too many wrong passkeys; wait \(max(1, (milliseconds + 999) / 1_000)) s and try again."
        case .tooManyMessages(let milliseconds):
            "This stand sends too many messages; wait \(milliseconds) ms and send the rest."
        case .otherUserSignedIn:
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
        case .storeFailed, .roomUnavailable: "not-stored"
        case .idAlreadyUsed: "used-id"
        case .tooManyRooms: "full"
        case .badRoomName: "bad-name"
        case .badPasskey: "bad-passkey"
        case .mustWaitForPasskeyCheck: "wait"
        case .passkeyNotChecked: "busy"
        case .tooManyMessages: "too-fast"
        case .malformedRequest: "bad-json"
        case .otherUserSignedIn: "other-user"
        case .notActiveServer: "not-reigning"
        }
    }

    private var httpStatus: Int {
        switch self {
        case .noRoom, .noScore, .noSession, .noPart: 404
        case .refused(let refusal):
            switch refusal.code {
            case .notNow, .full: 409
            case .invalid, .noPage: 422
            case .noRemark, .noLayer, .noMember: 404
            default: 403
            }
        case .storeFailed, .roomUnavailable, .passkeyNotChecked: 503
        case .idAlreadyUsed, .tooManyRooms: 409
        case .badRoomName, .badPasskey: 422
        case .mustWaitForPasskeyCheck, .tooManyMessages: 429
        case .malformedRequest: 400
        case .otherUserSignedIn: 401
        case .notActiveServer: 503
        }
    }

    var response: WebResponse {
        var answer = WebResponse.refused(httpStatus, code, sentence)
        if case .notActiveServer(let address?) = self {
            answer = .json(["error": sentence, "code": code, "address": address], status: httpStatus)
        }
        switch self {
        case .mustWaitForPasskeyCheck(let milliseconds), .tooManyMessages(let milliseconds):
            return answer.withHeader("Retry-After", String(max(1, (milliseconds + 999) / 1_000)))
        case .storeFailed, .roomUnavailable, .notActiveServer, .passkeyNotChecked:
            return answer.withHeader("Retry-After", "1")
        default: return answer
        }
    }
}
