import Basics
import Glibc

extension RecordingQuality {
    /// The problems of the recording, one sentence for each; empty for a good recording.
    public var problemSentences: [String] {
        var findings: [String] = []
        if let truncationSentence { findings.append(truncationSentence) }
        guard peakDecibels > Self.silenceDecibels else {
            findings.append("There is nothing to hear: the whole recording is silent.")
            return findings
        }
        for (index, level) in channelRMSDecibels.enumerated() where level <= Self.silenceDecibels {
            findings.append(
                "Channel \(index + 1) of \(channelCount) is silent: choose another one instead of the mix.")
        }
        // Two equal channels in opposite phase cancel out; unrelated ones lose only 3 dB.
        if channelCount > 1, let loudest = channelRMSDecibels.max(), mixRMSDecibels < loudest - 12 {
            findings.append(
                "The channels cancel each other: mixed they are \(formatWithOneDecimal(loudest - mixRMSDecibels)) dB "
                    + "quieter than alone. "
                    + (isHeardFromChannel1 ? "Channel 1 is used instead of the mix." : "Choose one channel."))
        }
        if clippedShare > 1e-5 {
            findings.append(
                "It is clipped: \(formatWithOneDecimal(clippedShare * 1e6)) samples in a million are at full scale. "
                    + "Lower the recording level.")
        }
        if peakDecibels < -40 {
            findings.append(
                "It is very quiet: the loudest sample is at \(formatWithOneDecimal(peakDecibels)) dBFS. "
                    + "Raise the recording level.")
        }
        for silence in silences where silence.isDigital && isInsideRecording(silence) {
            findings.append(
                "From \(formatWithOneDecimal(silence.start.seconds)) s there is nothing but zeros for "
                    + "\(formatWithOneDecimal(silence.length.value)) s: the recorder or its input dropped out."
            )
        }
        return findings
    }

    /// A sentence that says where the file ends, if it is shorter than its header promises; nil for a complete file. It
    /// is also the first of the ``problemSentences``.
    public var truncationSentence: String? {
        guard missingDuration > .zero else { return nil }
        return "The file is cut short: it ends at \(formatWithOneDecimal(duration.value)) s of "
            + "\(formatWithOneDecimal((duration + missingDuration).value)) s. Copy it again."
    }

    /// True if the silence neither starts nor ends the recording. Silence at the beginning or the end is normal.
    private func isInsideRecording(_ silence: Silence) -> Bool {
        silence.start.seconds > 0 && (silence.start + silence.length).seconds < duration.value
    }
}

func formatWithOneDecimal(_ value: Double) -> String {
    let tenths = (value * 10).rounded() / 10
    return "\(tenths)"
}
