import MusicalTime
import Score

/// Reads a CSV table with the columns `measure,time`: one row for each performed measure, in the order of performance.
public enum MeasureTable {
    /// Reads the table from its text.
    /// - Parameters:
    ///   - end: the end of the last measure in seconds; nil to estimate it.
    ///   - ending: how to estimate the end of the last measure.
    /// - Throws: ``TableFault`` naming the line.
    public static func readMeasureMap(
        _ text: String, end: Double?, otherwise ending: LastMeasureLength = .likeTheOneBefore
    ) throws(TableFault) -> MeasureMap {
        let table = try SimpleCSVTable(text)
        let measure = try table.columnIndex("measure")
        let time = try table.columnIndex("time")
        var marks: [PlayedMeasure] = []
        for row in table.rows {
            guard let number = row.numberInColumn(measure).flatMap(Int.init(exactly:)) else {
                throw .notANumber(line: row.line, column: "measure", text: row.textInColumn(measure))
            }
            guard let seconds = row.numberInColumn(time) else {
                throw .notANumber(line: row.line, column: "time", text: row.textInColumn(time))
            }
            marks.append(PlayedMeasure(printed: number, onset: ReferenceTime(seconds: seconds)))
        }
        let close = end ?? ending.estimateEnd(onsets: marks.map(\.onset.seconds))
        do {
            return try MeasureMap(marks: marks, end: ReferenceTime(seconds: close))
        } catch {
            throw .measureTimesInvalid(Self.makeMeasureTimesFault(error, lines: table.rows.map(\.line)))
        }
    }

    /// The assumed length of the last measure if its end is not given.
    public enum LastMeasureLength: Sendable {
        case likeTheOneBefore
        case likeTheMedian

        func estimateEnd(onsets: [Double]) -> Double {
            guard let last = onsets.last else { return 0 }
            guard let before = onsets.dropLast().last else { return last + 1 }
            return switch self {
            case .likeTheOneBefore: 2 * last - before
            case .likeTheMedian:
                last + Statistics.median(zip(onsets.dropFirst(), onsets).map { $0 - $1 })
            }
        }
    }

    private static func makeMeasureTimesFault(_ fault: MeasureMapFault, lines: [Int])
        -> TableFault.MeasureTimesFault
    {
        func line(_ row: Int) -> Int? { lines.indices.contains(row) ? lines[row] : nil }
        return switch fault {
        case .empty: .init(line: nil, complaint: "There is no measure in the table.")
        case .invalidTime(let row, let printed, let seconds):
            .init(line: line(row), complaint: "Measure \(printed) starts at \(seconds) s, which is no time.")
        case .onsetsNotRising(let row, let printed, let seconds, let before):
            .init(
                line: line(row),
                complaint:
                    "Measure \(printed) starts at \(seconds) s, not after \(before) s of the one before.")
        case .endsBeforeLastMeasure(let end, let last):
            .init(line: nil, complaint: "The music ends at \(end) s, not after the last onset at \(last) s.")
        }
    }
}
