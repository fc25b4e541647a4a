import Accuracy
import Foundation
import Listening
import Score

extension EvaluationCase {
    /// A case that follows one performance with another one as its only reference.
    package init(piece: String, reference: RecordedPerformance, live: RecordedPerformance)
        throws(EvaluationCaseError)
    {
        id = "\(piece)/\(reference.name)-\(live.name)"
        group = "concert"
        title = "\(piece): \(live.name) by \(reference.name)"
        input = EvaluationCaseInput(
            references: [.init(audioPath: reference.audioFile.path, measures: reference.measures)],
            liveAudioPath: live.audioFile.path, firstMeasure: reference.measures.marks.first?.printed)
        truth = EvaluationCaseTruth(
            groundTruth: try GroundTruth(
                file: live.measuresFile, map: live.measures, reference: reference.measures)
        )
    }
}
