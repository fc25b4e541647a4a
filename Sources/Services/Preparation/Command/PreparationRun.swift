import Alignment
import Basics
import Features
import Following
import Listening
import ReferenceStore
import Score
import ScoreFiles
import Sound

/// One run of `baton prepare`, from its options to the model on disk.
package struct PreparationRun: Sendable {
    package let request: PreparationRequest
    package let console: PreparationConsole
    package let cleanup: PreparationCleanup

    package init(request: PreparationRequest, console: PreparationConsole, cleanup: PreparationCleanup) {
        self.request = request
        self.console = console
        self.cleanup = cleanup
    }

    private static let measuresMissing =
        "The first recording of a piece needs measure times: give them with --measures, taps with --taps, or its score "
        + "with --score."

    private var modelFolder: ModelFolder { ModelFolder(path: request.modelsFolder) }

    package func run() async throws -> PreparationSummary {
        defer { cleanup.deleteScratchFiles() }
        let revision = try modelFolder.revision(of: request.pieceFolder)
        let earlier = try loadModelToExtend()
        let input = try await CheckedRecording(request: request, console: console, cleanup: cleanup)
        if let earlier {
            try input.checkCompatibility(with: earlier)
        } else if input.givenMeasures == nil, request.scorePath == nil, request.tapsPath == nil {
            throw PreparationError(Self.measuresMissing)
        }
        let aligned = try await measuresByScore(of: input)
        console.beginStage("Listening to \(input.sourceFile.file)")
        let sound = try computeReferenceFrames(
            input.audioPath, channel: input.audioChannelChoice, progress: console.showProgress)
        guard sound.frames.frameCount > 0 else {
            throw PreparationError(
                "\(input.sourceFile.file) is shorter than one frame; give a whole recording.")
        }
        let stored: StoredModel
        if let earlier {
            let further = ReferenceAdder(existingModel: earlier, console: console)
            stored = try further.modelWithReference(
                file: input.sourceFile.file, sound: sound, givenMeasures: input.givenMeasures
            ) {
                input.makeStoredReference(
                    measures: $0, tuningCents: sound.tuningCents, doubtful: $1)
            }
        } else {
            let tapped = try measuresByTaps(of: input, sound: sound.frames)
            stored = try firstModel(input, aligned: aligned, tapped: tapped, sound: sound)
        }
        let bytes = request.onlyChecks ? nil : try save(stored, replacing: revision)
        return PreparationSummary(
            stored, piece: request.pieceFolder, folder: "\(request.modelsFolder)/\(request.pieceFolder)",
            bytes: bytes,
            findings: input.findings)
    }

    /// The model to which the recording is added; nil for a first recording.
    private func loadModelToExtend() throws -> StoredModel? {
        guard request.addsToModel else {
            guard !modelFolder.contains(request.pieceFolder) || request.replacesModel || request.onlyChecks
            else {
                throw PreparationError(
                    "\(request.modelsFolder)/\(request.pieceFolder) has a model already: add this recording to it with "
                        + "--add, or replace the model with --replace.")
            }
            return nil
        }
        return try modelFolder.loadModel(request.pieceFolder)
    }

    /// Finds the recording's measures by its score; nil unless the request has both.
    private func measuresByScore(
        of input: CheckedRecording
    ) async throws -> ScoreAlignedMeasures? {
        guard let score = request.scorePath, request.recordingPath != nil else { return nil }
        return try await ScoreAlignedMeasures(
            score: score,
            recording: .init(
                path: input.audioPath, name: input.sourceFile.file, channel: input.audioChannelChoice,
                seconds: input.audioSurvey.duration.value),
            options: .init(route: request.route, insists: request.insistsOnScore), console: console,
            cleanup: cleanup)
    }

    /// Finds the recording's measures by taps; nil unless the request has them.
    private func measuresByTaps(
        of input: CheckedRecording, sound: ReferenceFeatureFrames
    ) throws -> TappedMeasures? {
        guard let taps = request.tapsPath else { return nil }
        let tapped = try TappedMeasures(
            taps: taps, recording: input, sound: sound, request: request, console: console)
        for note in tapped.notes { console.printLine("note: \(note)") }
        return tapped
    }

    private func firstModel(
        _ input: CheckedRecording, aligned: ScoreAlignedMeasures?, tapped: TappedMeasures?,
        sound: ReferenceSound
    ) throws -> StoredModel {
        guard let measures = aligned?.measures ?? tapped?.measures ?? input.givenMeasures else {
            throw PreparationError(Self.measuresMissing)
        }
        let name = try PieceName(entered: request.pieceName ?? "")
        var model = ReferenceModel(
            pieceName: name, measures: measures, framesPerSecond: FeatureParameters().framesPerSecond,
            framesByRecording: [sound.frames.packed], roomCopies: [sound.roomCopies])
        model.beatsPerBar = request.beatsPerBar
        return StoredModel(
            model: model,
            referenceDetails: [
                input.makeStoredReference(
                    measures: measures, tuningCents: sound.tuningCents,
                    doubtful: aligned?.doubtful ?? tapped?.doubtful ?? [],
                    score: aligned.map { ($0.scoreFile, $0.findings) }, taps: tapped?.tapsFile)
            ])
    }

    private func save(
        _ stored: StoredModel, replacing revision: ModelRevision
    ) throws -> Int {
        try cleanup.runUninterrupted { () throws in
            return try modelFolder.saveModel(
                stored, as: request.pieceFolder, replacing: revision,
                companions: Self.makeMeasureReviewFiles)
        }
    }

    /// Makes files with which a person can check aligned measures by ear: a table of doubtful measures, labels for
    /// Audacity, and the measure times in the form that `--measures` reads. They are stored next to the model.
    /// - Returns: the content of each file, by file name; empty unless the measures were found by alignment or from taps.
    static func makeMeasureReviewFiles(for reference: StoredReference) -> [String: String] {
        guard [.transferred, .tapped].contains(reference.measureOrigin) else { return [:] }
        var rows = "played,printed,seconds,reasons\n"
        for measure in reference.doubtful {
            let printed = measure.printed.map(String.init) ?? "end"
            rows += "\(measure.played),\(printed),\(PreparationSummary.formattedSeconds(measure.seconds)),"
            rows += measure.reasons.joined(separator: "; ") + "\n"
        }
        var files = [
            "doubtful.csv": rows,
            "labels.txt": MeasureTimesWriter.makeAudacityLabels(
                reference.measures.marks, end: reference.measures.end),
            "measures.csv": MeasureTimesWriter.makeCSV(
                reference.measures.marks, end: reference.measures.end),
        ]
        if let findings = reference.scoreAlignment {
            files["doubts.csv"] = makeDoubtTable(reference, doubts: findings.doubts)
        }
        return files
    }

    /// A row for each played measure with its doubt, from 0 to 1, and the reasons if a person should check it.
    private static func makeDoubtTable(_ reference: StoredReference, doubts: [Double]) -> String {
        let reasons = Dictionary(
            reference.doubtful.map { ($0.played, $0.reasons) }, uniquingKeysWith: { first, _ in first })
        var rows = "played,printed,seconds,doubt,reasons\n"
        for (index, (mark, doubt)) in zip(reference.measures.marks, doubts).enumerated() {
            let seconds = PreparationSummary.formattedSeconds(mark.onset.seconds)
            rows += "\(index + 1),\(mark.printed),\(seconds),\(doubt),"
            rows += (reasons[index + 1] ?? []).joined(separator: "; ") + "\n"
        }
        return rows
    }
}
