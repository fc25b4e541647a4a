import Concert
import Foundation
import Hosting
import Multicast

/// Shows the newest measure in the terminal and redraws it in place. When it ends, the terminal is as it was before.
package final class ScreenWatchOutput: PacketWatchOutput {
    private static let digits: [Character: [String]] = [
        "0": ["█▀▀█", "█  █", "█▄▄█"], "1": [" ▀█ ", "  █ ", " ▄█▄"], "2": ["▀▀▀█", "█▀▀▀", "█▄▄▄"],
        "3": ["▀▀▀█", " ▀▀█", "▄▄▄█"], "4": ["█  █", "▀▀▀█", "   █"], "5": ["█▀▀▀", "▀▀▀█", "▄▄▄█"],
        "6": ["█▀▀▀", "█▀▀█", "█▄▄█"], "7": ["▀▀▀█", "   █", "   █"], "8": ["█▀▀█", "█▀▀█", "█▄▄█"],
        "9": ["█▀▀█", "▀▀▀█", "▄▄▄█"],
    ]
    private let place: String
    private var drawn: [String] = []

    package init(endpoint: MulticastEndpoint, interface: String) {
        place = "\(endpoint.group):\(endpoint.port) through \(interface)"
    }

    /// Switches to the alternate screen, hides the cursor and cuts long lines instead of wrapping them.
    package func begin() { WatchTerminal.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J") }

    package func update(_ verdict: PacketVerdict?, _ moment: PacketWatchState) {
        let lines = screen(moment)
        guard lines != drawn else { return }
        drawn = lines
        WatchTerminal.write("\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J")
    }

    package func end(_ moment: PacketWatchState) {
        WatchTerminal.write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l" + moment.summary + "\n")
    }

    private func screen(_ moment: PacketWatchState) -> [String] {
        let inspector = moment.inspector
        let tally = inspector.tally
        guard let shown = inspector.shownPacket, let age = inspector.newestPacketAge(at: moment.elapsed)
        else {
            return [
                "", "  Listening on \(place)", "", "  Nothing heard yet.", "",
                "  \(tally.malformed) malformed",
            ]
        }
        let lines = [
            shown.piece.text, "",
            largeDigits(shown.measure, row: 0), largeDigits(shown.measure, row: 1),
            largeDigits(shown.measure, row: 2), "",
            inspector.message.map { "message   \($0.summaryLine)" } ?? "message   none", "",
            "rate      " + moment.rate + String(format: ", newest %.1f s ago", age.seconds),
            "gaps      " + moment.gaps,
            "dropped   \(tally.duplicates) twice, \(tally.late) late, \(tally.malformed) malformed",
            "lost      \(tally.lost) of \(tally.lost + tally.measures + tally.messages), \(tally.restarts) restarts",
            "sender    \(moment.source ?? "?"), count \(shown.packetCount)", "",
            "Listening on \(place). Ctrl-C ends.",
        ]
        return [""] + lines.map { "  " + $0 }
    }

    private func largeDigits(_ measure: Int, row: Int) -> String {
        String(measure).compactMap { Self.digits[$0]?[row] }.joined(separator: " ")
    }
}
