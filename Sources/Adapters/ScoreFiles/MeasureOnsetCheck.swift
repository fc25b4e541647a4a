import Basics
import Score

/// Checks each onset by itself, compares it with the previous one, and compares it with the length of the recording.
struct MeasureOnsetCheck {
    let marks: [PlayedMeasure]
    let end: ReferenceTime?
    let audioDuration: Seconds?

    /// The tolerance, in seconds, for an end after the end of the audio. Audio encoders lengthen or shorten a file by
    /// less than this.
    private let endToleranceSeconds = 0.5

    func addFindings(to findings: inout MeasureTimesFindingCollector) {
        for (row, mark) in marks.enumerated() {
            let seconds = mark.onset.seconds
            guard seconds.isFinite else {
                findings.addFinding(.error, .notANumber, row: row, "starts at \(seconds), which is no time.")
                continue
            }
            if seconds < 0 {
                findings.addFinding(
                    .error, .beforeZero, row: row,
                    "starts at \(formattedSeconds(seconds)) s, before the recording.")
            }
            if let audioDuration, seconds >= audioDuration.value {
                findings.addFinding(
                    .error, .beyondAudio, row: row,
                    "starts at \(formattedSeconds(seconds)) s, "
                        + "but the recording is only \(formattedSeconds(audioDuration.value)) s long."
                )
            }
            if row > 0 { compareOnset(row, seconds, with: marks[row - 1], &findings) }
        }
        if let end { checkEnd(end.seconds, &findings) }
    }

    private func compareOnset(
        _ row: Int, _ seconds: Double, with before: PlayedMeasure,
        _ findings: inout MeasureTimesFindingCollector
    ) {
        if seconds == before.onset.seconds {
            findings.addFinding(
                .error, .duplicate, row: row,
                "starts at \(formattedSeconds(seconds)) s, as measure \(before.printed) in the row before does."
            )
        } else if seconds < before.onset.seconds {
            findings.addFinding(
                .error, .notRising, row: row,
                "starts at \(formattedSeconds(seconds)) s, before measure \(before.printed) in the row before it "
                    + "(\(formattedSeconds(before.onset.seconds)) s).")
        }
    }

    private func checkEnd(_ end: Double, _ findings: inout MeasureTimesFindingCollector) {
        // The comparison uses `>`, so that an end that is NaN fails too.
        let isBehindTheLast = marks.allSatisfy { end > $0.onset.seconds }
        if !end.isFinite || !isBehindTheLast {
            findings.addFinding(
                .error, .endBeforeLastMeasure, row: nil,
                "The end at \(formattedSeconds(end)) s is not after the start of every measure.")
        }
        if let audioDuration, end > audioDuration.value {
            let isFar = end > audioDuration.value + endToleranceSeconds
            findings.addFinding(
                isFar ? .error : .warning, .endBeyondAudio, row: nil,
                "The end is at \(formattedSeconds(end)) s, "
                    + "but the recording is only \(formattedSeconds(audioDuration.value)) s long."
            )
        }
    }
}

/// Formats seconds with at most three decimals, for messages.
func formattedSeconds(_ seconds: Double) -> String {
    guard abs(seconds) < 1e12 else { return "\(seconds)" }
    let thousandths = Int((seconds * 1_000).rounded())
    var decimals = String(thousandths.magnitude % 1_000)
    decimals = String(repeating: "0", count: 3 - decimals.count) + decimals
    while decimals.hasSuffix("0") { decimals.removeLast() }
    let whole = "\(thousandths < 0 ? "-" : "")\(thousandths.magnitude / 1_000)"
    return decimals.isEmpty ? whole : "\(whole).\(decimals)"
}
