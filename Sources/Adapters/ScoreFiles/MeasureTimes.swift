import MusicalTime
import Score

/// The measure times of one recording as they are in a file: read, but not yet checked.
///
/// Rows are in the file's order and may still be wrong (not ascending, beyond the audio). ``MeasureTimesCheck``
/// describes such errors in words; ``map(end:)`` throws for them.
public struct MeasureTimes: Equatable, Sendable {
    public var format: MeasureTimesFormat
    /// One mark for each played measure, in the file's order.
    public var marks: [MeasureMark]
    /// The line of the file for each of ``marks``, counted from 1.
    public var lines: [Int]
    /// The end of the last measure, if the file gives it.
    public var end: ReferenceTime?
    public var title: String?
    public var composer: String?
    /// The assumptions made while reading, one sentence each, to be shown to a person.
    public var notes: [String]

    public init(
        format: MeasureTimesFormat, marks: [MeasureMark], lines: [Int] = [], end: ReferenceTime? = nil,
        title: String? = nil, composer: String? = nil, notes: [String] = []
    ) {
        self.format = format
        self.marks = marks
        self.lines = lines
        self.end = end
        self.title = title
        self.composer = composer
        self.notes = notes
    }

    /// The measure map of these times.
    /// - Parameter end: the end of the last measure if the file does not give it; usually the end of the audio.
    /// - Throws: ``MeasureMapFault`` that names the first row that breaks a rule.
    public func map(end: ReferenceTime) throws(MeasureMapFault) -> MeasureMap {
        try MeasureMap(marks: marks, end: self.end ?? end)
    }
}
