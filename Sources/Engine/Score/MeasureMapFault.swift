import Basics

/// The first mistake in a list of measure times. Rows are counted from 0.
public enum MeasureMapFault: Explained, Hashable, Sendable {
    case empty
    case invalidTime(row: Int, printed: Int, seconds: Double)
    case onsetsNotRising(row: Int, printed: Int, seconds: Double, before: Double)
    case endsBeforeLastMeasure(end: Double, last: Double)

    /// Says what is wrong and what to do, for the person who wrote the list; here rows are counted from 1.
    public var sentence: String {
        switch self {
        case .empty:
            return "There is no measure in the list; give at least one row of measure and time."
        case .invalidTime(let row, let printed, let seconds):
            return
                "Row \(oneBasedRow(row)) starts measure \(printed) at \(seconds) s, which no recording has; "
                + "give the seconds since its first sample."
        case .onsetsNotRising(let row, let printed, let seconds, let before):
            return
                "Row \(oneBasedRow(row)) starts measure \(printed) at \(seconds) s, not after the row before it "
                + "(\(before) s); put the rows in the order in which they are played."
        case .endsBeforeLastMeasure(let end, let last):
            return "The music ends at \(end) s, but its last measure starts at \(last) s; correct the end."
        }
    }

    private func oneBasedRow(_ row: Int) -> Int { row < Int.max ? row + 1 : row }
}
