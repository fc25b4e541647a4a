import Alignment
import Following
import Listening
import MusicalTime
import ReferenceStore
import Score

/// Adds a recording to a model by aligning it with the model's first reference.
struct ReferenceAdder {
    let existingModel: StoredModel
    let console: any PreparationObserver

    /// Aligns the recording with the model's first reference and adds it to the model.
    /// - Parameter sound: the recording at its own tempo.
    /// - Returns: the model with one more reference.
    func modelWithReference(
        _ input: CheckedRecording, sound: ReferenceSound
    ) throws(PreparationError) -> StoredModel {
        var model = existingModel.model
        let own = model.framesByRecording[0]
        console.beginStage(
            "Aligning \(input.sourceFile.file) with “\(existingModel.referenceDetails[0].name)”")
        let path: WarpingPath
        do {
            path = try alignmentPath(sound.frames, measures: input.givenMeasures)
        } catch { throw PreparationError(error.sentence) }
        model.addReference(sound.frames, roomCopies: sound.roomCopies) {
            ReferenceWarping.warpedFrames($0, along: path, frameCount: own.frameCount)
        }

        let reference: StoredReference
        if let measures = input.givenMeasures {
            reference = input.makeStoredReference(measures: measures, tuningCents: sound.tuningCents)
        } else {
            console.beginStage("Checking the measures of \(input.sourceFile.file)")
            let (measures, doubtful) = try transferMeasures(to: sound.frames, along: path)
            reference = input.makeStoredReference(
                measures: measures, tuningCents: sound.tuningCents, doubtful: doubtful)
        }
        return StoredModel(model: model, referenceDetails: existingModel.referenceDetails + [reference])
    }

    private func alignmentPath(
        _ frames: ReferenceFeatureFrames, measures: MeasureMap?
    ) throws(OfflineAlignmentError) -> WarpingPath {
        let model = existingModel.model
        let console = console
        let progress: (Double) -> Bool = { share in
            console.showProgress(share)
            return true
        }
        guard let measures else {
            return try OfflineRecordingAlignment.align(model.framesByRecording[0], frames, progress: progress)
        }
        return try ReferenceWarping.alignMeasureByMeasure(
            timeline: (model.framesByRecording[0], model.measures), recording: (frames, measures),
            framesPerSecond: model.framesPerSecond, progress: progress)
    }

    /// Finds the recording's measures by alignment.
    /// - Returns: all measures, and a list of the measures that a person should check by ear.
    private func transferMeasures(
        to frames: ReferenceFeatureFrames, along path: WarpingPath
    ) throws(PreparationError) -> (MeasureMap, [DoubtfulMeasureTime]) {
        let map = existingModel.model.measures
        let instants = MeasureTransfer.transferOnsets(
            onsets: map.marks.map(\.onset.seconds), end: map.end.seconds, along: path,
            from: existingModel.model.framesByRecording[0], to: frames,
            framesPerSecond: existingModel.model.framesPerSecond)
        let marks = zip(map.marks, instants).map { mark, instant in
            PlayedMeasure(
                printed: mark.printed,
                onset: ReferenceTime(seconds: Self.roundedToTenthMillisecond(instant.seconds)))
        }
        let doubtful = instants.enumerated().filter(\.element.isDoubtful).map { played, instant in
            DoubtfulMeasureTime(
                played: played + 1, printed: played < map.marks.count ? map.marks[played].printed : nil,
                seconds: Self.roundedToTenthMillisecond(instant.seconds),
                reasons: Self.doubtReasonSentences(instant.doubt))
        }
        do {
            let end = ReferenceTime(
                seconds: Self.roundedToTenthMillisecond(instants[map.marks.count].seconds))
            return (try MeasureMap(marks: marks, end: end), doubtful)
        } catch {
            throw PreparationError(
                "The measures of the first recording could not be found in this one (\(error.sentence)) "
                    + "Give its measure times with --measures.")
        }
    }

    /// Rounds to tenths of a millisecond, the precision of measure-time files.
    private static func roundedToTenthMillisecond(_ seconds: Double) -> Double {
        (seconds * 10_000).rounded() / 10_000
    }

    static func doubtReasonSentences(_ doubt: MeasureTransferDoubt) -> [String] {
        var reasons: [String] = []
        if doubt.contains(.ambiguous) { reasons.append("other instants fit nearly as well") }
        if doubt.contains(.recordingsDiffer) { reasons.append("the recordings sound different here") }
        if doubt.contains(.improbableTempo) { reasons.append("improbable tempo next to it") }
        if doubt.contains(.movedToKeepOrder) { reasons.append("moved after the measure before it") }
        if doubt.contains(.outsideRecording) { reasons.append("outside the recording") }
        if doubt.contains(.afterLeap) { reasons.append("the recording leaves the order of the score here") }
        return reasons
    }
}
