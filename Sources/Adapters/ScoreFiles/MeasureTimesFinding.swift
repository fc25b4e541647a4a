/// An error, a suspicious place or a remark in a list of measure times.
public struct MeasureTimesFinding: Equatable, Sendable {
    public enum Severity: String, Comparable, Sendable {
        /// Nothing to do: information about repeats and jumps in the list.
        case note
        /// May be right, but should be looked at.
        case warning
        /// Must be corrected before a measure map can be made.
        case error

        public static func < (lhs: Severity, rhs: Severity) -> Bool { lhs.rank < rhs.rank }

        private var rank: Int {
            switch self {
            case .note: 0
            case .warning: 1
            case .error: 2
            }
        }
    }

    public enum Kind: String, CaseIterable, Sendable {
        case empty, notANumber, beforeZero, notRising, duplicate, beyondAudio
        case endBeforeLastMeasure, endBeyondAudio
        case long, short
        case numbersMissing, jumpForward, jumpBack, numberTwice
        /// There are more findings of one kind than are listed.
        case more
    }

    public let severity: Severity
    public let kind: Kind
    /// The row it concerns, counted from 0; nil if it concerns the whole list.
    public let row: Int?
    /// The printed number in that row.
    public let printedNumber: Int?
    /// The sentence for people: what is wrong, where, and what to check.
    public let sentence: String

    public init(severity: Severity, kind: Kind, row: Int?, printedNumber: Int?, sentence: String) {
        self.severity = severity
        self.kind = kind
        self.row = row
        self.printedNumber = printedNumber
        self.sentence = sentence
    }
}
