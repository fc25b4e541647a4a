import Alignment
import Following
import Listening
import MusicalTime
import ReferenceStore
import Score

/// Adds a recording to a model by aligning it with the model's first reference.
struct ReferenceAdder {
    let existingModel: StoredModel
    let console: PreparationConsole

    /// Aligns the recording with the model's first reference and adds it to the model.
    /// - Parameter sound: the recording at its own tempo.
    /// - Returns: the model with one more reference.
    func modelWithReference(
        _ input: CheckedRecording, sound: ReferenceSound
    ) throws(PreparationError) -> StoredModel {
        var model = existingModel.model
        let own = model.references[0]
        console.beginStage("Aligning \(input.source.file) with “\(existingModel.references[0].name)”")
        let path: WarpingPath
        do {
            path = try alignmentPath(sound.frames, measures: input.measures)
        } catch { throw PreparationError(error.sentence) }
        model.addReference(sound.frames, roomCopies: sound.roomCopies) {
            ReferenceWarping.warped($0, along: path, frameCount: own.frameCount)
        }

        let reference: StoredReference
        if let measures = input.measures {
            reference = input.reference(measures: measures, tuningCents: sound.tuningCents)
        } else {
            console.beginStage("Checking the measures of \(input.source.file)")
            let (measures, doubtful) = try transferMeasures(to: sound.frames, along: path)
            reference = input.reference(
                measures: measures, tuningCents: sound.tuningCents, doubtful: doubtful)
        }
        return StoredModel(model: model, references: existingModel.references + [reference])
    }

    private func alignmentPath(
        _ frames: ReferenceFrames, measures: MeasureMap?
    ) throws(OfflineAlignmentError) -> WarpingPath {
        let model = existingModel.model
        let console = console
        let progress: (Double) -> Bool = { share in
            console.showProgress(share)
            return true
        }
        guard let measures else {
            return try OfflineAlignment.align(model.references[0], frames, progress: progress)
        }
        return try ReferenceWarping.path(
            timeline: (model.references[0], model.measures), recording: (frames, measures),
            framesPerSecond: model.framesPerSecond, progress: progress)
    }

    /// Finds the recording's measures by alignment.
    /// - Returns: the measures, and those of them that should be checked by ear.
    private func transferMeasures(
        to frames: ReferenceFrames, along path: WarpingPath
    ) throws(PreparationError) -> (MeasureMap, [DoubtfulMeasure]) {
        let map = existingModel.model.measures
        let instants = MeasureTransfer.transfer(
            onsets: map.marks.map(\.onset.seconds), end: map.end.seconds, along: path,
            from: existingModel.model.references[0], to: frames,
            framesPerSecond: existingModel.model.framesPerSecond)
        let marks = zip(map.marks, instants).map { mark, instant in
            PlayedMeasure(printed: mark.printed, onset: ReferenceTime(seconds: Self.rounded(instant.seconds)))
        }
        let doubtful = instants.enumerated().filter(\.element.isDoubtful).map { played, instant in
            DoubtfulMeasure(
                played: played + 1, printed: played < map.marks.count ? map.marks[played].printed : nil,
                seconds: Self.rounded(instant.seconds), reasons: Self.reasons(instant.doubt))
        }
        do {
            let end = ReferenceTime(seconds: Self.rounded(instants[map.marks.count].seconds))
            return (try MeasureMap(marks: marks, end: end), doubtful)
        } catch {
            throw PreparationError(
                "The measures of the first recording could not be found in this one (\(error.sentence)) "
                    + "Give its measure times with --measures.")
        }
    }

    /// Rounds to tenths of a millisecond, the precision of measure-time files.
    private static func rounded(_ seconds: Double) -> Double { (seconds * 10_000).rounded() / 10_000 }

    private static func reasons(_ doubt: TransferDoubt) -> [String] {
        var reasons: [String] = []
        if doubt.contains(.ambiguous) { reasons.append("other instants fit nearly as well") }
        if doubt.contains(.unlike) { reasons.append("the recordings sound different here") }
        if doubt.contains(.improbableTempo) { reasons.append("improbable tempo next to it") }
        if doubt.contains(.moved) { reasons.append("moved after the measure before it") }
        if doubt.contains(.outside) { reasons.append("outside the recording") }
        return reasons
    }
}
