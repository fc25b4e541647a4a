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
        input = CaseInput(
            references: [.init(audioPath: reference.audio.path, measures: reference.measures)],
            liveAudioPath: live.audio.path, firstMeasure: reference.measures.marks.first?.printed)
        truth = CaseTruth(
            truth: try GroundTruth(file: live.measuresFile, map: live.measures, reference: reference.measures)
        )
    }
}
