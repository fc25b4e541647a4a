/// One result of checking a list of measure times: an error, a warning or a note.
public struct MeasureTimesFinding: Equatable, Sendable {
    /// The weight of a finding.
    public enum Severity: String, Comparable, Sendable {
        /// Information about repeats and jumps in the list; nothing has to be done.
        case note
        /// The row may be right, but a person should check it.
        case warning
        /// The row must be corrected before a measure map can be made.
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

    /// The kind of a finding.
    public enum Kind: String, CaseIterable, Sendable {
        case empty, notANumber, beforeZero, notRising, duplicate, beyondAudio
        case endBeforeLastMeasure, endBeyondAudio
        case long, short
        case numbersMissing, jumpForward, jumpBack, numberTwice
        /// Gives the number of further findings of one kind, which are not listed one by one.
        case more
    }

    public let severity: Severity
    public let kind: Kind
    /// The row that the finding concerns, counted from 0; nil if the finding concerns the whole list.
    public let row: Int?
    /// The printed measure number in the row of the finding; nil if the finding concerns the whole list.
    public let printedNumber: Int?
    /// The message for people: what is wrong, where, and what to check.
    public let sentence: String

    public init(severity: Severity, kind: Kind, row: Int?, printedNumber: Int?, sentence: String) {
        self.severity = severity
        self.kind = kind
        self.row = row
        self.printedNumber = printedNumber
        self.sentence = sentence
    }
}
