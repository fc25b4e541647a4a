import Concert
import Foundation

package protocol WatchOutput {
    func begin()
    /// Updates the display.
    /// - Parameter verdict: the result for a new packet; nil if only time has passed.
    func show(_ verdict: PacketVerdict?, _ moment: WatchState)
    func end(_ moment: WatchState)
}

extension WatchOutput {
    package func begin() {}
    package func end(_ moment: WatchState) {}
}

package enum WatchTerminal {
    package static var isInteractive: Bool {
        isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// Writes without buffering, also into a pipe. If the reader has gone away, SIGPIPE ends the process.
    package static func write(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }
}

extension PushMessage {
    package var line: String {
        [title, body, style.closesByItself ? "" : "[\(buttonText)]"].filter { !$0.isEmpty }.joined(
            separator: " · ")
    }
}
