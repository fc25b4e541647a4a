import Explanations

/// The reason why a question to the other server got no answer.
public enum BackupLinkAnswerError: Explained, Equatable, Sendable {
    /// There was no connection to the other server, or it ended before the answer came.
    case notConnected
    /// The other server runs a version that answers no questions; the value is that version.
    case otherVersion(String)
    case answerTooLate(seconds: Int64)
    case questionTooLong(bytes: Int)

    public var sentence: String {
        switch self {
        case .notConnected:
            "The other server is not connected; start it, and check the cable."
        case .otherVersion(let version):
            "The other server runs baton \(version), which answers no questions about its content; install the "
                + "same version on both."
        case .answerTooLate(let seconds):
            "The other server did not answer within \(seconds) s; look at its load and at the network."
        case .questionTooLong(let bytes):
            "A question of \(bytes) bytes is too long for the link."
        }
    }
}
