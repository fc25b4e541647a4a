/// Reads beats `time, beat in the bar, bar`, separated by tabs (or commas, semicolons).
///
/// A measure starts at a first beat, and also when the bar number changes, because the first bar of a piece that
/// begins with a pickup has no first beat.
/// - Source: O. Nieto et al., "The Harmonix Set", ISMIR 2019.
enum HarmonixBeatReader {
    /// - Throws: ``MeasureTimesError`` that names the first invalid line.
    static func measureTimes(in lines: TextLines) throws(MeasureTimesError) -> MeasureTimes {
        var list = MeasureMarkList()
        var separator: UInt8?
        var lastBar: Int?
        for line in lines {
            let fields = try line.splitFields(separator: separator ?? line.detectedSeparator)
            if separator == nil {
                separator = line.detectedSeparator
                if !fields.contains(where: \.isNumeric) { continue }
            }
            guard fields.count >= 3 else {
                throw line.makeRowError(.wrongColumnCount(found: fields.count, expected: 3))
            }
            let seconds = try line.parseSeconds(fields[0])
            guard let beat = fields[1].wholeNumber else { throw line.makeRowError(.notABeat(fields[1].text)) }
            let bar = try line.parseMeasureNumber(fields[2])
            if beat == 1 || bar != lastBar {
                try list.append(printed: bar, seconds: seconds, from: line)
            }
            lastBar = bar
        }
        return try list.measureTimes(
            .harmonix, path: lines.path,
            notes: ["Measures are the first beats of the bars, numbered as the bars are."])
    }
}
