import Concert
import Foundation
import Synchronization

/// A piece of work that reads or makes sound. It runs in a process of its own, so that a file that ends this process
/// ends nothing else, and so that it takes neither processor time nor memory from the show.
package enum PreparationWork: Codable, Equatable, Sendable {
    /// Checks whether a file can be a recording.
    case checkRecording(path: String)
    /// Measures a recording and writes its listening copy and the pictures of its sound into its folder.
    /// - Parameter name: the recording's name for people.
    case listen(path: String, name: String, folder: String)
    /// Reads a score and counts its bars.
    case checkScore(path: String)
    /// Finds the bars of a recording by its score.
    case align(ScoreAlignmentOrder)
    /// Finds the bars of a recording from taps.
    case findTappedBars(TapOrder)
    /// Renders a score as the sound file `score.wav` in a folder.
    case render(score: String, folder: String)
    /// Cuts a range out of a recorded evening, as a sound file in a folder.
    case takeEvening(EveningRangeOrder, folder: String)
    /// Finds the bars of a further recording.
    case alignReference(ReferenceAlignmentOrder)
    /// Writes the model and the recordings' folder of a finished piece.
    case writeModel(ModelOrder)
    /// Follows the recordings of a prepared piece with made trouble.
    case tryTrouble(TroubleTrialOrder)
}

/// The result of a piece of work.
package enum PreparationWorkResult: Codable, Equatable, Sendable {
    case recording(RecordingFacts)
    /// Sentences about what is not good about a recording.
    case heard(warnings: [String])
    case score(bars: Int)
    case aligned(ScoreAlignedBars)
    case tapped(TappedResult)
    case rendered(RecordingFacts, ScoreAlignedBars)
    case reference(ReferenceBars)
    /// A part of an evening was cut out; the sentences say what is missing in it.
    case taken(RecordingFacts, sentences: [String])
    /// The model was written; `forecast` says how well it will probably be followed.
    case written(sentence: String, forecast: PieceForecast?)
    /// The bars at which the follower hesitates with made trouble; nil if no recording was there.
    case tried(TroubleTrials?)
    /// It could not be done, for the reasons in the sentences.
    case failed(sentences: [String], kind: PreparationFailureKind? = nil)
    /// It was not done, for a reason that lies with the server and not with the file.
    case notPerformed(sentence: String)

    /// The reasons why there is no result; nil if there is one.
    var failure: PreparationError? {
        switch self {
        case .failed(let sentences, let kind): PreparationError(sentences, kind: kind)
        case .notPerformed(let sentence): PreparationError(sentence)
        default: nil
        }
    }
}

/// The facts in the header of a sound file.
package struct RecordingFacts: Codable, Equatable, Sendable {
    package var seconds: Double
    package var sampleRate: Int
    package var channels: Int
    package var warnings: [String]
    /// The ending of the format to which the file was converted, because only ffmpeg read it; nil if it was read as it
    /// was.
    package var convertedTo: String?
}

/// The stage of a piece of work.
package struct PreparationProgress: Codable, Equatable, Sendable {
    /// The present stage, for people: `Listening to prelude.flac`.
    package var stage: String
    /// The finished share of the stage, 0…1; nil if unknown.
    package var share: Double?

    package init(stage: String, share: Double? = nil) {
        self.stage = stage
        self.share = share
    }
}

/// Receives the progress of a piece of work and says whether it should go on.
package protocol PreparationObserver: Sendable {
    func beginStage(_ stage: String)
    /// - Parameter share: the finished share of the stage, 0…1.
    func showProgress(_ share: Double)
    /// Tells people about something that does not end the work.
    func printLine(_ line: String)
}

/// Performs pieces of work.
package protocol PreparationWorker: Sendable {
    /// - Parameters:
    ///   - folder: an empty folder for whatever the work needs for itself.
    ///   - progress: may be called on any thread.
    /// - Returns: the result, which may be a failure. Cancelling the task ends the work.
    func perform(
        _ work: PreparationWork, in folder: String,
        progress: @escaping @Sendable (PreparationProgress) -> Void
    ) async -> PreparationWorkResult
}

extension PreparationWork {
    /// Does the work in this process.
    /// - Parameter folder: an existing folder for whatever the work needs for itself.
    package func perform(in folder: String, observer: any PreparationObserver) async -> PreparationWorkResult
    {
        do {
            return try await result(in: folder, observer: observer)
        } catch {
            let failure = error as? PreparationError ?? PreparationError(error.explanation)
            return .failed(sentences: failure.sentences, kind: failure.kind)
        }
    }

    private func result(
        in folder: String, observer: any PreparationObserver
    ) async throws -> PreparationWorkResult {
        switch self {
        case .checkRecording(let path):
            return .recording(try await UploadedRecordingCheck.check(path, scratch: folder))
        case .listen(let path, let name, let folder):
            return .heard(
                warnings: try ListeningCopyMaker(path: path, name: name, folder: folder)
                    .make(observer: observer))
        case .checkScore(let path): return .score(bars: try await RenderedScore.countBars(of: path))
        case .align(let order): return .aligned(try await order.perform(in: folder, observer: observer))
        case .findTappedBars(let order): return .tapped(try order.perform(observer: observer))
        case .render(let score, let target):
            return try await RenderedScore.perform(score, into: target, scratch: folder, observer: observer)
        case .takeEvening(let order, let target): return try order.perform(in: target, observer: observer)
        case .alignReference(let order): return .reference(try order.perform(observer: observer))
        case .writeModel(let order):
            let (sentence, forecast) = try order.perform(observer: observer)
            return .written(sentence: sentence, forecast: forecast)
        case .tryTrouble(let order): return .tried(try order.perform(observer: observer))
        }
    }
}

/// Performs work in this process, on a thread with low priority. For tests.
package struct InProcessWorker: PreparationWorker {
    package init() {}

    private struct Forwarder: PreparationObserver {
        let progress: @Sendable (PreparationProgress) -> Void
        let stage = SharedStage()

        func beginStage(_ stage: String) {
            self.stage.text.withLock { $0 = stage }
            progress(PreparationProgress(stage: stage))
        }
        func showProgress(_ share: Double) {
            progress(PreparationProgress(stage: stage.text.withLock { $0 }, share: share))
        }
        func printLine(_ line: String) {}
    }

    private final class SharedStage: Sendable {
        let text = Mutex("")
    }

    package func perform(
        _ work: PreparationWork, in folder: String,
        progress: @escaping @Sendable (PreparationProgress) -> Void
    ) async -> PreparationWorkResult {
        await Task.detached(priority: .background) {
            await work.perform(in: folder, observer: Forwarder(progress: progress))
        }.value
    }
}
