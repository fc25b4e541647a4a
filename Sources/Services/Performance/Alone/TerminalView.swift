import Following
import Foundation
import Platform

/// Draws the terminal display in place, at most ten times a second, and restores the terminal at the end.
///
/// It runs on its own thread, because a terminal that nobody reads blocks the writer.
package final class TerminalView: Sendable {
    private let layout: TerminalLayout
    private let terminalOutput: TextOutput
    private let descriptor: Int32

    /// Opens the display on a terminal.
    /// - Returns: nil if the descriptor is not a terminal that can be drawn on.
    package init?(
        descriptor: Int32, programme: ConcertProgramme, inputName: String,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        guard isatty(descriptor) == 1, let kind = environment["TERM"], kind != "dumb", !kind.isEmpty else {
            return nil
        }
        self.descriptor = descriptor
        terminalOutput = TextOutput(standard: descriptor)
        layout = TerminalLayout(
            title: programme.title,
            pieces: programme.pieceModels.map { .init(name: $0.pieceName.text, measureMap: $0.measures) },
            inputName: inputName, isUnicode: Self.usesUTF8Locale(environment),
            isColoured: environment["NO_COLOR"] == nil)
    }

    /// Draws until told to stop.
    package func drawPeriodically(until stop: StopRequest, snapshot: () -> RunStatistics) {
        // Switches to the alternate screen, hides the cursor and cuts long lines instead of wrapping them.
        terminalOutput.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J", until: stop)
        defer { terminalOutput.write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l", until: stop) }
        var drawn: [String] = []
        var drawnSize = (width: 0, height: 0)
        var confidences: [Double] = []
        var turn = 0
        while !stop.isMade {
            let now = snapshot()
            if turn % Self.drawingsPerConfidence == 0,
                let report = now.newestReport?.concertReport.positionReport
            {
                confidences = confidences.suffix(Self.maximumConfidences - 1) + [report.confidence]
            }
            turn += 1
            let size = terminalSize()
            let lines = layout.lines(now, confidences: confidences, width: size.width, height: size.height)
            if lines != drawn || size != drawnSize {
                let clear = size == drawnSize ? "" : "\u{1B}[2J"
                terminalOutput.write(
                    clear + "\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J",
                    until: stop)
                (drawn, drawnSize) = (lines, size)
            }
            usleep(100_000)
        }
    }

    private static let drawingsPerConfidence = 5
    private static let maximumConfidences = 60

    /// Reads the window's size. It is read for every drawing, because it may change.
    private func terminalSize() -> (width: Int, height: Int) {
        var window = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(window.ws_col), Int(window.ws_row))
    }

    /// True if the terminal's locale uses UTF-8. The first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set determines
    /// it, as POSIX specifies.
    static func usesUTF8Locale(_ environment: [String: String]) -> Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        let name = (locale ?? "").lowercased()
        return name.contains("utf-8") || name.contains("utf8")
    }
}
