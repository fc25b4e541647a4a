import Foundation
import MusicalTime
import ReferenceStore
import Rendering
import Score
import ScoreFiles
import SoundFiles

/// A recording that has passed its checks, with its measures if they are given.
struct CheckedRecording: Sendable {
    /// Path of the sound file. The sound of a rendered score lies in the scratch folder.
    let audioPath: String
    /// Name and digest of the recording's file, as stored in the model.
    let source: SourceFile
    let referenceName: String
    let channel: ChannelChoice
    let survey: AudioSurvey
    let measures: MeasureMap?
    let measureFile: SourceFile?
    /// Warnings and notes about the recording, already printed on the console.
    let findings: [String]
    private let isRendered: Bool

    /// Reads and checks a recording and prints the findings.
    /// - Throws: ``PreparationError`` with all errors, not only the first.
    init(
        request: PreparationRequest, console: PreparationConsole, cleanup: PreparationCleanup
    ) async throws(PreparationError) {
        var rendering: RenderedScore?
        if let score = request.score {
            rendering = try await RenderedScore(score: score, console: console, cleanup: cleanup)
        }
        let path = request.score ?? request.recording ?? ""
        audioPath = rendering?.audioPath ?? path
        channel = ChannelChoice(request.channel) ?? .mix
        isRendered = rendering != nil
        // Printed before reading starts, since an hours-long recording takes minutes.
        console.beginStage("Reading \(path)")
        do {
            let length = try SoundFileReader(path: audioPath).duration.value
            guard length <= ModelFolder.longestSeconds else {
                let error = ReferenceStoreError.tooLong(
                    reference: path, seconds: length, limitSeconds: ModelFolder.longestSeconds)
                throw PreparationError(error.sentence)
            }
            survey = try AudioSurvey(path: audioPath, progress: console.showProgress)
        } catch let error as SoundFileError {
            throw PreparationError(error.sentence)
        } catch let error as PreparationError {
            throw error
        } catch {
            throw PreparationError("\(error)")
        }
        var collector = FindingCollector(console: console)
        collector.addFindings(survey, channel: channel, file: path)
        // The file is incomplete, so its measures are not checked: they may refer to the missing part.
        if survey.cutShort != nil { try collector.throwErrors() }

        if let rendering {
            measures = rendering.measures
            measureFile = nil
        } else if let file = request.measureTimesPath {
            let times = try GivenMeasureTimes(path: file, request: request)
            measures = times.makeMeasureMap(survey: survey, collector: &collector)
            measureFile = times.source
        } else {
            measures = nil
            measureFile = nil
        }
        try collector.throwErrors()
        findings = collector.findings
        do { source = try SourceFile(path: path) } catch { throw PreparationError(error.sentence) }
        referenceName = request.referenceName ?? Self.defaultReferenceName(for: path)
    }

    /// Makes the model's entry for this recording.
    /// - Parameter doubtful: measures whose times were found by alignment and should be checked by ear.
    func reference(
        measures: MeasureMap, tuningCents: Double, doubtful: [DoubtfulMeasure] = []
    ) -> StoredReference {
        StoredReference(
            name: referenceName, source: source, measureFile: measureFile,
            measureOrigin: isRendered ? .rendered : self.measures == nil ? .transferred : .given,
            durationSeconds: survey.duration.value, sampleRateHertz: survey.rate.hertz, channel: channel,
            tuningCents: tuningCents, measures: measures, doubtful: doubtful)
    }

    /// Refuses, before any long computation, a recording that cannot be added to the model.
    /// - Throws: ``PreparationError`` if the model holds the recording or its name already, is full, or has other
    ///   measures.
    func checkCompatibility(with model: StoredModel) throws(PreparationError) {
        if let same = model.references.first(where: { $0.source.digest == source.digest }) {
            throw PreparationError("\(source.file) is in the model already, as “\(same.name)”.")
        }
        guard model.references.count < ModelFolder.mostReferences else {
            throw PreparationError(
                "The model has \(model.references.count) references, the most it may have: replace it with "
                    + "--replace.")
        }
        guard !model.references.contains(where: { $0.name == referenceName }) else {
            throw PreparationError(
                "The model has a reference “\(referenceName)” already: give this one another name with --reference."
            )
        }
        guard let measures else { return }
        let timeline = model.model.measures.marks.map(\.printed)
        let printed = measures.marks.map(\.printed)
        let rows = zip(timeline, printed).enumerated()
        if let (row, (expected, found)) = rows.first(where: { $0.element.0 != $0.element.1 }) {
            throw PreparationError(
                "Played measure \(row + 1) is measure \(found) here and measure \(expected) in the first "
                    + "recording: only recordings with the same repeats can be added.")
        }
        guard timeline.count == printed.count else {
            throw PreparationError(
                "There are \(printed.count) played measures here and \(timeline.count) in the first recording: "
                    + "only recordings with the same repeats can be added.")
        }
    }

    /// Makes a reference name from the file's name, or from its folder's name if the file has a generic name such as
    /// `audio`.
    package static func defaultReferenceName(for path: String) -> String {
        let file = URL(fileURLWithPath: path)
        var stem = file.deletingPathExtension().lastPathComponent
        if ["audio", "score", "recording"].contains(stem.lowercased()) {
            stem = file.deletingLastPathComponent().lastPathComponent
        }
        let words = stem.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        let name = String(words.joined(separator: "-").prefix(60))
        return ModelFolder.isName(name) ? name : "reference"
    }
}
