import MusicalTime
import Score

/// The measure times of one recording as a file gave them: read, but not yet judged.
///
/// Rows stand in the file's order and may still be wrong (not rising, beyond the audio);
/// ``MeasureTimesCheck`` says so in words, ``map(end:)`` refuses what no map can hold.
public struct MeasureTimes: Equatable, Sendable {
    public var format: MeasureTimesFormat
    /// One mark a played measure, in the file's order.
    public var marks: [MeasureMark]
    /// The line of the file each mark came from, counted from 1; as many as ``marks``.
    public var lines: [Int]
    /// Where the last measure ends, where the file says so.
    public var end: ReferenceTime?
    public var title: String?
    public var composer: String?
    /// What the reader had to decide, one sentence each, to be shown to a person.
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

    /// The map these times make.
    /// - Parameter end: where the last measure ends if the file does not say; mostly the end of the audio.
    /// - Throws: ``MeasureMapFault`` naming the first row that breaks a rule.
    public func map(end: ReferenceTime) throws(MeasureMapFault) -> MeasureMap {
        try MeasureMap(marks: marks, end: self.end ?? end)
    }
}
