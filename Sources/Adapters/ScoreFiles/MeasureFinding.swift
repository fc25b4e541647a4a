/// One thing wrong or suspicious in a list of measure times.
public struct MeasureFinding: Equatable, Sendable {
    public enum Severity: String, Comparable, Sendable {
        /// Nothing to do: how the piece goes, as far as the list tells.
        case note
        /// May be right; have a look.
        case warning
        /// No measure map can be made before this is corrected.
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
        /// More findings of one kind than are listed.
        case more
    }

    public let severity: Severity
    public let kind: Kind
    /// The row it was found in, counted from 0; nil where it is about the whole list.
    public let row: Int?
    /// The printed number in that row.
    public let measure: Int?
    /// What is wrong, where, and what to look at.
    public let sentence: String

    public init(severity: Severity, kind: Kind, row: Int?, measure: Int?, sentence: String) {
        self.severity = severity
        self.kind = kind
        self.row = row
        self.measure = measure
        self.sentence = sentence
    }
}
