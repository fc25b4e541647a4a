import Basics
import Features
import Following
import Foundation
import Listening
import ReferenceStore
import Score
import ScoreFiles
import Sound

/// Writes the model and the recordings' folder of a finished piece.
package struct ModelOrder: Codable, Equatable, Sendable {
    package struct Recording: Codable, Equatable, Sendable {
        var path: String
        /// The name of its file for people, as it was uploaded.
        var file: String
        /// The name in the model and of the recording's folder: letters, digits and dashes, unique.
        var name: String
    }

    /// The id of the piece in preparation, by which its own folder is recognised later.
    var piece: String
    var name: String
    /// The name of the model's folder and of the recordings' folder.
    var folder: String
    /// The folder of all models.
    var models: String
    /// The folder of all recordings.
    var recordings: String
    var main: Recording
    var bars: [OrderedBar]
    /// The end of the last bar; nil to take the end of the sound.
    var end: Double?
    var doubtful: [DoubtfulMeasureTime]
    /// The score by which the bars were found, or which was rendered; nil if there was none.
    var score: String?
    var origin: StoredReference.MeasureTimesOrigin
    var further: [Recording]
    /// The account whose tab this is; nil for pieces of the house.
    var tabOwner: String?
    /// The id of that tab on the page Practice.
    var tab: String?
    /// Nil if unknown or changing.
    var beatsPerBar: Int?
    /// The sections and rehearsal letters; nil in an order of an older version.
    var sections: [EnteredSection]?

    /// - Returns: a sentence about what was written, and a forecast of how well it will be followed.
    func perform(observer: any PreparationObserver) throws -> (String, PieceForecast) {
        let pieceName = try PieceName(entered: name)
        let modelFolder = ModelFolder(path: models)
        let revision = try modelFolder.revision(of: folder)
        let kept = try KeptReferences(order: self)
        var stored = try firstModel(pieceName, observer)
        for recording in further {
            let sound = try listen(to: recording, observer)
            let source = try sourceFile(of: recording)
            let survey = try survey(of: recording, observer)
            let adder = ReferenceAdder(existingModel: stored, console: observer)
            stored = try adder.modelWithReference(
                file: source.file, sound: sound, givenMeasures: nil, adviceReader: .page
            ) { measures, doubtful in
                StoredReference(
                    name: recording.name, source: source, measureFile: nil, measureOrigin: .transferred,
                    durationSeconds: survey.duration.value, sampleRateHertz: survey.sampleRate.hertz,
                    tuningCents: sound.tuningCents, measures: measures, doubtful: doubtful)
            }
        }
        let count = stored.referenceDetails.count
        stored = try kept.added(to: stored)
        observer.beginStage("Writing the model")
        try RecordingsFolderWriter(order: self, references: stored.referenceDetails).write()
        try modelFolder.saveModel(
            stored, as: folder, replacing: revision, companions: kept.makeMeasureReviewFiles)
        let sentence =
            "“\(name)” is prepared, with \(bars.count) bars and "
            + (count == 1 ? "one recording." : "\(count) recordings.") + kept.sentence
        return (sentence, PieceForecast(model: stored.model, adviceReader: .page))
    }

    private func firstModel(
        _ pieceName: PieceName, _ observer: any PreparationObserver
    ) throws -> StoredModel {
        let survey = try survey(of: main, observer)
        let marks = bars.map { PlayedMeasure(printed: $0.printed, onset: ReferenceTime(seconds: $0.seconds)) }
        let end = min(
            end ?? GivenMeasureTimes.endOfSound(survey, after: marks[marks.count - 1].onset).seconds,
            survey.duration.value)
        let measures = try MeasureMap.ordered(bars, end: end)
        let sound = try listen(to: main, observer)
        let reference = StoredReference(
            name: main.name, source: try sourceFile(of: main), measureFile: try score.map(sourceFile),
            measureOrigin: origin, durationSeconds: survey.duration.value,
            sampleRateHertz: survey.sampleRate.hertz, tuningCents: sound.tuningCents, measures: measures,
            doubtful: doubtful)
        var model = ReferenceModel(
            pieceName: pieceName, measures: measures, framesPerSecond: FeatureParameters().framesPerSecond,
            framesByRecording: [sound.frames.packed], roomCopies: [sound.roomCopies])
        model.beatsPerBar = beatsPerBar
        return StoredModel(model: model, referenceDetails: [reference])
    }

    private func survey(
        of recording: Recording, _ observer: any PreparationObserver
    ) throws -> RecordingQuality {
        observer.beginStage("Checking \(recording.file)")
        return try RecordingQuality(path: recording.path, progress: observer.showProgress)
    }

    private func listen(
        to recording: Recording, _ observer: any PreparationObserver
    ) throws -> ReferenceSound {
        let name = recording.file
        observer.beginStage("Listening to \(name)")
        let sound = try computeReferenceFrames(recording.path, progress: observer.showProgress)
        guard sound.frames.frameCount > 0 else {
            throw PreparationError("\(name) is shorter than one frame; give a whole recording.")
        }
        return sound
    }

    private func sourceFile(of recording: Recording) throws -> ModelSourceFile {
        ModelSourceFile(file: recording.file, digest: try sourceFile(recording.path).digest)
    }

    private func sourceFile(_ path: String) throws -> ModelSourceFile {
        return try ModelSourceFile(path: path)
    }
}
