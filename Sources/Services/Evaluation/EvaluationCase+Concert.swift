import Accuracy
import Basics
import Foundation
import Listening
import Score

extension EvaluationCase {
    /// A case that follows one performance with another one as its only reference.
    /// - Throws: ``ExplainedError`` if the two have less than half of their measures in common.
    package init(
        piece: String, group: String = "concert", reference: RecordedPerformance, live: RecordedPerformance
    ) throws {
        let known = Set(reference.measures.marks.map(\.printed))
        let commonCount = live.measures.marks.count { known.contains($0.printed) }
        guard 2 * commonCount >= live.measures.marks.count else {
            throw ExplainedError(
                "\(live.measuresFile.path) and \(reference.measuresFile.path) have only "
                    + "\(commonCount) measures in common, so they are not one piece; "
                    + "put each piece into a folder of its own.")
        }
        id = "\(piece)/\(reference.name)-\(live.name)"
        self.group = group
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
