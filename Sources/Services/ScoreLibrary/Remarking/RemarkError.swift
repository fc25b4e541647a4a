import Catalogue
import Hosting
import Rehearsal
import WebServer

/// The reasons why a request about the remarks of scores is refused.
enum RemarkError: Error, Equatable {
    case noUser
    case otherUserSignedIn
    /// There is no such score, or this user has no right to it; nobody learns which.
    case noScore
    case malformed(String)
    case refused(RoomRefusal)
    /// All faults of an imported set.
    case badSet([String])
    case tooMany(milliseconds: Int64)
    case storageFull
    /// This user has as many remarks as one may have.
    case accountFull
    /// The user who asked for remarks has no space for them.
    case askerFull
    case notActive
    case roomsUnavailable
    case storeFailed(CatalogueError)

    var response: WebResponse {
        switch self {
        case .noUser: .refused(403, "no-user", "This account cannot write remarks; ask for another one.")
        case .otherUserSignedIn:
            .refused(
                401, "other-user",
                "Somebody else is signed in on this device; nothing was stored. Sign in as yourself and go on."
            )
        case .noScore:
            .refused(
                404, "no-score", "This score does not exist, or you have no right to it; ask the librarian.")
        case .malformed(let sentence): .refused(400, "bad-json", sentence)
        case .refused(let refusal):
            .refused(Self.status(of: refusal.code), refusal.code.rawValue, refusal.sentence)
        case .badSet(let sentences): .refused(422, "bad-set", sentences.joined(separator: "\n"))
        case .tooMany(let wait):
            .refused(
                429, "too-fast", "This account sends too much at a time; wait \(wait) ms and send the rest."
            )
            .withHeader("Retry-After", String(max(1, (wait + 999) / 1_000)))
        case .storageFull:
            .refused(
                507, "full",
                "The server's space for remarks is full; yours stay on this device. Ask an administrator.")
        case .accountFull:
            .refused(
                507, "full",
                "You have \(RemarkSpace.mostBytesOfAccount >> 20) MB of remarks, the most there may be; remove layers "
                    + "that you took, take sets back, or erase remarks.")
        case .askerFull:
            .refused(
                507, "full",
                "The one who asks has no more space for remarks; nothing was sent. Say so, and send later.")
        case .notActive:
            .refused(503, "not-reigning", "This server is on standby; open the stand at the active server.")
                .withHeader("Retry-After", "1")
        case .roomsUnavailable:
            .refused(
                503, "not-stored",
                "The rehearsal rooms cannot be read now; nothing was stored. Send it again."
            )
            .withHeader("Retry-After", "1")
        case .storeFailed(.diskFull):
            .refused(507, "disk-full", "The server's disk is full; nothing was stored.")
        case .storeFailed(let error):
            .refused(503, "not-stored", error.sentenceWithoutPath).withHeader("Retry-After", "1")
        }
    }

    private static func status(of code: RoomRefusalCode) -> Int {
        switch code {
        case .full, .notNow: 409
        case .invalid, .noPage: 422
        case .noRemark, .noLayer, .noMember: 404
        default: 403
        }
    }
}
