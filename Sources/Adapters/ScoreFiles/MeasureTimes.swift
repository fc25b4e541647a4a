import Basics
import Score

/// The measure times of one recording as they were read from a file, not yet checked.
///
/// Rows are in the file's order and may still be wrong (not ascending, beyond the audio). ``MeasureTimesCheck``
/// describes such errors in words; ``makeMeasureMap(end:)`` throws for them.
public struct MeasureTimes: Equatable, Sendable {
    public var format: MeasureTimesFormat
    /// One mark for each played measure, in the file's order.
    public var marks: [PlayedMeasure]
    /// The line number in the file, counted from 1, for each of ``marks``.
    public var lineNumbers: [Int]
    /// The end of the last measure, if the file gives it.
    public var end: ReferenceTime?
    public var title: String?
    public var composer: String?
    /// The assumptions that were made while reading, one sentence each, to be shown to the user.
    public var readingWarnings: [String]

    public init(
        format: MeasureTimesFormat, marks: [PlayedMeasure], lineNumbers: [Int] = [],
        end: ReferenceTime? = nil,
        title: String? = nil, composer: String? = nil, readingWarnings: [String] = []
    ) {
        self.format = format
        self.marks = marks
        self.lineNumbers = lineNumbers
        self.end = end
        self.title = title
        self.composer = composer
        self.readingWarnings = readingWarnings
    }

    /// Returns the measure map of these times.
    /// - Parameter end: the end of the last measure if the file does not give it; usually the end of the audio.
    /// - Throws: ``MeasureMapFault`` that names the first row that breaks a rule.
    public func makeMeasureMap(end: ReferenceTime) throws(MeasureMapFault) -> MeasureMap {
        try MeasureMap(marks: marks, end: self.end ?? end)
    }
}
