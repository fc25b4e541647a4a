import Alignment
import Features
import Following
import Listening
import MusicalTime
import ReferenceStore
import Score
import ScoreFiles
import SoundFiles

/// One run of `baton prepare`, from its options to the model on disk.
package struct PrepareRun: Sendable {
    package let request: PrepareRequest
    package let console: PrepareConsole
    package let place: PrepareWorkplace

    package init(request: PrepareRequest, console: PrepareConsole, place: PrepareWorkplace) {
        self.request = request
        self.console = console
        self.place = place
    }

    private var folder: ModelFolder { ModelFolder(path: request.models) }

    package func run() async throws(PrepareFailure) -> PrepareSummary {
        defer { place.clear() }
        let earlier = try earlierModel()
        let input = try await PrepareInput(request: request, console: console, place: place)
        if let earlier {
            try input.check(against: earlier)
        } else if input.measures == nil {
            throw PrepareFailure(
                "The first recording of a piece needs measure times: give them with --measures.")
        }
        console.begin("Listening to \(input.source.file)")
        let frames: ReferenceFrames
        let tuningCents: Double
        do {
            (frames, tuningCents) = try hearReference(
                input.audioPath, channel: input.channel, progress: console.progress)
        } catch {
            throw PrepareFailure(error.sentence)
        }
        guard frames.frameCount > 0 else {
            throw PrepareFailure("\(input.source.file) is shorter than one frame; give a whole recording.")
        }
        let stored: StoredModel
        if let earlier {
            let further = PrepareFurther(timeline: earlier, console: console)
            stored = try further.added(input, frames: frames, tuningCents: tuningCents)
        } else {
            stored = try first(input, frames: frames, tuningCents: tuningCents)
        }
        let bytes = request.checkOnly ? nil : try save(stored)
        return PrepareSummary(
            stored, piece: request.piece, folder: "\(request.models)/\(request.piece)", bytes: bytes,
            findings: input.findings)
    }

    /// The model to which the recording is added; nil for a first recording.
    private func earlierModel() throws(PrepareFailure) -> StoredModel? {
        guard request.add else {
            guard !folder.contains(request.piece) || request.replace || request.checkOnly else {
                throw PrepareFailure(
                    "\(request.models)/\(request.piece) has a model already: add this recording to it with "
                        + "--add, or replace the model with --replace.")
            }
            return nil
        }
        do { return try folder.load(request.piece) } catch { throw PrepareFailure(error.sentence) }
    }

    private func first(
        _ input: PrepareInput, frames: ReferenceFrames, tuningCents: Double
    ) throws(PrepareFailure) -> StoredModel {
        guard let measures = input.measures else {
            throw PrepareFailure(
                "The first recording of a piece needs measure times: give them with --measures.")
        }
        let name: PieceName
        do { name = try PieceName(request.name ?? "") } catch { throw PrepareFailure(error.sentence) }
        let model = ReferenceModel(
            name: name, measures: measures, framesPerSecond: FeatureParameters().framesPerSecond,
            references: [frames])
        return StoredModel(
            model: model, references: [input.reference(measures: measures, tuningCents: tuningCents)])
    }

    private func save(_ stored: StoredModel) throws(PrepareFailure) -> Int {
        try place.undisturbed { () throws(PrepareFailure) in
            do {
                return try folder.save(stored, as: request.piece, companions: companions)
            } catch let error as ReferenceStoreError {
                throw PrepareFailure(error.sentence)
            } catch {
                throw PrepareFailure("\(error)")
            }
        }
    }

    /// Files stored next to the model with which a person can check aligned measures by ear.
    private func companions(of reference: StoredReference) -> [String: String] {
        guard reference.measureOrigin == .transferred else { return [:] }
        var rows = "played,printed,seconds,reasons\n"
        for measure in reference.doubtful {
            let printed = measure.printed.map(String.init) ?? "end"
            rows += "\(measure.played),\(printed),\(PrepareSummary.seconds(measure.seconds)),"
            rows += measure.reasons.joined(separator: "; ") + "\n"
        }
        return [
            "doubtful.csv": rows,
            "labels.txt": MeasureTimesWriter.audacityLabels(
                reference.measures.marks, end: reference.measures.end),
        ]
    }
}
