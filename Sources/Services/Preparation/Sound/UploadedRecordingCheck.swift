import Basics
import Foundation
import ReferenceStore
import Sound

/// Checks at once, by its header alone, whether an uploaded file can be a recording.
enum UploadedRecordingCheck {
    /// Checks a file that only ffmpeg reads as well, and replaces it by what ffmpeg has made of it.
    /// - Parameter scratch: an existing folder on the same disk.
    static func check(_ path: String, scratch: String) async throws -> RecordingFacts {
        let readable: String
        do throws(SoundFileError) {
            readable = try await SoundConversion.makeReadable(path, in: URL(fileURLWithPath: scratch))
        } catch {
            throw PreparationError(
                CheckedRecording.videoSentence(path, error) ?? scoreSentence(path, error) ?? error.sentence)
        }
        var facts = try check(readable)
        guard readable != path else { return facts }
        guard rename(readable, path) == 0 else {
            throw PreparationError("The sound cannot be written: \(String(cString: strerror(errno)))")
        }
        facts.convertedTo = URL(fileURLWithPath: readable).pathExtension
        return facts
    }

    /// - Throws: ``PreparationError`` with a sentence that says what the file is instead, and what to do.
    static func check(_ path: String) throws -> RecordingFacts {
        let reader = try SoundFileReader(path: path)
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
