import Basics
import Foundation
import ReferenceStore
import Score
import ScoreFiles
import Sound

/// A recording that has passed its checks, with its measures if they are given.
struct CheckedRecording: Sendable {
    /// Path of the sound file. The sound of a rendered score lies in the scratch folder.
    let audioPath: String
    /// Name and digest of the recording's file, as stored in the model.
    let sourceFile: ModelSourceFile
    let referenceName: String
    let audioChannelChoice: AudioChannelChoice
    let audioSurvey: RecordingQuality
    let givenMeasures: MeasureMap?
    let measureTimesFile: ModelSourceFile?
    /// Warnings and notes about the recording, already printed on the console.
    let findings: [String]
    private let isRendered: Bool

    /// Reads and checks a recording and prints the findings.
    /// - Throws: ``PreparationError`` with all errors, not only the first.
    init(
        request: PreparationRequest, console: any PreparationObserver, cleanup: PreparationCleanup
    ) async throws {
        var rendering: RenderedScore?
        if let score = request.scorePath, request.recordingPath == nil {
            rendering = try await RenderedScore(score: score, console: console, cleanup: cleanup)
        }
        let path = request.recordingPath ?? request.scorePath ?? ""
        audioChannelChoice = AudioChannelChoice(request.audioChannel) ?? .meanOfAllChannels
        isRendered = rendering != nil
        // Printed before reading starts, since an hours-long recording takes minutes.
        console.beginStage("Reading \(path)")
        do {
            if let rendering {
                audioPath = rendering.audioPath
            } else {
                audioPath = try await cleanup.makeReadable(path)
            }
            let length = try SoundFileReader(path: audioPath).duration.value
            guard length <= ModelFolder.longestSeconds else {
                throw PreparationError.recordingTooLong(path, seconds: length)
            }
            audioSurvey = try RecordingQuality(path: audioPath, progress: console.showProgress)
        } catch let error as SoundFileError {
            throw PreparationError(Self.videoSentence(path, error) ?? error.sentence)
        }
        var collector = RecordingFindingCollector(console: console)
        collector.addSurveyFindings(audioSurvey, channel: audioChannelChoice, file: path)
        // The file is incomplete, so its measures are not checked: they may refer to the missing part.
        if audioSurvey.truncationSentence != nil { try collector.throwCollectedErrors() }

        if let rendering {
            givenMeasures = rendering.measures
            measureTimesFile = nil
        } else if let file = request.measureTimesPath {
            let times = try GivenMeasureTimes(path: file, request: request)
            givenMeasures = times.makeMeasureMap(survey: audioSurvey, collector: &collector)
            measureTimesFile = times.sourceFile
        } else {
            givenMeasures = nil
            measureTimesFile = nil
        }
        try collector.throwCollectedErrors()
        findings = collector.findings
        sourceFile = try ModelSourceFile(path: path)
        referenceName = request.referenceName ?? Self.defaultReferenceName(for: path)
    }

    /// The sentence for a video file, whose sound must be taken out first; nil for other files and errors.
    static func videoSentence(_ path: String, _ error: SoundFileError) -> String? {
        switch error {
        case .compressedUnsupported(_, let sound) where sound != .incomplete && sound != .silent: break
        case .notAudio: break
        default: return nil
        }
        let file = URL(fileURLWithPath: path)
        guard
            ["mp4", "m4v", "mov", "mkv", "avi", "webm", "mpg", "mpeg"].contains(
                file.pathExtension.lowercased())
        else { return nil }
        let sound = file.deletingPathExtension().lastPathComponent + ".flac"
        return "“\(path)” is a video. Take its sound out first, \(SoundFileError.conversionByVLC), "
            + "or in a terminal: ffmpeg -i '\(path)' -vn '\(sound)'"
    }

    /// Makes the model's entry for this recording.
    /// - Parameters:
    ///   - doubtful: the measures that a person should check by ear, because alignment found their times.
    ///   - score: the score by which the measures were found, and what was found.
    ///   - taps: the file of taps from which the measures were found.
    func makeStoredReference(
        measures: MeasureMap, tuningCents: Double, doubtful: [DoubtfulMeasureTime] = [],
        score: (file: ModelSourceFile, findings: ScoreAlignmentFindings)? = nil, taps: ModelSourceFile? = nil
    ) -> StoredReference {
        StoredReference(
            name: referenceName, source: sourceFile, measureFile: score?.file ?? taps ?? measureTimesFile,
            measureOrigin: isRendered
                ? .rendered : taps != nil ? .tapped : self.givenMeasures == nil ? .transferred : .given,
            durationSeconds: audioSurvey.duration.value, sampleRateHertz: audioSurvey.sampleRate.hertz,
            channel: audioChannelChoice,
            tuningCents: tuningCents, measures: measures, doubtful: doubtful,
            scoreAlignment: score?.findings)
    }

    /// Refuses, before any long computation, a recording that cannot be added to the model.
    /// - Throws: ``PreparationError`` if the model holds the recording or its name already, is full, or has other
    ///   measures.
    func checkCompatibility(with model: StoredModel) throws {
        if let same = model.referenceDetails.first(where: { $0.source.digest == sourceFile.digest }) {
            throw PreparationError("\(sourceFile.file) is in the model already, as “\(same.name)”.")
        }
        guard model.referenceDetails.count < ModelFolder.mostReferences else {
            throw PreparationError(
                "The model has \(model.referenceDetails.count) references, the most it may have: replace it with "
                    + "--replace.")
        }
        guard !model.referenceDetails.contains(where: { $0.name == referenceName }) else {
            throw PreparationError(
                "The model has a reference “\(referenceName)” already: give this one another name with --reference."
            )
        }
        guard let givenMeasures else { return }
        let timeline = model.model.measures.marks.map(\.printed)
        let printed = givenMeasures.marks.map(\.printed)
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
        return ModelFolder.isValidName(name) ? name : "reference"
    }
}
