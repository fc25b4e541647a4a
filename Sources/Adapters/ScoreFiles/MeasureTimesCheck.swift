import MusicalTime
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
    public static func listedPerKind(_ severity: MeasureTimesFinding.Severity) -> Int {
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
        var findings = FindingList(marks: marks, lineNumbers: lines)
        if marks.isEmpty {
            findings.add(.error, .empty, row: nil, "There is no measure in the list.")
        }
        MeasureOnsetCheck(marks: marks, end: end, audioDuration: audioDuration).report(to: &findings)
        MeasureLengthCheck(marks: marks, end: end).report(to: &findings)
        MeasureNumberingCheck(marks: marks).report(to: &findings)
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
struct FindingList {
    private let marks: [PlayedMeasure]
    private let lineNumbers: [Int]
    private var findings: [MeasureTimesFinding] = []
    private var counts: [MeasureTimesFinding.Kind: Int] = [:]

    init(marks: [PlayedMeasure], lineNumbers: [Int]) {
        self.marks = marks
        self.lineNumbers = lineNumbers.count == marks.count ? lineNumbers : []
    }

    /// - Parameter sentence: the rest of a sentence that begins with the row and the measure; a whole sentence if there
    ///   is no row.
    mutating func add(
        _ severity: MeasureTimesFinding.Severity, _ kind: MeasureTimesFinding.Kind, row: Int?,
        _ sentence: String
    ) {
        counts[kind, default: 0] += 1
        guard counts[kind, default: 0] <= MeasureTimesCheck.listedPerKind(severity) else { return }
        guard let row else {
            findings.append(
                MeasureTimesFinding(
                    severity: severity, kind: kind, row: nil, printedNumber: nil, sentence: sentence))
            return
        }
        let place = lineNumbers.isEmpty ? "Row \(row + 1)" : "Line \(lineNumbers[row])"
        findings.append(
            MeasureTimesFinding(
                severity: severity, kind: kind, row: row, printedNumber: marks[row].printed,
                sentence: "\(place), measure \(marks[row].printed), \(sentence)"))
    }

    /// Returns the listed findings in the order of their rows, then the numbers of further findings.
    func sortedFindings() -> [MeasureTimesFinding] {
        let order = findings.indices.sorted {
            (findings[$0].row ?? Int.max, $0) < (findings[$1].row ?? Int.max, $1)
        }
        let more = MeasureTimesFinding.Kind.allCases.compactMap { kind -> MeasureTimesFinding? in
            guard let count = counts[kind], let first = findings.first(where: { $0.kind == kind }),
                case let listed = findings.count(where: { $0.kind == kind }), count > listed
            else { return nil }
            return MeasureTimesFinding(
                severity: first.severity, kind: .more, row: nil, printedNumber: nil,
                sentence: "And \(count - listed) more rows are like this one: \(first.sentence)")
        }
        return order.map { findings[$0] } + more
    }
}
