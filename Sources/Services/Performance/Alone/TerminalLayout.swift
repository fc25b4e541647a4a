import Following
import Foundation
import Score

/// Formats the terminal display of a live run as lines of text.
struct TerminalLayout {
    var title: String
    /// The programme's pieces, in order.
    var pieces: [Piece]
    var inputName: String
    var isUnicode: Bool
    /// True if the states are shown in colours.
    var isColoured: Bool

    struct Piece {
        package var name: String
        var measureMap: MeasureMap
    }

    /// Formats the whole display.
    /// - Parameters:
    ///   - confidences: recent confidences from 0 to 1, oldest first.
    ///   - width: the terminal's columns; longer lines are cut.
    ///   - height: the terminal's rows; lines at the bottom that do not fit are left out.
    func lines(_ snapshot: RunStatistics, confidences: [Double], width: Int, height: Int) -> [String] {
        let report = snapshot.newestReport?.concertReport.positionReport
        let piece = snapshot.newestReport.map(\.concertReport.pieceIndex) ?? 0
        let digits = LargeTerminalDigits(isUnicode: isUnicode).rows(report?.printedMeasure)
        var lines = ["", pieceHeading(piece), ""]
        lines += [
            digits[0], digits[1] + nextMeasureText(report, piece),
            digits[2] + "   " + stateText(report?.state),
        ]
        lines += [
            "", "tempo       " + tempoText(report),
            "confidence  " + confidenceText(report, confidences, width),
            "level       " + levelText(snapshot, width), "", "lanes       " + hopTimesText(snapshot),
            "latency     " + latencyText(snapshot), "packets     " + packetsText(snapshot),
            "input       " + inputText(snapshot), "", "Ctrl-C ends.",
        ]
        return lines.prefix(max(height - 1, 1)).map { $0.isEmpty ? "" : "  " + $0 }
    }

    private func pieceHeading(_ piece: Int) -> String {
        guard pieces.count > 1 else { return pieces[piece].name }
        return "\(piece + 1)/\(pieces.count)  " + pieces[piece].name
    }

    private func nextMeasureText(_ report: PositionReport?, _ piece: Int) -> String {
        let marks = pieces[piece].measureMap.marks
        guard let played = report?.position?.played else { return "" }
        guard played + 1 < marks.count else { return "   the last measure" }
        return "   next \(marks[played + 1].printed)"
            + "   (\(played + 1) of \(marks.count) played)"
    }

    private func stateText(_ state: FollowerState?) -> String {
        guard let state else { return "starting" }
        guard isColoured else { return state.rawValue }
        let colour =
            switch state {
            case .following: 32
            case .coasting: 33
            case .lost: 31
            case .waiting, .finished: 36
            }
        return "\u{1B}[1;\(colour)m\(state.rawValue)\u{1B}[0m"
    }

    private func tempoText(_ report: PositionReport?) -> String {
        guard let report, report.state != .waiting else { return "-" }
        let percent = Int((report.tempo.value * 100).rounded())
        return "\(percent) % of the reference"
            + (abs(percent - 100) < 2 ? "" : percent > 100 ? ", faster" : ", slower")
    }

    private func confidenceText(_ report: PositionReport?, _ history: [Double], _ width: Int) -> String {
        guard let report else { return "-" }
        let percent = "\(Int((report.confidence * 100).rounded()))".leftPadded(to: 3)
        let room = max(min(width - 48, 60), 0)
        return barGraph(report.confidence, length: 20) + " \(percent) %  "
            + sparkline(Array(history.suffix(room)))
    }

    private func levelText(_ snapshot: RunStatistics, _ width: Int) -> String {
        let input = snapshot.inputStatus
        let held = convertToDecibels(input.heldPeak)
        var out =
            barGraph((convertToDecibels(input.rms) + 60) / 60, length: 20) + " "
            + "\(Int(held.rounded()))".leftPadded(to: 3)
        out += " dBFS"
        if input.clippedSamples > 0 { out += ", \(input.clippedSamples) samples clipped" }
        if input.silentSeconds >= 2 { out += ", silent for \(Int(input.silentSeconds)) s" }
        return out
    }

    private func hopTimesText(_ snapshot: RunStatistics) -> String {
        let hops = snapshot.hopProcessingTime
        return
            "hop p99 \(hops.p99.milliseconds.decimalText(2)) ms, worst "
            + "\(hops.longestHop.milliseconds.decimalText(2)) ms, "
            + "\(hops.hopsOverLimit) overruns in \(hops.hopCount) hops"
    }

    private func latencyText(_ snapshot: RunStatistics) -> String {
        let reading = snapshot.captureToReportDelay
        return "capture to report p50 \(reading.p50.milliseconds.decimalText(1)) ms, "
            + "p99 \(reading.p99.milliseconds.decimalText(1)) ms"
    }

    private func packetsText(_ snapshot: RunStatistics) -> String {
        guard let packetStatistics = snapshot.packetStatistics else { return "not sent" }
        var out = "\(packetStatistics.transmitterCounters.sent) sent"
        if let measure = packetStatistics.shownMeasure { out += ", showing \(measure)" }
        if packetStatistics.transmitterCounters.failed > 0 {
            out += ", \(packetStatistics.transmitterCounters.failed) failed"
        }
        return out
            + ", longest gap \(packetStatistics.transmitterCounters.longestGap.milliseconds.decimalText(0)) ms"
    }

    private func inputText(_ snapshot: RunStatistics) -> String {
        let input = snapshot.inputStatus
        var out = inputName
        if input.isLost { out += ": away" + (input.failureReason.map { " (\($0))" } ?? "") + ", looked for" }
        return out
            + ", \(input.overruns) xruns, \(input.deviceLosses) times lost, \(elapsedTimeText(snapshot.elapsed))"
    }

    private func elapsedTimeText(_ elapsed: Duration) -> String {
        let seconds = Int(elapsed.seconds)
        return String(format: "%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60)
    }

    /// The level in decibels, at least -99, which is inaudible.
    private func convertToDecibels(_ level: Float) -> Double {
        level > 1.2e-5 ? 20 * log10(Double(level)) : -99
    }

    private func barGraph(_ share: Double, length: Int) -> String {
        let full = Int((min(max(share.isFinite ? share : 0, 0), 1) * Double(length)).rounded())
        let (on, off) = isUnicode ? ("█", "░") : ("#", ".")
        return String(repeating: on, count: full) + String(repeating: off, count: length - full)
    }

    private func sparkline(_ values: [Double]) -> String {
        let steps = Array(isUnicode ? "▁▂▃▄▅▆▇█" : "_.-=+*#@")
        return String(values.map { steps[Int((min(max($0, 0), 1) * Double(steps.count - 1)).rounded())] })
    }
}

extension String {
    fileprivate func leftPadded(to width: Int) -> String {
        String(repeating: " ", count: max(width - count, 0)) + self
    }
}
