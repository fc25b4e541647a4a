import Alignment
import Basics
import Following
import Listening
import ReferenceStore
import Score

/// Adds a recording to a model by aligning it with the model's first reference.
struct ReferenceAdder {
    let existingModel: StoredModel
    let console: any PreparationObserver

    /// Aligns the recording with the model's first reference and adds it to the model.
    /// - Parameters:
    ///   - file: the name of the recording's file, for people.
    ///   - sound: the recording at its own tempo.
    ///   - givenMeasures: its measures; nil to find them by the alignment.
    ///   - describe: makes the model's entry of the recording.
    /// - Returns: the model with one more reference.
    func modelWithReference(
        file: String, sound: ReferenceSound, givenMeasures: MeasureMap?,
        adviceReader: AdviceReader = .command,
        describe: (MeasureMap, [DoubtfulMeasureTime]) -> StoredReference
    ) throws -> StoredModel {
        var model = existingModel.model
        let own = model.framesByRecording[0]
        console.beginStage(
            "Aligning \(file) with “\(existingModel.referenceDetails[0].name)”")
        let path = try alignmentPath(sound.frames, measures: givenMeasures)
        model.addReference(sound.frames, roomCopies: sound.roomCopies) {
            ReferenceWarping.warpedFrames($0, along: path, frameCount: own.frameCount)
        }

        let reference: StoredReference
        if let givenMeasures {
            reference = describe(givenMeasures, [])
        } else {
            console.beginStage("Checking the measures of \(file)")
            let (measures, doubtful) = try TransferredMeasures.transfer(
                existingModel.model.measures, along: path,
                from: existingModel.model.framesByRecording[0].unpacked,
                to: sound.frames, adviceReader)
            reference = describe(measures, doubtful)
        }
        return StoredModel(model: model, referenceDetails: existingModel.referenceDetails + [reference])
    }

    private func alignmentPath(
        _ frames: ReferenceFeatureFrames, measures: MeasureMap?
    ) throws(OfflineAlignmentError) -> WarpingPath {
        let model = existingModel.model
        let own = model.framesByRecording[0].unpacked
        let console = console
        let progress: (Double) -> Bool = { share in
            console.showProgress(share)
            return true
        }
        guard let measures else {
            return try OfflineRecordingAlignment.align(own, frames, progress: progress)
        }
        return try ReferenceWarping.alignMeasureByMeasure(
            timeline: (own, model.measures), recording: (frames, measures),
            framesPerSecond: model.framesPerSecond, progress: progress)
    }
}
