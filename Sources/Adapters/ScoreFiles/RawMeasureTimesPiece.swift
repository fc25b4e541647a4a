/// The parts of one `<piece>` that concern measure times, as text.
struct RawMeasureTimesPiece {
    var name = ""
    /// The text of the element `<measures>`, in which the file states its number of measures.
    var claimedMeasureCount = ""
    /// The pages of the track `NumSeconds`; nil if there is none.
    var measureTimePages: [TrackPage]?
    /// The time of the page `END` in the track `Structure`.
    var endTimeText: String?

    /// One page of a track.
    struct TrackPage {
        var lineNumber: Int
        var time: String?
        var measure: String?
        var text: String?

        /// Parses the page's measure.
        /// - Returns: the printed number and the onset in seconds.
        func parseMeasure(path: String) throws(MeasureTimesError) -> (printed: Int, seconds: Double) {
            guard let measure else {
                throw .invalidXML(path: path, line: lineNumber, fault: .missingElement(element: "measure"))
            }
            guard let printed = TableField(measure).wholeNumber else {
                throw .invalidXML(path: path, line: lineNumber, fault: .notAMeasureNumber(measure))
            }
            guard let time = time ?? text else {
                throw .invalidXML(path: path, line: lineNumber, fault: .missingElement(element: "time"))
            }
            guard let seconds = TableField(time).seconds else {
                throw .invalidXML(path: path, line: lineNumber, fault: .notATime(time))
            }
            return (printed, seconds)
        }
    }

    /// The composer and the title: a name such as `Composer, Piece: Movement` is split at its first comma.
    var composerAndTitle: (composer: String?, title: String?) {
        let parts = name.split(separator: ",", maxSplits: 1).map { TableField(String($0)).text }
        guard parts.count == 2 else { return (nil, name.isEmpty ? nil : name) }
        return (parts[0], parts[1])
    }

    /// A note for the user if the number in `<measures>` is neither the number of played measures nor the highest
    /// printed number.
    func measureCountMismatchNote(played: Int, highest: Int) -> String? {
        guard let claimed = TableField(claimedMeasureCount).wholeNumber, claimed != played, claimed != highest
        else {
            return nil
        }
        return "The piece claims \(claimed) measures, its NumSeconds track has \(played)."
    }
}
