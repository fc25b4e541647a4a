import Following
import Foundation
import MusicalTime

/// The forms in which reports are written down, a line each.
enum LiveRows: Sendable {
    case commaSeparated
    case jsonLines
    /// `time,measure`, as benchmarks score it.
    case benchmark

    /// By the file's ending; standard output gets comma-separated lines.
    init(path: String) { self = path.hasSuffix(".jsonl") ? .jsonLines : .commaSeparated }

    var header: String {
        switch self {
        case .commaSeparated:
            "live,reference,played,printed,fraction,tempo,confidence,state,latency_ms,transposition,tuning,piece\n"
        case .jsonLines: ""
        case .benchmark: "time,measure\n"
        }
    }

    /// - Parameters:
    ///   - piece: the folder name of the report's piece.
    /// - Returns: a line. Seconds, played measures from 1, cents; empty (absent in JSON) where there is no
    ///   estimate.
    func line(_ report: PositionReport, piece: String) -> String {
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

extension Double {
    /// A fixed number of decimals, the same on every machine; 0 for what is no number.
    func digits(_ decimals: Int) -> String { String(format: "%.\(decimals)f", isFinite ? self : 0) }
}
