import MusicalTime
import Score

/// Looks through measure times and says exactly what is wrong with them, or looks odd.
///
/// Errors are what no ``MeasureMap`` can hold, or what contradicts the recording; warnings are what a slip of
/// the hand looks like; notes are what repeats and jumps look like.
public struct MeasureTimesCheck: Equatable, Sendable {
    /// In the order of the rows, those about the whole list last.
    public let findings: [MeasureFinding]
    public let unfolding: Unfolding

    /// No more findings of one kind are listed; the rest is counted. One slip makes many rows wrong, which the
    /// first few show; what only looks odd is for somebody to go through.
    public static func listedPerKind(_ severity: MeasureFinding.Severity) -> Int {
        severity == .error ? 3 : 20
    }

    /// - Parameters:
    ///   - marks: in the order of the file, right or wrong.
    ///   - end: where the last measure ends, where known.
    ///   - audioDuration: the length of the recording, where known.
    ///   - lines: the line of the file each mark came from; sentences name it instead of the row.
    /// - Complexity: O(n log n) in the number of marks.
    public init(
        marks: [MeasureMark], end: ReferenceTime? = nil, audioDuration: Seconds? = nil, lines: [Int] = []
    ) {
        var findings = FindingList(marks: marks, lines: lines)
        if marks.isEmpty {
            findings.add(.error, .empty, row: nil, "There is no measure in the list.")
        }
        OnsetCheck(marks: marks, end: end, audioDuration: audioDuration).report(to: &findings)
        LengthCheck(marks: marks, end: end).report(to: &findings)
        NumberingCheck(marks: marks).report(to: &findings)
        self.findings = findings.closed()
        unfolding = Unfolding(marks)
    }

    public init(_ times: MeasureTimes, audioDuration: Seconds? = nil) {
        self.init(marks: times.marks, end: times.end, audioDuration: audioDuration, lines: times.lines)
    }

    /// Whether a measure map can be made of these times.
    public var isUsable: Bool { !findings.contains { $0.severity == .error } }
}

/// Collects findings, bounded, and knows how to name a row.
struct FindingList {
    private let marks: [MeasureMark]
    private let lines: [Int]
    private var findings: [MeasureFinding] = []
    private var counts: [MeasureFinding.Kind: Int] = [:]

    init(marks: [MeasureMark], lines: [Int]) {
        self.marks = marks
        self.lines = lines.count == marks.count ? lines : []
    }

    /// - Parameter sentence: what follows after the name of the row; a whole sentence where there is no row.
    mutating func add(
        _ severity: MeasureFinding.Severity, _ kind: MeasureFinding.Kind, row: Int?, _ sentence: String
    ) {
        counts[kind, default: 0] += 1
        guard counts[kind, default: 0] <= MeasureTimesCheck.listedPerKind(severity) else { return }
        guard let row else {
            findings.append(
                MeasureFinding(severity: severity, kind: kind, row: nil, measure: nil, sentence: sentence))
            return
        }
        let place = lines.isEmpty ? "Row \(row + 1)" : "Line \(lines[row])"
        findings.append(
            MeasureFinding(
                severity: severity, kind: kind, row: row, measure: marks[row].printed,
                sentence: "\(place), measure \(marks[row].printed), \(sentence)"))
    }

    /// Everything found, by rows, and how much more there was.
    func closed() -> [MeasureFinding] {
        let order = findings.indices.sorted {
            (findings[$0].row ?? Int.max, $0) < (findings[$1].row ?? Int.max, $1)
        }
        let more = MeasureFinding.Kind.allCases.compactMap { kind -> MeasureFinding? in
            guard let count = counts[kind], let first = findings.first(where: { $0.kind == kind }),
                case let listed = findings.count(where: { $0.kind == kind }), count > listed
            else { return nil }
            return MeasureFinding(
                severity: first.severity, kind: .more, row: nil, measure: nil,
                sentence: "And \(count - listed) more rows are like this one: \(first.sentence)")
        }
        return order.map { findings[$0] } + more
    }
}
