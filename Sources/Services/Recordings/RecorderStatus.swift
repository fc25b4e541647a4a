import Hosting

/// The state of the recording: whether the sound is recorded, and if not, why.
package struct RecorderStatus: Equatable, Sendable {
    /// The name of the recording's folder.
    package var name: String
    /// The number of the part that is being written; nil while nothing is recorded.
    package var partNumber: Int?
    /// Milliseconds since 1970; nil while nothing is recorded.
    package var partStartedAt: Int64?
    /// The seconds of the part that is being written.
    package var partSeconds = 0.0
    /// The number of parts before this one.
    package var earlierParts = 0
    /// The seconds that are missing between the part before and this one.
    package var gapSeconds: Double?
    /// The seconds recorded since this program started.
    package var seconds = 0.0
    /// The seconds that were replaced by silence because the disk was too slow.
    package var lostSeconds = 0.0
    /// True if sound was lost in the last ten seconds.
    package var isLosing = false
    /// The estimated seconds for which there is space; nil if the system does not say.
    package var secondsOfSpace: Double?
    /// The reason why nothing is recorded; nil while it is, and before the first sound.
    package var trouble: RecordingTrouble?

    package init(name: String) { self.name = name }

    package var isRecording: Bool { partNumber != nil }

    /// Says what is wrong and what to do; nil if all is well.
    package var faultSentence: String? {
        switch trouble {
        case .full(let free):
            return
                "The recording has stopped: the disk has \(free >> 20) MB left, and these are kept for the show and "
                + "for what people write. Delete files there; the recording then goes on by itself."
        case .disk(let sentence):
            return "The recording has stopped. \(sentence) It is tried again every ten seconds."
        case nil: break
        }
        return isLosing
            ? "The recording loses sound (\(lostSeconds.decimalText(1)) s so far), because the disk is too slow. "
                + "Close other programs on this machine, or put the data folder on another disk."
            : nil
    }

    /// Says after the end what was recorded.
    package var summary: String {
        if let faultSentence { return faultSentence }
        return seconds > 0
            ? "Recorded \(seconds.decimalText(1)) s as “\(name)”; baton recordings list shows it."
            : "Nothing was recorded, because no sound came."
    }

    /// Says for people whether the sound is recorded.
    package var sentence: String {
        if let faultSentence, !isRecording { return faultSentence }
        guard let partNumber else { return "The recording begins with the first sound." }
        var words =
            partNumber == 1
            ? "The sound is being recorded" : "The sound is being recorded, part \(partNumber)"
        if let gapSeconds, gapSeconds >= 0.05 {
            words += "; \(gapSeconds.decimalText(1)) s are missing before it"
        }
        if lostSeconds > 0 { words += "; \(lostSeconds.decimalText(1)) s were lost to a slow disk" }
        return words + "."
    }
}
