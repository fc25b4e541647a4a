import Foundation
import Hosting
import Synchronization

/// Prints the progress and findings of `baton prepare` on standard error.
package final class PreparationConsole: Sendable {
    private let isTerminal = isatty(2) == 1
    /// The present stage, and the last whole per cent of it that was printed.
    private let shown = Mutex<(stage: String, percent: Int, at: ContinuousClock.Instant)>(("", -1, .now))
    /// Least time between two progress lines in a log file; a terminal shows every whole per cent.
    private static let leastLogInterval = Duration.seconds(10)

    package init() {}

    /// Prints a line of its own, above the progress line.
    package func say(_ line: String) {
        write((isTerminal ? "\r\u{1B}[K" : "") + line + "\n")
    }

    /// Starts the progress line of a stage that takes long.
    package func begin(_ stage: String) {
        shown.withLock { $0 = (stage, -1, .now) }
        write(isTerminal ? "\r\u{1B}[K\(stage) …" : "\(stage) …\n")
    }

    /// - Parameter share: the finished share of the stage, 0…1.
    package func progress(_ share: Double) {
        let percent = Int((min(max(share, 0), 1) * 100).rounded(.down))
        shown.withLock { shown in
            guard percent != shown.percent else { return }
            if isTerminal {
                shown.percent = percent
                write("\r\u{1B}[K\(shown.stage) … \(percent) %")
            } else if ContinuousClock.now - shown.at >= Self.leastLogInterval {
                (shown.percent, shown.at) = (percent, .now)
                write("\(shown.stage) … \(percent) %\n")
            }
        }
    }

    /// Clears the progress line on a terminal.
    package func finish() {
        if isTerminal { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
