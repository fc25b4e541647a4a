import Basics
import Score

/// Collects the labelled instants of an annotation file and converts them to measures.
///
/// A label that names a measure gives the measure its number. Measures without such a label get counted numbers. They
/// are counted up from the measure before or, if the file begins without a number, down from the first number. A note
/// reports the counted measures.
struct LabelledInstantCollector {
    private struct Instant {
        var line: TextLine
        var seconds: Double
        var label: MeasureLabel
        var labelText: String
    }

    private var instants: [Instant] = []

    /// - Throws: ``MeasureTimesError`` if there are more instants than the limit for measures, beats included.
    mutating func append(seconds: Double, label: String, from line: TextLine) throws(MeasureTimesError) {
        guard instants.count <= MeasureTimesLimits.measures else {
            throw .tooManyMeasures(path: line.path, line: line.lineNumber, limit: MeasureTimesLimits.measures)
        }
        let text = quotableExcerpt(label)
        instants.append(Instant(line: line, seconds: seconds, label: MeasureLabel(text), labelText: text))
    }

    /// - Throws: ``MeasureTimesError`` if there is no measure, or one after the end.
    func measureTimes(_ format: MeasureTimesFormat, path: String) throws(MeasureTimesError) -> MeasureTimes {
        var notes: [String] = []
        let measures = try format == .beatNumbers ? firstBeats(&notes) : measureStarts(&notes)
        var list = MeasureMarkList()
        var next = firstMeasureNumber(of: measures)
        var counted: [Instant] = []
        for instant in measures {
            switch instant.label {
            case .end:
                try list.setEnd(atSeconds: instant.seconds, from: instant.line)
                continue
            case .measureNumber(let printed), .barAndBeat(let printed, _):
                next = printed
            case .namesNoMeasure:
                counted.append(instant)
            }
            try list.append(printed: next, seconds: instant.seconds, from: instant.line)
            next += 1
        }
        if format != .beatNumbers {
            notes.append(countedMeasuresNote(counted: counted, of: list.marks.count))
        }
        return try list.measureTimes(format, path: path, notes: notes)
    }

    /// Keeps the first beats of beats that are numbered in their bars; beats before the first one make measure 0.
    private func firstBeats(_ notes: inout [String]) throws(MeasureTimesError) -> [Instant] {
        notes.append("The numbers were taken for beats of the bar: measures are those with beat 1.")
        var bar = 0
        var starts: [Instant] = []
        for var instant in instants {
            guard instant.label != .end else {
                starts.append(instant)
                continue
            }
            guard let beat = TableField(instant.labelText).beatNumber else {
                throw instant.line.makeRowError(.notABeat(instant.labelText))
            }
            if beat == 1 { bar += 1 }
            guard beat == 1 || starts.isEmpty else { continue }
            instant.label = .measureNumber(bar)
            starts.append(instant)
        }
        return starts
    }

    /// Keeps only the first beat of each bar if every label has the form `bar.beat`; otherwise such labels count as
    /// plain text.
    private func measureStarts(_ notes: inout [String]) -> [Instant] {
        let beats = instants.filter { $0.label != .end }
        let firstBeats = beats.filter { $0.label.beat == 1 }
        guard !firstBeats.isEmpty, beats.allSatisfy({ $0.label.beat != nil }) else {
            return instants.map { instant in
                var instant = instant
                if instant.label.beat != nil { instant.label = .namesNoMeasure }
                return instant
            }
        }
        notes.append("Labels are bar.beat: only the first beats were taken for measures.")
        // A file that begins inside a bar begins with a pickup.
        let pickup = beats.first.flatMap { $0.label.beat == 1 ? nil : $0.line.lineNumber }
        return instants.filter {
            $0.label == .end || $0.label.beat == 1 || $0.line.lineNumber == pickup
        }
    }

    private func firstMeasureNumber(of measures: [Instant]) -> Int {
        let leading = measures.prefix { $0.label == .namesNoMeasure }.count
        guard leading < measures.count, case .measureNumber(let number) = measures[leading].label,
            number >= leading
        else { return 1 }
        return number - leading
    }

    private func countedMeasuresNote(counted: [Instant], of measures: Int) -> String {
        guard let first = counted.first else { return "Measure numbers are those of the labels." }
        if counted.count == measures {
            return "No label names a measure: the measures were counted through from 1."
        }
        return "\(counted.count) of \(measures) labels name no measure and were counted on; "
            + "the first is “\(first.labelText)” in line \(first.line.lineNumber)."
    }
}

extension MeasureLabel {
    fileprivate var beat: Int? {
        if case .barAndBeat(_, let beat) = self { beat } else { nil }
    }
}
