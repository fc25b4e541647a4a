/// Reads an annotation layer exported from Sonic Visualiser: `time,label` or `time` alone, with or without a header,
/// separated by commas, semicolons or tabs.
///
/// With a header, the columns `TIME` and `LABEL` may be anywhere (a time value layer has a `VALUE` between them).
/// Without one, the time is first and the label last. A layer exported in sample frames only is refused, because the
/// file does not give the sample rate. Beats with their numbers in the bar are read in the same way.
enum SonicVisualiserLayerReader {
    /// - Throws: ``MeasureTimesError`` that names the first invalid line.
    static func measureTimes(
        in lines: TextLines, as format: MeasureTimesFormat = .sonicVisualiser
    ) throws(MeasureTimesError) -> MeasureTimes {
        var labels = LabelledInstantCollector()
        var separator: UInt8?
        var timeColumn = 0
        var labelColumn: Int?
        for line in lines {
            let fields = try line.splitFields(separator: separator ?? line.detectedSeparator)
            if separator == nil {
                separator = line.detectedSeparator
                if !fields[0].isNumeric, let header = try columnsFromHeader(fields, line) {
                    (timeColumn, labelColumn) = header
                    continue
                }
                labelColumn = fields.count > 1 ? fields.count - 1 : nil
            }
            guard timeColumn < fields.count else {
                throw line.makeRowError(.wrongColumnCount(found: fields.count, expected: timeColumn + 1))
            }
            let seconds = try line.parseSeconds(fields[timeColumn])
            let label = labelColumn.flatMap { $0 < fields.count ? fields[$0].text : nil } ?? ""
            try labels.append(seconds: seconds, label: label, from: line)
        }
        return try labels.measureTimes(format, path: lines.path)
    }

    private static func columnsFromHeader(
        _ fields: [TableField], _ line: TextLine
    ) throws(MeasureTimesError) -> (time: Int, label: Int?)? {
        let names = fields.map { $0.text.lowercased() }
        guard let time = names.firstIndex(where: AcceptedMeasureColumnNames.timeNames.contains) else {
            // Any other line is a row whose first field is not a time.
            if names.contains("frame") { throw line.makeRowError(.framesInsteadOfSeconds) }
            return nil
        }
        let beat = names.firstIndex(where: AcceptedMeasureColumnNames.beatNames.contains)
        return (time, beat ?? names.firstIndex(of: "label"))
    }
}
