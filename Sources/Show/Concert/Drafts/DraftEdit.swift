import Basics

/// A change of a piece that is being prepared.
///
/// Edits name bars by their ids, so that those of several people combine: each applies to the piece as it is when the
/// edit arrives. In JSON an edit is an object with one key, such as `{"move":{"bar":"b7","seconds":12.5}}`.
public enum DraftEdit: Hashable, Sendable, Codable {
    /// Gives a bar another time. Without further values the bar is then a person's, checked and without doubt.
    case move(
        bar: String, seconds: Double, doubt: Double? = nil, reasons: [String]? = nil,
        origin: DraftBar.Origin? = nil, checked: Bool? = nil)
    /// Adds a bar with an id that no other bar has.
    case insert(
        bar: String, seconds: Double, printed: Int, doubt: Double? = nil, reasons: [String]? = nil,
        origin: DraftBar.Origin? = nil, checked: Bool? = nil)
    /// Removes a bar with its marks.
    case delete(bar: String)
    /// Moves this bar, all bars after it and the end.
    case shift(from: String, by: Double)
    /// Gives this bar a number and counts on: to the bar `through`, or to the last bar before the numbers leap.
    case renumber(from: String, number: Int, through: String? = nil)
    /// Gives one bar another number.
    case number(bar: String, number: Int)
    case check(bar: String, checked: Bool)
    /// Sets the time at which the last bar ends; nil if unknown.
    case end(seconds: Double?)
    /// Adds a mark, or replaces the one with the same id.
    case mark(id: String, bar: String, kind: DraftMark.Kind, text: String)
    case unmark(id: String)
    case name(name: String)
    /// Sets the number of beats of a bar; nil if unknown or changing.
    case beatsPerBar(beats: Int?)
    /// Replaces all bars, their marks and the end. Without `marks`, those of bars that stay are kept.
    case replaceBars(bars: [DraftBar], end: Double?, marks: [DraftMark]? = nil)
}

/// The result of a list of edits.
public struct DraftEditOutcome: Hashable, Sendable {
    /// The edits that were carried out, in order.
    public var applied: [DraftEdit] = []
    /// The edits that undo these, in the order in which to send them.
    public var inverse: [DraftEdit] = []
    /// One sentence for each edit that was not carried out.
    public var skipped: [String] = []

    public init() {}
}
