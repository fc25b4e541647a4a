/// The meaning of an instant's label in an annotation file, such as a measure number.
enum MeasureLabel: Equatable {
    case measureNumber(Int)
    /// `12.3`: the third beat of measure 12, as tapping programs write it.
    case barAndBeat(Int, beat: Int)
    case end
    /// The label is empty, or its text names no measure.
    case namesNoMeasure

    /// Reads `12`, `m12`, `m. 12`, `bar 12`, `Takt 12`, `12.3` and `end`.
    init(_ text: String) {
        let word = TableField(text.lowercased()).text
        guard word != "end" else {
            self = .end
            return
        }
        if let number = Self.parseMeasureNumber(in: word) {
            self = .measureNumber(number)
            return
        }
        let parts = word.split(separator: ".", omittingEmptySubsequences: false).map {
            TableField(String($0))
        }
        // A number with more than two decimals is a time, not bar and beat.
        if parts.count == 2, parts[1].text.utf8.count <= 2, let bar = parts[0].wholeNumber,
            let beat = parts[1].wholeNumber
        {
            self = .barAndBeat(bar, beat: beat)
        } else {
            self = .namesNoMeasure
        }
    }

    private static let measureWordPrefixes: Set<String> = [
        "", "m", "mm", "b", "bar", "measure", "meas", "t", "takt", "mes", "mesure", "misura",
    ]

    private static func parseMeasureNumber(in word: String) -> Int? {
        let prefix = word.prefix { $0.isLetter }
        var rest = word.dropFirst(prefix.count)
        guard measureWordPrefixes.contains(String(prefix)) else { return nil }
        if !prefix.isEmpty, rest.first == "." { rest.removeFirst() }
        return TableField(String(rest)).wholeNumber
    }
}
