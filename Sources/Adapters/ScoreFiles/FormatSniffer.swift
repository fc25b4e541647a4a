/// Recognises the format of a file of measure times from its content.
enum FormatSniffer {
    /// The number of lines that are examined. Fewer lines are enough to recognise every format.
    private static let examinedLineCount = 64

    /// - Throws: ``MeasureTimesError`` if no format fits or several do, or if a line is unreadable.
    static func recognizeFormat(of bytes: [UInt8], path: String) throws(MeasureTimesError)
        -> MeasureTimesFormat
    {
        var lines = TextLines(bytes, path: path)
        var sample: [TextLine] = []
        while sample.count < examinedLineCount, let line = lines.next() {
            if line.bytes.first != Ascii.backslash { sample.append(line) }
        }
        guard let first = sample.first else { throw .noMeasures(path: path) }
        if first.bytes.first(where: { !Ascii.isBlank($0) }) == UInt8(ascii: "<") { return .content }

        let separator = first.detectedSeparator
        var rows: [[TableField]] = []
        for line in sample { try rows.append(line.splitFields(separator: separator)) }
        if let format = formatNamedByHeader(rows[0]) {
            guard format == .sonicVisualiser else { return format }
            return try distinguishBeats(from: [format], Array(rows.dropFirst()), path: path)
        }
        guard rows[0][0].isNumeric else { throw .unknownFormat(path: path) }

        let isLabelTrack = separator == Ascii.tab && rows.contains { $0.count >= 3 }
        return try distinguishBeats(
            from: isLabelTrack ? formatsOfThreeColumns(rows) : formatsOfTwoColumns(rows), rows, path: path)
    }

    /// Decides between the formats that fit, and whether the labels of instants are measures or beats of the bar.
    ///
    /// Labels that count from 1 again and again, up to at most twelve, are beats or a passage that is played several
    /// times. Bars take longer than beats; between the two limits nobody can tell.
    private static func distinguishBeats(
        from candidates: [MeasureTimesFormat], _ rows: [[TableField]], path: String
    ) throws(MeasureTimesError) -> MeasureTimesFormat {
        guard let format = candidates.first else { throw .unknownFormat(path: path) }
        if candidates.contains(where: { [.sonicVisualiser, .audacity, .harmonix].contains($0) }),
            let interval = intervalOfRepeatedNumbers(rows)
        {
            if interval <= 1.2 { return .beatNumbers }
            if interval < 2.5 {
                throw .ambiguousFormat(
                    path: path, candidates: candidates.filter { $0 != .csv } + [.beatNumbers])
            }
        }
        guard candidates.count == 1 else { throw .ambiguousFormat(path: path, candidates: candidates) }
        return format
    }

    /// The usual time between two rows whose last fields count from 1 at least three times; nil for other rows.
    private static func intervalOfRepeatedNumbers(_ rows: [[TableField]]) -> Double? {
        var rows = rows
        if rows.last?.last?.text.lowercased() == "end" { rows.removeLast() }
        let times = rows.compactMap { $0.count > 1 ? $0[0].seconds : nil }
        let numbers = rows.compactMap { $0.last?.beatNumber }
        guard rows.count > 4, times.count == rows.count, numbers.count == rows.count,
            numbers.allSatisfy({ (1...12).contains($0) })
        else { return nil }
        let isCounted = zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 || $1 == 1 }
        let restarts = zip(numbers, numbers.dropFirst()).count { $0 > 1 && $1 == 1 }
        guard isCounted, restarts > 1 else { return nil }
        return zip(times, times.dropFirst()).map { $1 - $0 }.sorted()[(times.count - 1) / 2]
    }

    private static func formatNamedByHeader(_ fields: [TableField]) -> MeasureTimesFormat? {
        guard !fields.contains(where: \.isNumeric) else { return nil }
        let names = Set(fields.map { $0.text.lowercased() })
        if !names.isDisjoint(with: AcceptedMeasureColumnNames.printedNumberNames) { return .csv }
        let hasTime = !names.isDisjoint(with: AcceptedMeasureColumnNames.timeNames)
        if hasTime, !names.isDisjoint(with: AcceptedMeasureColumnNames.beatNames) { return .beatNumbers }
        return names.contains("frame") || names.contains("time") ? .sonicVisualiser : nil
    }

    /// Decides whether three columns mean start, end and label, or time, beat and bar. A label never ends before it
    /// starts; in a table of beats, the beat number is soon less than the time.
    private static func formatsOfThreeColumns(_ rows: [[TableField]]) -> [MeasureTimesFormat] {
        // Half of the rows is enough: one mistyped label must not turn every beat into a measure.
        let beats = rows.count { $0.count >= 3 && BeatAnnotationReader.BeatKind(label: $0[2].text) != nil }
        if beats * 2 >= rows.count { return [.beats] }
        var candidates: [MeasureTimesFormat] = []
        if rows.allSatisfy({ $0.count > 1 && ($0[0].seconds ?? 0) <= ($0[1].seconds ?? 0) }) {
            candidates.append(.audacity)
        }
        if rows.allSatisfy({ $0.count >= 3 && $0[1].isDigits && $0[2].isDigits }) {
            candidates.append(.harmonix)
        }
        return candidates
    }

    /// Decides whether two columns mean measure and time, or time and label. Only times have decimals, unless the
    /// labels have the form `bar.beat`.
    private static func formatsOfTwoColumns(_ rows: [[TableField]]) -> [MeasureTimesFormat] {
        if rows.allSatisfy({ $0.count == 1 }) { return [.sonicVisualiser] }
        // Three numbers mean a missing header or a decimal comma, which the CSV reader reports.
        if rows[0].count == 3, rows[0].allSatisfy(\.isNumeric) { return [.csv] }
        let measureFirst = rows.count { $0.count == 2 && $0[0].isDigits && $0[1].isNumberWithDecimals }
        let timeFirst = rows.count {
            $0[0].isNumberWithDecimals && ($0.count == 1 || !$0[$0.count - 1].isNumberWithDecimals)
        }
        switch (measureFirst > 0, timeFirst > 0) {
        case (true, false): return [.csv]
        case (false, true): return [.sonicVisualiser]
        case (true, true): return [.csv, .sonicVisualiser]
        case (false, false): break
        }
        if rows.allSatisfy({ $0[0].isNumberWithDecimals }) {
            return rows.allSatisfy { $0.count == 2 && $0[0] == $0[1] } ? [.audacity] : [.sonicVisualiser]
        }
        if rows.allSatisfy({ $0.count == 2 && !$0[1].isNumeric }) { return [.sonicVisualiser] }
        return rows.allSatisfy { $0.count <= 2 } ? [.csv, .sonicVisualiser] : []
    }
}
