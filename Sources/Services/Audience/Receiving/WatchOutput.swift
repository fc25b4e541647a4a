import Concert
import Foundation

protocol WatchOutput {
    func begin()
    /// - Parameter verdict: nil where only time has passed.
    func show(_ verdict: PacketVerdict?, _ moment: WatchMoment)
    func end(_ moment: WatchMoment)
}

extension WatchOutput {
    func begin() {}
    func end(_ moment: WatchMoment) {}
}

enum WatchTerminal {
    static var isInteractive: Bool {
        isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// At once, also into a pipe. A reader that went away is told by the signal for it, not by us.
    static func write(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }
}

extension Duration {
    var inSeconds: Double { self / .seconds(1) }
}

extension PushMessage {
    var line: String {
        [title, body, style.closesByItself ? "" : "[\(buttonText)]"].filter { !$0.isEmpty }.joined(
            separator: " · ")
    }
}
