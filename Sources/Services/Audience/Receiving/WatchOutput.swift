import Concert
import Foundation

package protocol WatchOutput {
    func begin()
    /// - Parameter verdict: nil where only time has passed.
    func show(_ verdict: PacketVerdict?, _ moment: WatchMoment)
    func end(_ moment: WatchMoment)
}

extension WatchOutput {
    package func begin() {}
    package func end(_ moment: WatchMoment) {}
}

package enum WatchTerminal {
    package static var isInteractive: Bool {
        isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// At once, also into a pipe. A reader that went away is told by the signal for it, not by us.
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
