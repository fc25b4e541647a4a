import Foundation
import MusicalTime
import ReferenceStore
import Rendering
import Score
import ScoreFiles
import SoundFiles

/// A recording that passed its checks, with its measures where they are known.
struct PrepareInput: Sendable {
    /// Where the sound is; for a score in the workplace's scratch folder.
    let audioPath: String
    /// What the model remembers it by.
    let source: SourceFile
    let referenceName: String
    let channel: ChannelChoice
    let survey: AudioSurvey
    let measures: MeasureMap?
    let measureFile: SourceFile?
    /// Warnings and notes; the console has already shown them.
    let findings: [String]
    private let isRendered: Bool

    /// Reads, checks, and tells on the console what it finds.
    /// - Throws: ``PrepareFailure`` with everything that is wrong, not only the first thing.
    init(
        request: PrepareRequest, console: PrepareConsole, place: PrepareWorkplace
    ) async throws(PrepareFailure) {
        var rendering: PrepareRendering?
        if let score = request.score {
            rendering = try await PrepareRendering(score: score, console: console, place: place)
        }
        let path = request.score ?? request.recording ?? ""
        audioPath = rendering?.audioPath ?? path
        channel = ChannelChoice(request.channel) ?? .mix
        isRendered = rendering != nil
        // Reading comes first and takes minutes for hours of sound: nobody waits without a word.
        console.begin("Reading \(path)")
        do {
            let length = try SoundFileReader(path: audioPath).duration.value
            guard length <= ModelFolder.longestSeconds else {
                let error = ReferenceStoreError.tooLong(
                    reference: path, seconds: length, limitSeconds: ModelFolder.longestSeconds)
                throw PrepareFailure(error.sentence)
            }
            survey = try AudioSurvey(path: audioPath, progress: console.progress)
        } catch let error as SoundFileError {
            throw PrepareFailure(error.sentence)
        } catch let error as PrepareFailure {
            throw error
        } catch {
            throw PrepareFailure("\(error)")
        }
        var judgement = PrepareJudgement(console: console)
        judgement.judge(survey, channel: channel, file: path)
        // The measures of what is missing are not at fault.
        if survey.cutShort != nil { try judgement.end() }

        if let rendering {
            measures = rendering.measures
            measureFile = nil
        } else if let file = request.measures {
            let times = try PrepareMeasures(path: file, request: request)
            measures = times.map(survey: survey, judgement: &judgement)
            measureFile = times.source
        } else {
            measures = nil
            measureFile = nil
        }
        try judgement.end()
        findings = judgement.findings
        do { source = try SourceFile(path: path) } catch { throw PrepareFailure(error.sentence) }
        referenceName = request.reference ?? Self.name(of: path)
    }

    /// What the model keeps about this recording.
    /// - Parameter doubtful: measures whose times were found and should be checked.
    func reference(
        measures: MeasureMap, tuningCents: Double, doubtful: [DoubtfulMeasure] = []
    ) -> StoredReference {
        StoredReference(
            name: referenceName, source: source, measureFile: measureFile,
            measureOrigin: isRendered ? .rendered : self.measures == nil ? .transferred : .given,
            durationSeconds: survey.duration.value, sampleRateHertz: survey.rate.hertz, channel: channel,
            tuningCents: tuningCents, measures: measures, doubtful: doubtful)
    }

    /// Refuses what cannot be added to a model, before anything long is begun.
    func check(against model: StoredModel) throws(PrepareFailure) {
        if let same = model.references.first(where: { $0.source.digest == source.digest }) {
            throw PrepareFailure("\(source.file) is in the model already, as “\(same.name)”.")
        }
        guard model.references.count < ModelFolder.mostReferences else {
            throw PrepareFailure(
                "The model has \(model.references.count) references, the most it may have: make it anew with "
                    + "--replace.")
        }
        guard !model.references.contains(where: { $0.name == referenceName }) else {
            throw PrepareFailure(
                "The model has a reference “\(referenceName)” already: give this one another name with --reference."
            )
        }
        guard let measures else { return }
        let timeline = model.model.measures.marks.map(\.printed)
        let printed = measures.marks.map(\.printed)
        let rows = zip(timeline, printed).enumerated()
        if let (row, (expected, found)) = rows.first(where: { $0.element.0 != $0.element.1 }) {
            throw PrepareFailure(
                "Played measure \(row + 1) is measure \(found) here and measure \(expected) in the first "
                    + "recording: only recordings with the same repeats can be added.")
        }
        guard timeline.count == printed.count else {
            throw PrepareFailure(
                "There are \(printed.count) played measures here and \(timeline.count) in the first recording: "
                    + "only recordings with the same repeats can be added.")
        }
    }

    /// A file's name as a reference's; its folder's where the file has none of its own.
    package static func name(of path: String) -> String {
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
