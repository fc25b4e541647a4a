/// Reads an exported Audacity label track: `start TAB end TAB text`, one label a line.
///
/// Ignores a region's end, and lines that begin with a backslash (frequencies of a spectral selection). The text may
/// be missing, and so may the end (Audacity 1.2).
/// - Source: Audacity manual, "Importing and Exporting Labels".
enum AudacityLabelReader {
    /// - Throws: ``MeasureTimesError`` that names the first invalid line.
    static func measureTimes(in lines: TextLines) throws(MeasureTimesError) -> MeasureTimes {
        var labels = LabelledInstantCollector()
        for line in lines where line.bytes.first != Ascii.backslash {
            let fields = try line.splitFields(separator: Ascii.tab)
            let start = try line.parseSeconds(fields[0])
            var text = fields.count > 1 ? fields[1].text : ""
            if fields.count > 2 {
                _ = try line.parseSeconds(fields[1])
                text = fields[2].text
            } else if fields.count == 2, fields[1].seconds != nil, text.utf8.contains(0x2E) {
                // These are start and end of a label; a text editor has trimmed away the empty text.
                text = ""
            }
            try labels.append(seconds: start, label: text, from: line)
        }
        return try labels.measureTimes(.audacity, path: lines.path)
    }
}
