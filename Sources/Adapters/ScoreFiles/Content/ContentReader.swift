import Concert
import MusicalTime
import Score

/// The pieces of a content XML, and the assumptions that were made while reading it.
public struct ContentReadResult: Equatable, Sendable {
    public var pieces: [PieceContent]
    /// The assumptions that were made while reading, one sentence each, to be shown to the user.
    public var readingNotes: [String]
}

/// Reads the whole content XML that the content server's `getData.php` returns; ``MeasureTimesFile`` reads only the
/// measure times from the same XML.
public enum ContentReader {
    /// - Parameter path: the file's name for error messages.
    /// - Throws: ``ContentFileError``.
    public static func pieces(in bytes: [UInt8], path: String) throws(ContentFileError) -> ContentReadResult {
        let root = try MarkupElement.root("concert", of: bytes, path: path)
        try root.refuseUnexpectedContent(repeatedElements: ["piece"], path: path)
        var content = ContentReadResult(pieces: [], readingNotes: [])
        for element in root.children(named: "piece") {
            var reader = PieceReader(path: path)
            content.pieces.append(try reader.piece(element))
            content.readingNotes += reader.readingNotes
        }
        return content
    }
}

/// Reads one `<piece>` element of a content XML.
private struct PieceReader {
    let path: String
    var readingNotes: [String] = []

    mutating func piece(_ element: MarkupElement) throws(ContentFileError) -> PieceContent {
        try element.refuseUnexpectedContent(
            textElements: ["name", "measures"], repeatedElements: ["track"], path: path)
        for track in element.children(named: "track") {
            try track.refuseUnexpectedContent(textElements: ["name"], repeatedElements: ["page"], path: path)
            for page in track.children(named: "page") {
                try page.refuseUnexpectedContent(textElements: ["time", "measure", "text"], path: path)
            }
        }
        let name = try pieceName(element)
        // The name of a track may follow its pages, and the measure times may follow other tracks.
        let tracks = element.children(named: "track").map { track in
            (name: CleanText.line(track.first("name")?.text ?? ""), pages: track.children(named: "page"))
        }
        for reserved in Track.reservedNames where tracks.count(where: { $0.name == reserved }) > 1 {
            throw fault(element.line, .twoTracks(reserved))
        }
        let measures = try measures(tracks.first { $0.name == "NumSeconds" }?.pages ?? [], of: name)
        let played = PlayedMeasureLookup(measures)
        var piece = PieceContent(name: name, measures: measures)
        if let claimed = element.first("measures").map({ CleanText.line($0.text) }) {
            if let count = TableField(claimed).wholeNumber {
                piece.measureCount = count
            } else {
                readingNotes.append(
                    "“\(name)” claims “\(excerpt(claimed))” measures: \(measures.count) was taken.")
            }
        }
        for track in tracks {
            switch track.name {
            case "NumSeconds": continue
            case "Structure": piece.structure = try structure(track.pages, of: name, measures, played)
            default:
                var slides: [Slide] = []
                for page in track.pages {
                    slides.append(
                        Slide(
                            place: try readAnchor(page, measures, played),
                            text: SlideText(page.first("text")?.text ?? "")))
                }
                piece.tracks.append(Track(name: track.name, slides: slides))
            }
        }
        return piece
    }

    private func pieceName(_ element: MarkupElement) throws(ContentFileError) -> PieceName {
        guard let name = element.first("name") else {
            throw fault(element.line, .missing(element: "name", in: "piece"))
        }
        do throws(PieceNameFault) {
            return try PieceName(CleanText.line(name.text))
        } catch {
            throw fault(name.line, .pieceName(error))
        }
    }

    private mutating func measures(
        _ pages: [MarkupElement], of name: PieceName
    ) throws(ContentFileError) -> [PlayedMeasure] {
        var marks: [PlayedMeasure] = []
        var isAtOdds = false
        for page in pages {
            let text = page.first("text").flatMap { numericText($0) }
            let time = page.first("time").map { CleanText.line($0.text) } ?? text
            guard let time else { throw fault(page.line, .missing(element: "time", in: "page")) }
            let onset = try seconds(time, page.line)
            if let text = text.flatMap({ TableField($0).seconds }), abs(text - onset) > 0.001 {
                isAtOdds = true
            }
            marks.append(
                PlayedMeasure(printed: try readPrintedNumber(page), onset: ReferenceTime(seconds: onset)))
        }
        if isAtOdds {
            readingNotes.append("Time and text of some measures of “\(name)” differ: the time was taken.")
        }
        return marks
    }

    private mutating func structure(
        _ pages: [MarkupElement], of name: PieceName, _ measures: [PlayedMeasure],
        _ played: PlayedMeasureLookup
    ) throws(ContentFileError) -> ContentStructure {
        var structure = ContentStructure()
        for page in pages {
            let place = try readAnchor(page, measures, played)
            let text = CleanText.line(page.first("text")?.text ?? "")
            if text == ContentXMLWriter.endText {
                if structure.end != nil {
                    readingNotes.append("“\(name)” has more than one END: the last was taken.")
                }
                structure.end = place
            } else {
                structure.sections.append(ContentSection(pageText: text, place: place))
            }
        }
        return structure
    }

    /// Returns the position of a page in the music. A page without a time is placed where its measure is first played.
    private func readAnchor(
        _ page: MarkupElement, _ measures: [PlayedMeasure], _ played: PlayedMeasureLookup
    ) throws(ContentFileError) -> MeasureAnchor {
        let measure = try readPrintedNumber(page)
        if let time = page.first("time") {
            let onset = try seconds(CleanText.line(time.text), page.line)
            return played.anchor(printed: measure, time: ReferenceTime(seconds: onset))
        }
        let start = ReferenceTime(seconds: -.greatestFiniteMagnitude)
        guard let first = played.playedMeasure(printed: measure, near: start) else {
            throw fault(page.line, .missing(element: "time", in: "page"))
        }
        return MeasureAnchor(printed: measure, played: first, time: measures[first].onset)
    }

    private func readPrintedNumber(_ page: MarkupElement) throws(ContentFileError) -> Int {
        guard let measure = page.first("measure") else {
            throw fault(page.line, .missing(element: "measure", in: "page"))
        }
        guard let number = TableField(withoutBraces(measure.text)).wholeNumber else {
            throw fault(page.line, .notAMeasureNumber(CleanText.line(measure.text)))
        }
        return number
    }

    private func seconds(_ text: String, _ line: Int) throws(ContentFileError) -> Double {
        guard let seconds = TableField(withoutBraces(text)).seconds else {
            throw fault(line, .notATime(text))
        }
        return seconds
    }

    private func numericText(_ element: MarkupElement) -> String? {
        let text = withoutBraces(element.text)
        return TableField(text).seconds == nil ? nil : text
    }

    /// Returns a text without surrounding braces. The description of the format writes some numbers as `{420}`, and
    /// some files do the same.
    private func withoutBraces(_ text: String) -> String {
        let line = CleanText.line(text)
        guard line.hasPrefix("{"), line.hasSuffix("}"), line.utf8.count > 2 else { return line }
        return CleanText.line(String(line.dropFirst().dropLast()))
    }

    private func fault(_ line: Int, _ fault: ContentFileError.XMLFault) -> ContentFileError {
        .xml(path: path, line: line, fault: fault)
    }
}
