import Foundation
import Hosting
import Synchronization

/// Prints the progress and findings of `baton prepare` on standard error.
package final class PreparationConsole: PreparationObserver {
    private let isTerminal = isatty(2) == 1
    /// The present stage, its percentage that was printed last, and the time of printing.
    private let shownProgress = Mutex<(stage: String, percent: Int, at: ContinuousClock.Instant)>(
        ("", -1, .now))
    /// Least time between two progress lines in a log file. A terminal shows every whole per cent instead.
    private static let leastLogInterval = Duration.seconds(10)

    /// Receives each stage with its finished share, 0…1, instead of standard error; nil for a person's terminal.
    private let observer: (@Sendable (_ stage: String, _ share: Double?) -> Void)?

    package init(observer: (@Sendable (_ stage: String, _ share: Double?) -> Void)? = nil) {
        self.observer = observer
    }

    /// Prints a line above the progress line.
    package func printLine(_ line: String) {
        write((isTerminal ? "\r\u{1B}[K" : "") + line + "\n")
    }

    /// Starts the progress line of a stage that takes long.
    package func beginStage(_ stage: String) {
        shownProgress.withLock { $0 = (stage, -1, .now) }
        if let observer { return observer(stage, nil) }
        write(isTerminal ? "\r\u{1B}[K\(stage) …" : "\(stage) …\n")
    }

    /// Updates the progress line.
    /// - Parameter share: the finished share of the stage, 0…1.
    package func showProgress(_ share: Double) {
        let percent = Int((min(max(share, 0), 1) * 100).rounded(.down))
        shownProgress.withLock { shown in
            guard percent != shown.percent else { return }
            if let observer {
                shown.percent = percent
                return observer(shown.stage, Double(percent) / 100)
            }
            if isTerminal {
                shown.percent = percent
                write("\r\u{1B}[K\(shown.stage) … \(percent) %")
            } else if ContinuousClock.now - shown.at >= Self.leastLogInterval {
                (shown.percent, shown.at) = (percent, .now)
                write("\(shown.stage) … \(percent) %\n")
            }
        }
    }

    /// Clears the progress line if standard error is a terminal.
    package func clearProgressLine() {
        if isTerminal { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
