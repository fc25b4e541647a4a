import Following
import Foundation
import MusicalTime

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
    package func line(_ report: PositionReport, piece: String) -> String {
        switch self {
        case .commaSeparated: comma(report, piece)
        case .jsonLines: json(report, piece)
        case .benchmark: benchmark(report)
        }
    }

    private func comma(_ report: PositionReport, _ piece: String) -> String {
        let place = [
            report.reference.map { $0.seconds.digits(3) }, report.position.map { "\($0.played + 1)" },
            report.printedMeasure.map { "\($0)" }, report.position.map { $0.fraction.digits(4) },
        ]
        let fields =
            [report.live.seconds.digits(4)] + place.map { $0 ?? "" } + [
                report.tempo.value.digits(4), report.confidence.digits(4), report.state.rawValue,
                (report.captureToReport.value * 1000).digits(2), "\(report.transpositionSemitones)",
                report.tuningCents.digits(1), piece,
            ]
        return fields.joined(separator: ",") + "\n"
    }

    private func json(_ report: PositionReport, _ piece: String) -> String {
        var fields = ["\"live\":" + report.live.seconds.digits(4)]
        if let reference = report.reference { fields.append("\"reference\":" + reference.seconds.digits(3)) }
        if let position = report.position {
            fields.append("\"played\":\(position.played + 1)")
            if let printed = report.printedMeasure { fields.append("\"printed\":\(printed)") }
            fields.append("\"fraction\":" + position.fraction.digits(4))
        }
        fields += [
            "\"tempo\":" + report.tempo.value.digits(4), "\"confidence\":" + report.confidence.digits(4),
            "\"state\":\"\(report.state.rawValue)\"",
            "\"latency_ms\":" + (report.captureToReport.value * 1000).digits(2),
            "\"transposition\":\(report.transpositionSemitones)",
            "\"tuning\":" + report.tuningCents.digits(1), "\"piece\":\"\(piece)\"",
        ]
        return "{" + fields.joined(separator: ",") + "}\n"
    }

    private func benchmark(_ report: PositionReport) -> String {
        let measure = report.printedMeasure.flatMap { printed in
            report.position.map { Double(printed) + $0.fraction }
        }
        return "\(report.live.seconds),\(measure.map { "\($0)" } ?? "")\n"
    }
}
