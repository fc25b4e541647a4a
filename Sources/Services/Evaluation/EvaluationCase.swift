import Accuracy
import Foundation
import Score

/// The part of an evaluation case that the follower gets: the facts known in the hall before the first note, and the
/// sound.
///
/// It contains neither the case's name nor its ground truth. The live recording is passed under a neutral path with no
/// other files next to it.
package struct EvaluationCaseInput: Codable, Sendable {
    struct Reference: Codable, Sendable {
        var audioPath: String
        /// The onsets of all measures, and the end of the last one.
        var measures: MeasureMap
    }

    /// The references, at least one; all are the same music played by different people.
    var references: [Reference]
    var liveAudioPath: String
    /// The printed number of the measure with which the music begins; nil if unknown.
    var firstMeasure: Int?
}

/// The ground truth of a case, which worker processes never get.
package struct EvaluationCaseTruth: Sendable {
    var groundTruth: GroundTruth
    var disruption: MusicDisruption?
}

/// One test of the follower: the input that it gets, and the ground truth.
package struct EvaluationCase: Sendable {
    package var id: String
    package var group: String
    /// The id of the case from which this one was derived; nil for an original case.
    package var originalCaseID: String?
    package var title: String
    package var input: EvaluationCaseInput
    /// The ground truth; nil if the case is only followed, not scored.
    package var truth: EvaluationCaseTruth?
    /// What was assumed or not understood while the case was read, a sentence each.
    package var remarks: [String] = []

    package init(
        id: String, group: String, base: String? = nil, title: String, question: EvaluationCaseInput,
        truth: EvaluationCaseTruth? = nil
    ) {
        self.id = id
        self.group = group
        self.originalCaseID = base
        self.title = title
        self.input = question
        self.truth = truth
    }
}

/// A case whose files cannot be read.
package struct UnreadableEvaluationCase: Sendable {
    package var id: String
    package var sentence: String

    package init(id: String, sentence: String) {
        self.id = id
        self.sentence = sentence
    }
}
