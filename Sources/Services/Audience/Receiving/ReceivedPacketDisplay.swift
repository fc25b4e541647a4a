import Concert
import Foundation

package protocol ReceivedPacketDisplay {
    func begin()
    /// Updates the display.
    /// - Parameter verdict: the result for a new packet; nil if only time has passed.
    func update(_ verdict: PacketVerdict?, _ moment: PacketWatchState)
    func end(_ moment: PacketWatchState)
}

extension ReceivedPacketDisplay {
    package func begin() {}
    package func end(_ moment: PacketWatchState) {}
}

package enum TerminalOutput {
    package static var isInteractive: Bool {
        isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// Writes without buffering, also into a pipe. If the process that reads the pipe has ended, SIGPIPE ends this one
    /// too.
    package static func write(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }
}

extension PushMessage {
    package var summaryLine: String {
        [title, body, style.closesByItself ? "" : "[\(buttonText)]"].filter { !$0.isEmpty }.joined(
            separator: " · ")
    }
}
