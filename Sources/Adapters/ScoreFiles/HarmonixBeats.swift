/// Reads beats `time, beat in the bar, bar`, separated by tabs (or commas, semicolons).
///
/// A measure starts at a first beat, or when the bar number changes: a piece that begins with a pickup has no first
/// beat in its first bar.
/// - Source: O. Nieto et al., "The Harmonix Set", ISMIR 2019.
enum HarmonixBeats {
    /// - Throws: ``MeasureTimesError`` that names the first invalid line.
    static func times(in lines: TextLines) throws(MeasureTimesError) -> MeasureTimes {
        var list = MeasureMarkList()
        var separator: UInt8?
        var lastBar: Int?
        for line in lines {
            let fields = try line.fields(separator: separator ?? line.separator)
            if separator == nil {
                separator = line.separator
                if !fields.contains(where: \.isNumeric) { continue }
            }
            guard fields.count >= 3 else {
                throw line.fault(.wrongColumnCount(found: fields.count, expected: 3))
            }
            let seconds = try line.seconds(fields[0])
            guard let beat = fields[1].wholeNumber else { throw line.fault(.notABeat(fields[1].text)) }
            let bar = try line.measureNumber(fields[2])
            if beat == 1 || bar != lastBar {
                try list.append(printed: bar, seconds: seconds, from: line)
            }
            lastBar = bar
        }
        return try list.times(
            .harmonix, path: lines.path,
            notes: ["Measures are the first beats of the bars, numbered as the bars are."])
    }
}
