import Foundation
import Synchronization

/// Tells on standard error what a preparation finds and how far it is.
final class PrepareConsole: Sendable {
    private let isTerminal = isatty(2) == 1
    /// What is being done, and the last whole per cent of it that was shown.
    private let shown = Mutex<(stage: String, percent: Int, at: ContinuousClock.Instant)>(("", -1, .now))
    /// A log that nobody watches gets a line this often at most; a terminal each whole per cent.
    private static let logEvery = Duration.seconds(10)

    /// A line that stays.
    func say(_ line: String) {
        write((isTerminal ? "\r\u{1B}[K" : "") + line + "\n")
    }

    /// Something long begins: one line, which a terminal keeps up to date.
    func begin(_ stage: String) {
        shown.withLock { $0 = (stage, -1, .now) }
        write(isTerminal ? "\r\u{1B}[K\(stage) …" : "\(stage) …\n")
    }

    /// - Parameter share: of the stage that is done, 0…1.
    func progress(_ share: Double) {
        let percent = Int((min(max(share, 0), 1) * 100).rounded(.down))
        shown.withLock { shown in
            guard percent != shown.percent else { return }
            if isTerminal {
                shown.percent = percent
                write("\r\u{1B}[K\(shown.stage) … \(percent) %")
            } else if ContinuousClock.now - shown.at >= Self.logEvery {
                (shown.percent, shown.at) = (percent, .now)
                write("\(shown.stage) … \(percent) %\n")
            }
        }
    }

    /// Clears the living line.
    func finish() {
        if isTerminal { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
