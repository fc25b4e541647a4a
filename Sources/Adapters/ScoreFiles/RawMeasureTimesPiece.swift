import Platform

/// The parts of one `<piece>` that concern measure times, as text.
struct RawMeasureTimesPiece {
    var name = ""
    /// The text of the element `<measures>`, in which the file states its number of measures.
    var claimedMeasureCount = ""
    /// The pages of the track `NumSeconds`; nil if there is none.
    var measureTimePages: [TrackPage]?
    /// The time of the page `END` in the track `Structure`.
    var endTimeText: String?

    /// - Throws: ``MeasureTimesError`` for an element inside text: it and the text before it would be dropped.
    init(_ piece: XMLNode, path: String) throws(MeasureTimesError) {
        name = try Self.words("name", in: piece, path: path) ?? ""
        claimedMeasureCount = try Self.words("measures", in: piece, path: path) ?? ""
        for track in piece.all("track") {
            var pages: [TrackPage] = []
            for page in track.all("page") { pages.append(try TrackPage(page, path: path)) }
            switch try Self.words("name", in: track, path: path) {
            case "NumSeconds": measureTimePages = (measureTimePages ?? []) + pages
            case "Structure": endTimeText = pages.last { $0.text == "END" }?.time
            default: break
            }
        }
    }

    /// The text of the last child of a name, on one line.
    private static func words(
        _ name: String, in parent: XMLNode, path: String
    ) throws(MeasureTimesError) -> String? {
        var words: String?
        for child in parent.all(name) {
            if let inner = child.children.first {
                throw .invalidXML(
                    path: path, line: inner.line, fault: .elementInsideText(element: inner.name, in: name))
            }
            words = TableField(Array(child.text.utf8.map { Ascii.isLineEnd($0) ? Ascii.blank : $0 })).text
        }
        return words
    }

    /// One page of a track.
    struct TrackPage {
        var lineNumber: Int
        var time: String?
        var measure: String?
        var text: String?

        init(_ page: XMLNode, path: String) throws(MeasureTimesError) {
            lineNumber = page.line
            time = try words("time", in: page, path: path)
            measure = try words("measure", in: page, path: path)
            text = try words("text", in: page, path: path)
        }

        /// Parses the page's measure.
        /// - Returns: the printed number and the onset in seconds.
        func parseMeasure(path: String) throws(MeasureTimesError) -> (printed: Int, seconds: Double) {
            guard let measure else {
                throw .invalidXML(
                    path: path, line: lineNumber, fault: .missingElement(element: "measure", in: "page"))
            }
            guard let printed = TableField(measure).wholeNumber else {
                throw .invalidXML(path: path, line: lineNumber, fault: .notAMeasureNumber(measure))
            }
            guard let time = time ?? text else {
                throw .invalidXML(
                    path: path, line: lineNumber, fault: .missingElement(element: "time", in: "page"))
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
