import Basics

/// Reads and writes a ``FollowTrace`` as comma-separated text, in two forms.
///
/// The benchmark's form has the columns `time,measure`, the full form
/// `time,measure,reference,tempo,confidence,state`. Numbers are written so that they read back as the same double;
/// an empty field means no estimate. One reader takes both.
public enum TraceTable {
    public static func benchmarkCSV(_ trace: FollowTrace) -> String {
        var out = "time,measure\n"
        for point in trace.reports {
            out += "\(point.liveSeconds),\(formatField(point.measureWithFraction))\n"
        }
        return out
    }

    public static func fullCSV(_ trace: FollowTrace) -> String {
        var out = "time,measure,reference,tempo,confidence,state\n"
        for point in trace.reports {
            out +=
                "\(point.liveSeconds),\(formatField(point.measureWithFraction)),\(formatField(point.referenceSeconds)),"
            out += "\(point.tempoRatio),\(point.confidence),\(point.state.rawValue)\n"
        }
        return out
    }

    /// Reads either form by the column names in its first line.
    ///
    /// A row without a readable time is skipped, and an unreadable measure counts as no estimate, as in the
    /// benchmark's scorer, so that both judge other followers' files alike.
    /// - Throws: ``ExplainedError`` for missing columns and for rows out of time order.
    public static func readTrace(_ text: String) throws(ExplainedError) -> FollowTrace {
        let table = try SimpleCSVTable(text)
        let time = try table.columnIndex("time")
        let measure = try table.columnIndex("measure")
        let reference = table.columnIndices["reference"]
        let tempo = table.columnIndices["tempo"]
        let confidence = table.columnIndices["confidence"]
        let state = table.columnIndices["state"]
        var trace = FollowTrace()
        trace.reports.reserveCapacity(table.rows.count)
        for row in table.rows {
            guard let seconds = row.numberInColumn(time), seconds.isFinite else { continue }
            if let last = trace.reports.last, seconds < last.liveSeconds {
                throw ExplainedError(
                    "Line \(row.line): \(seconds) s comes after \(last.liveSeconds) s; rows must be "
                        + "in time order.")
            }
            let estimate = row.numberInColumn(measure).flatMap { $0.isNaN ? nil : $0 }
            trace.reports.append(
                .init(
                    liveSeconds: seconds, measureWithFraction: estimate,
                    referenceSeconds: reference.flatMap(row.numberInColumn)?.finiteOrNil,
                    tempoRatio: tempo.flatMap(row.numberInColumn)?.finiteOrNil ?? 1,
                    confidence: min(max(confidence.flatMap(row.numberInColumn)?.finiteOrNil ?? 1, 0), 1),
                    state: state.flatMap { FollowTrace.State(rawValue: row.textInColumn($0)) } ?? .following))
        }
        return trace
    }

    private static func formatField(_ value: Double?) -> String { value.map { "\($0)" } ?? "" }
}

extension Double {
    fileprivate var finiteOrNil: Double? { isFinite ? self : nil }
}
