import Accuracy
import Foundation
import Score

/// All that a follower may know about a case: what it could know in the hall before the first note, and the sound.
///
/// Neither the case's name nor anything of its truth is in here. The live recording goes by a path of its own
/// with nothing beside it.
struct CaseQuestion: Codable, Sendable {
    struct Reference: Codable, Sendable {
        var audioPath: String
        /// With the end of its last measure.
        var measures: MeasureMap
    }

    /// At least one; the same music played by different people.
    var references: [Reference]
    var liveAudioPath: String
    /// Number of the measure the music will begin with; nil where nobody knows.
    var firstMeasure: Int?
}

/// What really happened in a case; never leaves the judging process.
struct CaseTruth: Sendable {
    var truth: Truth
    var disruption: Disruption?
}

/// A case with both halves, kept apart.
struct EvaluationCase: Sendable {
    var id: String
    var group: String
    /// The case it was derived from.
    var base: String?
    var title: String
    var question: CaseQuestion
    /// Nil where the case is only followed, not scored.
    var truth: CaseTruth?
}

/// A case that could not even be asked.
struct BrokenCase: Sendable {
    var id: String
    var sentence: String
}
