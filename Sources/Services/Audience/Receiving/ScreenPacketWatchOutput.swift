import Concert
import Foundation
import Hosting
import NetworkLinks

/// Shows the newest measure in the terminal and redraws it in place. When it ends, the terminal is as it was before.
package final class ScreenPacketWatchOutput: ReceivedPacketDisplay {
    private static let largeDigitShapes: [Character: [String]] = [
        "0": ["█▀▀█", "█  █", "█▄▄█"], "1": [" ▀█ ", "  █ ", " ▄█▄"], "2": ["▀▀▀█", "█▀▀▀", "█▄▄▄"],
        "3": ["▀▀▀█", " ▀▀█", "▄▄▄█"], "4": ["█  █", "▀▀▀█", "   █"], "5": ["█▀▀▀", "▀▀▀█", "▄▄▄█"],
        "6": ["█▀▀▀", "█▀▀█", "█▄▄█"], "7": ["▀▀▀█", "   █", "   █"], "8": ["█▀▀█", "█▀▀█", "█▄▄█"],
        "9": ["█▀▀█", "▀▀▀█", "▄▄▄█"],
    ]
    private let listeningAddress: String
    private var drawnLines: [String] = []

    package init(endpoint: MulticastEndpoint, interface: String) {
        listeningAddress = "\(endpoint.group):\(endpoint.port) through \(interface)"
    }

    /// Switches to the alternate screen, hides the cursor and cuts long lines instead of wrapping them.
    package func begin() { TerminalOutput.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J") }

    package func update(_ verdict: PacketVerdict?, _ moment: PacketWatchState) {
        let lines = screenLines(moment)
        guard lines != drawnLines else { return }
        drawnLines = lines
        TerminalOutput.write(
            "\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J")
    }

    package func end(_ moment: PacketWatchState) {
        TerminalOutput.write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l" + moment.summaryText + "\n")
    }

    private func screenLines(_ moment: PacketWatchState) -> [String] {
        let inspector = moment.packetInspector
        let tally = inspector.tally
        guard let shown = inspector.shownPacket, let age = inspector.newestPacketAge(at: moment.elapsedTime)
        else {
            return [
                "", "  Listening on \(listeningAddress)", "", "  Nothing heard yet.", "",
                "  \(tally.malformed) malformed",
            ]
        }
        let lines = [
            shown.piece.text, "",
            largeDigitsRow(shown.measure, row: 0), largeDigitsRow(shown.measure, row: 1),
            largeDigitsRow(shown.measure, row: 2), "",
            inspector.repeatedMessage.map { "message   \($0.summaryLine)" } ?? "message   none", "",
            "rate      " + moment.packetRateText + String(format: ", newest %.1f s ago", age.seconds),
            "gaps      " + moment.packetGapsText,
            "dropped   \(tally.duplicates) twice, \(tally.late) late, \(tally.malformed) malformed",
            "lost      \(tally.lost) of \(tally.lost + tally.measures + tally.messages), \(tally.restarts) restarts",
            "sender    \(moment.senderAddress ?? "?"), count \(shown.packetCount)", "",
            "Listening on \(listeningAddress). Ctrl-C ends.",
        ]
        return [""] + lines.map { "  " + $0 }
    }

    private func largeDigitsRow(_ measure: Int, row: Int) -> String {
        String(measure).compactMap { Self.largeDigitShapes[$0]?[row] }.joined(separator: " ")
    }
}
