import Hosting
import Rehearsal
import WebServer

/// Why requests about the remarks of scores are refused.
extension Refusal {
    static let noUser = Refusal(
        403, "no-user", "This account cannot write remarks; ask for another one.")
    /// There is no such score, or this user has no right to it; nobody learns which.
    static let noScore = Refusal(
        404, "no-score", "This score does not exist, or you have no right to it; ask the librarian.")

    /// All faults of an imported set.
    static func badSet(_ sentences: [String]) -> Refusal {
        Refusal(422, "bad-set", sentences.joined(separator: "\n"))
    }

    static let storageFull = Refusal(
        507, "full",
        "The server's space for remarks is full; yours stay on this device. Ask an administrator.")
    static let accountFull = Refusal(
        507, "full",
        "You have \(RemarkSpace.mostBytesOfAccount >> 20) MB of remarks, the most there may be; remove layers "
            + "that you took, take sets back, or erase remarks.")
    /// The user who asked for remarks has no space for them.
    static let askerFull = Refusal(
        507, "full",
        "The person who asks has no space for more remarks; nothing was sent. Tell them, and send it again later."
    )
    static let notActive = Refusal(
        503, "not-reigning", "This server is on standby; open the stand at the active server."
    ).retrying()
    static let roomsUnavailable = Refusal(
        503, "not-stored", "The rehearsal rooms cannot be read now; nothing was stored. Send it again."
    ).retrying()
}
