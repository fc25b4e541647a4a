import Hosting
import Rehearsal
import WebServer

/// Why requests to the rehearsal rooms are refused.
extension Refusal {
    static let noRoom = Refusal(
        404, "no-room", "There is no such room any more; go back to the list of rooms.")
    static let noScore = Refusal(404, "no-score", "There is no such score; ask the librarian for it.")
    static let noSession = Refusal(
        404, "no-session", "There is no such session in this room; choose one from its list.")

    static func noPart(_ part: Int) -> Refusal {
        Refusal(
            404, "no-page", "There is no part of index \(part) in this score; load the score again.")
    }

    /// The event could not be written, or the room cannot be read from disk at present.
    static let roomUnavailable = Refusal(
        503, "not-stored",
        "The room cannot be written at present; what you made is kept on the stand. Try again."
    ).retrying()
    static let idAlreadyUsed = Refusal(409, "used-id", "This id is in use; make a new one.")

    static func tooManyRooms(most: Int) -> Refusal {
        Refusal(409, "full", "You own \(most) rooms, the most there may be; remove one first.")
    }

    static func badRoomName(sentence: String) -> Refusal { Refusal(422, "bad-name", sentence) }

    static func badPasskey(sentence: String) -> Refusal { Refusal(422, "bad-passkey", sentence) }

    static func mustWaitForPasskeyCheck(milliseconds: Int64) -> Refusal {
        Refusal(
            429, "wait",
            "Too many wrong passkeys; wait \(max(1, (milliseconds + 999) / 1_000)) s and try again."
        ).retrying(afterMilliseconds: milliseconds)
    }

    /// The passkey could not be checked, for example for lack of memory. It may be right or wrong.
    static func passkeyNotChecked(sentence: String) -> Refusal { Refusal(503, "busy", sentence).retrying() }

    /// This server is on standby. The rooms are at the active server.
    /// - Parameter address: that of the active server's pages; nil if it is unknown.
    static func notActiveServer(address: String?) -> Refusal {
        Refusal(
            503, "not-reigning",
            "This server is on standby; the rooms are at the active server. Open the stand there.",
            with: ["address": address].compactMapValues(\.self)
        ).retrying()
    }
}
