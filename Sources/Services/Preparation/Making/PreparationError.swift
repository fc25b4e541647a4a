import Basics
import ReferenceStore

/// A failure for which a page offers steps of its own.
package enum PreparationFailureKind: String, Codable, Sendable {
    /// The recording does not sound like the score, but its bars can be found anyway.
    case wrongScore = "wrong-score"
    /// No bar of the score was found in the recording.
    case scoreNotFound = "score-not-found"
}

/// Reasons why no model could be made. Each sentence says what is wrong, where, and what to do.
package struct PreparationError: Explained, Equatable {
    package var sentences: [String]
    /// The kind of the failure, if a page offers steps of its own for it.
    package var kind: PreparationFailureKind?
    package var sentence: String { sentences.joined(separator: " ") }

    package init(_ sentence: String, kind: PreparationFailureKind? = nil) {
        (sentences, self.kind) = ([sentence], kind)
    }

    package init(_ sentences: [String], kind: PreparationFailureKind? = nil) {
        (self.sentences, self.kind) = (sentences, kind)
    }

    /// A recording that is longer than the longest that can be followed.
    static func recordingTooLong(_ path: String, seconds: Double) -> PreparationError {
        PreparationError(
            ReferenceStoreError.referenceTooLong(
                reference: path, seconds: seconds, limitSeconds: ModelFolder.longestSeconds
            ).sentence)
    }
}
