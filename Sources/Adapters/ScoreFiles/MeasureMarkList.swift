import Basics
import Score

/// Collects the measure marks of a file with their line numbers while the file is read, up to a limit.
struct MeasureMarkList {
    private(set) var marks: [PlayedMeasure] = []
    private(set) var lineNumbers: [Int] = []
    private(set) var end: ReferenceTime?

    /// - Throws: ``MeasureTimesError`` for a measure over the limit, or one after the end.
    mutating func append(printed: Int, seconds: Double, from line: TextLine) throws(MeasureTimesError) {
        guard end == nil else { throw line.makeRowError(.measureAfterEnd) }
        guard marks.count < MeasureTimesLimits.measures else {
            throw .tooManyMeasures(path: line.path, line: line.lineNumber, limit: MeasureTimesLimits.measures)
        }
        marks.append(PlayedMeasure(printed: printed, onset: ReferenceTime(seconds: seconds)))
        lineNumbers.append(line.lineNumber)
    }

    /// Sets the end of the last measure.
    mutating func setEnd(atSeconds seconds: Double, from line: TextLine) throws(MeasureTimesError) {
        guard end == nil else { throw line.makeRowError(.measureAfterEnd) }
        end = ReferenceTime(seconds: seconds)
    }

    /// - Throws: ``MeasureTimesError/noMeasures(path:)`` if nothing was found.
    func measureTimes(
        _ format: MeasureTimesFormat, path: String, notes: [String] = []
    ) throws(MeasureTimesError) -> MeasureTimes {
        guard !marks.isEmpty else { throw .noMeasures(path: path) }
        return MeasureTimes(
            format: format, marks: marks, lineNumbers: lineNumbers, end: end, readingWarnings: notes)
    }
}
