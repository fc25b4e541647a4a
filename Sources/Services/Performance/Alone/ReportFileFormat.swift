import Basics
import Following
import Foundation

/// The file formats in which reports are recorded, one line for each report.
package enum ReportFileFormat: Sendable {
    case commaSeparated
    case jsonLines
    /// The columns `time,measure`, as the benchmark's evaluation reads them.
    case benchmark

    /// Chooses the format by the file's extension: JSON lines for `.jsonl`, else comma-separated values.
    package init(path: String) { self = path.hasSuffix(".jsonl") ? .jsonLines : .commaSeparated }

    package var header: String {
        switch self {
        case .commaSeparated:
            "live,reference,played,printed,fraction,tempo,confidence,state,latency_ms,transposition,tuning,piece\n"
        case .jsonLines: ""
        case .benchmark: "time,measure\n"
        }
    }

    /// Formats one report.
    /// - Parameters:
    ///   - piece: the folder name of the report's piece.
    /// - Returns: a line with times in seconds, played measures counted from 1, and tuning in cents. A missing
    ///   estimate is an empty field, and is left out in JSON.
    package func formatReport(_ report: PositionReport, piece: String) -> String {
        switch self {
        case .commaSeparated: commaSeparatedLine(report, piece)
        case .jsonLines: jsonLine(report, piece)
        case .benchmark: benchmarkLine(report)
        }
    }

    private func commaSeparatedLine(_ report: PositionReport, _ piece: String) -> String {
        let place = [
            report.referenceTime.map { $0.seconds.decimalText(3) },
            report.position.map { "\($0.played + 1)" },
            report.printedMeasure.map { "\($0)" }, report.position.map { $0.fraction.decimalText(4) },
        ]
        let fields =
            [report.liveTime.seconds.decimalText(4)] + place.map { $0 ?? "" } + [
                report.tempo.value.decimalText(4), report.confidence.decimalText(4), report.state.rawValue,
                (report.captureToReportDelay.value * 1000).decimalText(2), "\(report.transpositionSemitones)",
                report.tuningCents.decimalText(1), piece,
            ]
        return fields.joined(separator: ",") + "\n"
    }

    private func jsonLine(_ report: PositionReport, _ piece: String) -> String {
        var fields = ["\"live\":" + report.liveTime.seconds.decimalText(4)]
        if let reference = report.referenceTime {
            fields.append("\"reference\":" + reference.seconds.decimalText(3))
        }
        if let position = report.position {
            fields.append("\"played\":\(position.played + 1)")
            if let printed = report.printedMeasure { fields.append("\"printed\":\(printed)") }
            fields.append("\"fraction\":" + position.fraction.decimalText(4))
        }
        fields += [
            "\"tempo\":" + report.tempo.value.decimalText(4),
            "\"confidence\":" + report.confidence.decimalText(4),
            "\"state\":\"\(report.state.rawValue)\"",
            "\"latency_ms\":" + (report.captureToReportDelay.value * 1000).decimalText(2),
            "\"transposition\":\(report.transpositionSemitones)",
            "\"tuning\":" + report.tuningCents.decimalText(1), "\"piece\":\"\(piece)\"",
        ]
        return "{" + fields.joined(separator: ",") + "}\n"
    }

    private func benchmarkLine(_ report: PositionReport) -> String {
        let measure = report.printedMeasure.flatMap { printed in
            report.position.map { Double(printed) + $0.fraction }
        }
        return "\(report.liveTime.seconds),\(measure.map { "\($0)" } ?? "")\n"
    }
}
