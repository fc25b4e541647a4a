import Following
import Foundation

/// Formats a line of text or JSON for each new measure and each new state of the follower.
struct ReportLineFormatter {
    private let pieceNames: [String]
    private let isJSON: Bool
    private var lastPiece: Int?
    private var lastPlayedMeasure: Int?
    private var lastState: FollowerState?

    /// Creates a formatter that has seen no report yet.
    /// - Parameter pieceNames: the names of the programme's pieces.
    init(pieceNames: [String], isJSON: Bool) {
        self.pieceNames = pieceNames
        self.isJSON = isJSON
    }

    /// Formats what is new in a report.
    /// - Returns: the lines to print; empty for most reports.
    mutating func lines(for said: ConcertReport) -> String {
        let report = said.positionReport
        let isNewPiece = said.pieceIndex != lastPiece
        let isNewState = report.state != lastState
        let isMoving = report.state == .following || report.state == .coasting
        let isNewMeasure = isMoving && (isNewPiece || report.position?.played != lastPlayedMeasure)
        guard isNewPiece || isNewState || isNewMeasure else { return "" }
        (lastPiece, lastState) = (said.pieceIndex, report.state)
        if isMoving { lastPlayedMeasure = report.position?.played }
        if isJSON {
            return ReportFileFormat.jsonLines.formatReport(
                report, piece: escaped(pieceNames[said.pieceIndex]))
        }
        let time = String(format: "%9.2f  ", report.liveTime.seconds)
        var out = isNewPiece ? time + pieceNames[said.pieceIndex] + "\n" : ""
        if isNewState { out += time + report.state.rawValue + "\n" }
        if isNewMeasure, let printed = report.printedMeasure {
            let tempo = Int((report.tempo.value * 100).rounded())
            let confidence = Int((report.confidence * 100).rounded())
            out += time + "measure \(printed)  tempo \(tempo) %  confidence \(confidence) %\n"
        }
        return out
    }

    private func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
    }
}
