import Accuracy
import Foundation
import Score

/// All that a follower may know about a case: what it could know in the hall before the first note, and the sound.
///
/// Neither the case's name nor anything of its truth is in here. The live recording goes by a path of its own
/// with nothing beside it.
package struct CaseQuestion: Codable, Sendable {
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
package struct CaseTruth: Sendable {
    var truth: GroundTruth
    var disruption: Disruption?
}

/// A case with both halves, kept apart.
package struct EvaluationCase: Sendable {
    package var id: String
    package var group: String
    /// The case it was derived from.
    package var base: String?
    package var title: String
    package var question: CaseQuestion
    /// Nil where the case is only followed, not scored.
    package var truth: CaseTruth?

    package init(
        id: String, group: String, base: String? = nil, title: String, question: CaseQuestion,
        truth: CaseTruth? = nil
    ) {
        self.id = id
        self.group = group
        self.base = base
        self.title = title
        self.question = question
        self.truth = truth
    }
}

/// A case that could not even be asked.
package struct BrokenCase: Sendable {
    package var id: String
    package var sentence: String

    package init(id: String, sentence: String) {
        self.id = id
        self.sentence = sentence
    }
}
