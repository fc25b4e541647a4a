import Foundation
import Synchronization

/// Prints the progress of an evaluation on standard error: one updated line on a terminal, else a line for each case.
package final class EvaluationProgress: Sendable {
    private struct Tally {
        var finishedCaseCount = 0
        var runningCaseIDs: [String] = []
        var followedAudioSeconds = 0.0
    }

    private let caseCount: Int
    private let isQuiet: Bool
    private let isTerminal = isatty(2) == 1
    private let startTime = Date()
    private let tally = Mutex(Tally())

    package init(total: Int, isQuiet: Bool) {
        self.caseCount = total
        self.isQuiet = isQuiet
    }

    package func reportCaseStart(_ id: String) {
        tally.withLock { tally in
            tally.runningCaseIDs.append(id)
            if isTerminal { showProgressLine(tally) }
        }
    }

    package func reportCaseEnd(_ id: String, audioSeconds: Double, seconds: Double, failure: String?) {
        tally.withLock { tally in
            tally.finishedCaseCount += 1
            tally.runningCaseIDs.removeAll { $0 == id }
            tally.followedAudioSeconds += audioSeconds
            if let failure {
                writeToStandardError(
                    (isTerminal ? "\r\u{1B}[K" : "") + "\(id) failed: \(failure)\n", evenIfQuiet: true)
            } else if !isTerminal {
                writeToStandardError(
                    "[\(tally.finishedCaseCount)/\(caseCount)] \(id): \(wholeNumberText(audioSeconds)) s of music, "
                        + "\(wholeNumberText(audioSeconds / max(seconds, 1e-6))) times real time\n")
            }
            if isTerminal { showProgressLine(tally) }
        }
    }

    /// Clears the progress line on a terminal.
    package func clearProgressLine() {
        if isTerminal { writeToStandardError("\r\u{1B}[K") }
    }

    private func showProgressLine(_ tally: Tally) {
        let factor = tally.followedAudioSeconds / max(Date().timeIntervalSince(startTime), 1e-6)
        let current = tally.runningCaseIDs.joined(separator: ", ")
        writeToStandardError(
            "\r\u{1B}[K\(tally.finishedCaseCount)/\(caseCount)  \(wholeNumberText(factor)) times real time  "
                + "\(current.prefix(60))"
        )
    }

    private func wholeNumberText(_ value: Double) -> String { "\(Int(min(max(value.rounded(), 0), 1e9)))" }

    private func writeToStandardError(_ text: String, evenIfQuiet: Bool = false) {
        guard !isQuiet || evenIfQuiet else { return }
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
