import Basics
import Score

/// Checks measure times; finds errors and suspicious rows, and describes them for the user.
///
/// Errors make a ``MeasureMap`` impossible or contradict the recording; warnings are probably mistakes; notes describe
/// repeats and jumps.
public struct MeasureTimesCheck: Equatable, Sendable {
    /// The findings in the order of their rows. Findings about the whole list come last.
    public let findings: [MeasureTimesFinding]
    public let repeatStructure: RepeatStructure

    /// The number of findings of one kind that are listed one by one; further ones are only counted. Few errors are
    /// listed, because one mistake makes many rows wrong; more warnings are listed, because each must be checked.
    public static func maximumListedPerKind(_ severity: MeasureTimesFinding.Severity) -> Int {
        severity == .error ? 3 : 20
    }

    /// - Parameters:
    ///   - marks: the measure marks in the order of the file, also if they are wrong.
    ///   - end: the end of the last measure, if known.
    ///   - audioDuration: the length of the recording, if known.
    ///   - lines: the line number in the file of each mark; if given, the findings name the line instead of the row.
    /// - Complexity: O(n log n) in the number of marks.
    public init(
        marks: [PlayedMeasure], end: ReferenceTime? = nil, audioDuration: Seconds? = nil, lines: [Int] = []
    ) {
        var findings = MeasureTimesFindingCollector(marks: marks, lineNumbers: lines)
        if marks.isEmpty {
            findings.addFinding(.error, .empty, row: nil, "There is no measure in the list.")
        }
        MeasureOnsetCheck(marks: marks, end: end, audioDuration: audioDuration).addFindings(to: &findings)
        MeasureLengthCheck(marks: marks, end: end).addFindings(to: &findings)
        MeasureNumberingCheck(marks: marks).addFindings(to: &findings)
        self.findings = findings.sortedFindings()
        repeatStructure = RepeatStructure(marks)
    }

    public init(_ times: MeasureTimes, audioDuration: Seconds? = nil) {
        self.init(marks: times.marks, end: times.end, audioDuration: audioDuration, lines: times.lineNumbers)
    }

    /// True if a measure map can be made of these times.
    public var isUsable: Bool { !findings.contains { $0.severity == .error } }
}

/// Collects findings up to a limit, and adds the row or line to their messages.
struct MeasureTimesFindingCollector {
    private let marks: [PlayedMeasure]
    private let lineNumbers: [Int]
    private var listedFindings: [MeasureTimesFinding] = []
    private var countsByKind: [MeasureTimesFinding.Kind: Int] = [:]

    init(marks: [PlayedMeasure], lineNumbers: [Int]) {
        self.marks = marks
        self.lineNumbers = lineNumbers.count == marks.count ? lineNumbers : []
    }

    /// - Parameter sentence: the rest of a sentence that begins with the row and the measure; a whole sentence if there
    ///   is no row.
    mutating func addFinding(
        _ severity: MeasureTimesFinding.Severity, _ kind: MeasureTimesFinding.Kind, row: Int?,
        _ sentence: String
    ) {
        countsByKind[kind, default: 0] += 1
        guard countsByKind[kind, default: 0] <= MeasureTimesCheck.maximumListedPerKind(severity) else {
            return
        }
        guard let row else {
            listedFindings.append(
                MeasureTimesFinding(
                    severity: severity, kind: kind, row: nil, printedNumber: nil, sentence: sentence))
            return
        }
        let place = lineNumbers.isEmpty ? "Row \(row + 1)" : "Line \(lineNumbers[row])"
        listedFindings.append(
            MeasureTimesFinding(
                severity: severity, kind: kind, row: row, printedNumber: marks[row].printed,
                sentence: "\(place), measure \(marks[row].printed), \(sentence)"))
    }

    /// Returns the listed findings in the order of their rows, then the numbers of further findings.
    func sortedFindings() -> [MeasureTimesFinding] {
        let order = listedFindings.indices.sorted {
            (listedFindings[$0].row ?? Int.max, $0) < (listedFindings[$1].row ?? Int.max, $1)
        }
        let more = MeasureTimesFinding.Kind.allCases.compactMap { kind -> MeasureTimesFinding? in
            guard let count = countsByKind[kind],
                let first = listedFindings.first(where: { $0.kind == kind }),
                case let listed = listedFindings.count(where: { $0.kind == kind }), count > listed
            else { return nil }
            return MeasureTimesFinding(
                severity: first.severity, kind: .more, row: nil, printedNumber: nil,
                sentence: "And \(count - listed) more rows are like this one: \(first.sentence)")
        }
        return order.map { listedFindings[$0] } + more
    }
}
