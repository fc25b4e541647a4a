import ReferenceStore

/// Reasons why no model could be made. Each sentence says what is wrong, where, and what to do.
package struct PreparationError: Error, Equatable {
    package var sentences: [String]

    package init(_ sentence: String) { sentences = [sentence] }

    package init(_ sentences: [String]) { self.sentences = sentences }

    /// A recording that is longer than the longest that can be followed.
    static func recordingTooLong(_ path: String, seconds: Double) -> PreparationError {
        PreparationError(
            ReferenceStoreError.referenceTooLong(
                reference: path, seconds: seconds, limitSeconds: ModelFolder.longestSeconds
            ).sentence)
    }
}
