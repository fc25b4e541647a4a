import Foundation
import Synchronization

/// Prints the progress of an evaluation on standard error: one updated line on a terminal, else a line for each case.
package final class EvaluationProgress: Sendable {
    private struct Tally {
        var done = 0
        var current: [String] = []
        var audioSeconds = 0.0
    }

    private let total: Int
    private let isQuiet: Bool
    private let isTerminal = isatty(2) == 1
    private let started = Date()
    private let tally = Mutex(Tally())

    package init(total: Int, isQuiet: Bool) {
        self.total = total
        self.isQuiet = isQuiet
    }

    package func began(_ id: String) {
        tally.withLock { tally in
            tally.current.append(id)
            if isTerminal { show(tally) }
        }
    }

    package func ended(_ id: String, audioSeconds: Double, seconds: Double, failure: String?) {
        tally.withLock { tally in
            tally.done += 1
            tally.current.removeAll { $0 == id }
            tally.audioSeconds += audioSeconds
            if let failure {
                write((isTerminal ? "\r\u{1B}[K" : "") + "\(id) failed: \(failure)\n", evenIfQuiet: true)
            } else if !isTerminal {
                write(
                    "[\(tally.done)/\(total)] \(id): \(wholeNumberText(audioSeconds)) s of music, "
                        + "\(wholeNumberText(audioSeconds / max(seconds, 1e-6))) times real time\n")
            }
            if isTerminal { show(tally) }
        }
    }

    /// Clears the progress line on a terminal.
    package func finish() {
        if isTerminal { write("\r\u{1B}[K") }
    }

    private func show(_ tally: Tally) {
        let factor = tally.audioSeconds / max(Date().timeIntervalSince(started), 1e-6)
        let current = tally.current.joined(separator: ", ")
        write(
            "\r\u{1B}[K\(tally.done)/\(total)  \(wholeNumberText(factor)) times real time  \(current.prefix(60))"
        )
    }

    private func wholeNumberText(_ value: Double) -> String { "\(Int(min(max(value.rounded(), 0), 1e9)))" }

    private func write(_ text: String, evenIfQuiet: Bool = false) {
        guard !isQuiet || evenIfQuiet else { return }
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
