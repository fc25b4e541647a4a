import Following
import Foundation

/// Formats a line of text or JSON for each new measure and each new state of the follower.
struct ReportLineFormatter {
    private let names: [String]
    private let isJSON: Bool
    private var piece: Int?
    private var played: Int?
    private var state: FollowerState?

    /// Creates a formatter that has seen no report yet.
    /// - Parameter names: the names of the programme's pieces.
    init(names: [String], isJSON: Bool) {
        self.names = names
        self.isJSON = isJSON
    }

    /// Formats what is new in a report.
    /// - Returns: the lines to print; empty for most reports.
    mutating func lines(for said: ConcertReport) -> String {
        let report = said.report
        let isNewPiece = said.piece != piece
        let isNewState = report.state != state
        let isMoving = report.state == .following || report.state == .coasting
        let isNewMeasure = isMoving && (isNewPiece || report.position?.played != played)
        guard isNewPiece || isNewState || isNewMeasure else { return "" }
        (piece, state) = (said.piece, report.state)
        if isMoving { played = report.position?.played }
        if isJSON { return ReportFileFormat.jsonLines.line(report, piece: escaped(names[said.piece])) }
        let time = String(format: "%9.2f  ", report.liveTime.seconds)
        var out = isNewPiece ? time + names[said.piece] + "\n" : ""
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
