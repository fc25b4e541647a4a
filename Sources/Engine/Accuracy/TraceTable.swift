/// Reads and writes a ``FollowTrace`` as comma-separated text, in two forms.
///
/// The benchmark's form has the columns `time,measure`, the full form
/// `time,measure,reference,tempo,confidence,state`. Numbers are written so that they read back as the same double;
/// an empty field means no estimate. One reader takes both.
public enum TraceTable {
    public static func benchmarkText(_ trace: FollowTrace) -> String {
        var out = "time,measure\n"
        for point in trace.points { out += "\(point.liveSeconds),\(field(point.measure))\n" }
        return out
    }

    public static func fullText(_ trace: FollowTrace) -> String {
        var out = "time,measure,reference,tempo,confidence,state\n"
        for point in trace.points {
            out += "\(point.liveSeconds),\(field(point.measure)),\(field(point.referenceSeconds)),"
            out += "\(point.tempoRatio),\(point.confidence),\(point.state.rawValue)\n"
        }
        return out
    }

    /// Reads either form by the column names in its first line.
    ///
    /// A row without a readable time is skipped, and an unreadable measure counts as no estimate, as in the
    /// benchmark's scorer, so that both judge other followers' files alike.
    /// - Throws: ``TableFault`` for missing columns and for rows out of time order.
    public static func read(_ text: String) throws(TableFault) -> FollowTrace {
        let table = try SimpleCSVTable(text)
        let time = try table.column("time")
        let measure = try table.column("measure")
        let reference = table.columns["reference"]
        let tempo = table.columns["tempo"]
        let confidence = table.columns["confidence"]
        let state = table.columns["state"]
        var trace = FollowTrace()
        trace.points.reserveCapacity(table.rows.count)
        for row in table.rows {
            guard let seconds = row.number(time), seconds.isFinite else { continue }
            if let last = trace.points.last, seconds < last.liveSeconds {
                throw .notInTimeOrder(line: row.line, seconds: seconds, before: last.liveSeconds)
            }
            let estimate = row.number(measure).flatMap { $0.isNaN ? nil : $0 }
            trace.points.append(
                .init(
                    liveSeconds: seconds, measure: estimate,
                    referenceSeconds: reference.flatMap(row.number)?.finite,
                    tempoRatio: tempo.flatMap(row.number)?.finite ?? 1,
                    confidence: min(max(confidence.flatMap(row.number)?.finite ?? 1, 0), 1),
                    state: state.flatMap { FollowTrace.State(rawValue: row.text($0)) } ?? .following))
        }
        return trace
    }

    private static func field(_ value: Double?) -> String { value.map { "\($0)" } ?? "" }
}

extension Double {
    fileprivate var finite: Double? { isFinite ? self : nil }
}
