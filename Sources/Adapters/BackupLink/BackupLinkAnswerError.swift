import Basics

/// The reason why a question to the other server got no answer.
public enum BackupLinkAnswerError {
    public static let notConnected = ExplainedError(
        "The other server is not connected; start it, and check the cable.")
}
