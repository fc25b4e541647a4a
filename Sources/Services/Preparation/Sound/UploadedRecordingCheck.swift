import Foundation
import MusicalTime
import ReferenceStore
import SoundFiles

/// Checks at once, by its header alone, whether an uploaded file can be a recording.
enum UploadedRecordingCheck {
    /// - Throws: ``PreparationError`` with a sentence that says what the file is instead, and what to do.
    static func check(_ path: String) throws(PreparationError) -> RecordingFacts {
        let reader: SoundFileReader
        do throws(SoundFileError) { reader = try SoundFileReader(path: path) } catch {
            throw PreparationError(
                CheckedRecording.videoSentence(path, error) ?? scoreSentence(path, error) ?? error.sentence)
        }
        let seconds = reader.duration.value
        guard seconds <= ModelFolder.longestSeconds else {
            throw PreparationError.recordingTooLong(path, seconds: seconds)
        }
        return RecordingFacts(
            seconds: seconds, sampleRate: Int(reader.sampleRate.hertz), channels: reader.channelCount,
            warnings: RecordingFindingCollector.lowRateSentence(reader.sampleRate).map { [$0] } ?? [])
    }

    private static func scoreSentence(_ path: String, _ error: SoundFileError) -> String? {
        guard case .notAudio = error else { return nil }
        return MisplacedScore.sentence(path)
    }
}
