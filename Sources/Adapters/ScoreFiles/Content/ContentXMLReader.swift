import Basics
import Concert
import Platform
import Score

/// The pieces of a content XML, and the assumptions that were made while reading it.
public struct ContentXMLReadResult: Equatable, Sendable {
    public var pieces: [PieceContent]
    /// The assumptions that were made while reading, one sentence each, to be shown to the user.
    public var readingWarnings: [String]
}

/// Reads the whole content XML that the content server's `getData.php` returns; ``MeasureTimesFileReader`` reads only
/// the measure times from the same XML.
public enum ContentXMLReader {
    /// - Parameter path: the file's name for error messages.
    /// - Throws: ``ContentFileError``.
    public static func readPieces(in bytes: [UInt8], path: String) throws(ContentFileError)
        -> ContentXMLReadResult
    {
        let root: XMLNode
        do throws(MeasureTimesError) {
            root = try XMLNode.parseContent(bytes, root: "concert", path: path)
        } catch {
            throw ContentFileError(error)
        }
        try root.refuseUnexpectedContent(repeatedElements: ["piece"], path: path)
        var content = ContentXMLReadResult(pieces: [], readingWarnings: [])
        for element in root.all("piece") {
            var reader = PieceElementReader(path: path)
            content.pieces.append(try reader.readPiece(element))
            content.readingWarnings += reader.readingWarnings
        }
        return content
    }
}

/// Reads one `<piece>` element of a content XML.
private struct PieceElementReader {
    let path: String
    var readingWarnings: [String] = []

    mutating func readPiece(_ element: XMLNode) throws(ContentFileError) -> PieceContent {
        try element.refuseUnexpectedContent(
            textElements: ["name", "measures"], repeatedElements: ["track"], path: path)
        for track in element.all("track") {
            try track.refuseUnexpectedContent(textElements: ["name"], repeatedElements: ["page"], path: path)
            for page in track.all("page") {
                try page.refuseUnexpectedContent(textElements: ["time", "measure", "text"], path: path)
            }
        }
        let name = try readPieceName(element)
        // The name of a track may follow its pages, and the measure times may follow other tracks.
        let tracks = element.all("track").map { track in
            (
                name: CleanText.cleanedLine(track["name"]?.text ?? ""),
                pages: Array(track.all("page"))
            )
        }
        for reserved in Track.reservedNames where tracks.count(where: { $0.name == reserved }) > 1 {
            throw makeFileError(element.line, .duplicateTrackName(reserved))
        }
        let measures = try readMeasures(tracks.first { $0.name == "NumSeconds" }?.pages ?? [], of: name)
        let played = PlayedMeasureLookup(measures)
        var piece = PieceContent(name: name, measures: measures)
        if let claimed = element["measures"].map({ CleanText.cleanedLine($0.text) }) {
            if let count = TableField(claimed).wholeNumber {
                piece.measureCount = count
            } else {
                readingWarnings.append(
                    "“\(name)” claims “\(quotableExcerpt(claimed))” measures: \(measures.count) was taken.")
            }
        }
        for track in tracks {
            switch track.name {
            case "NumSeconds": continue
            case "Structure": piece.structure = try readStructure(track.pages, of: name, measures, played)
            default:
                var slides: [Slide] = []
                for page in track.pages {
                    slides.append(
                        Slide(
                            place: try readPageAnchor(page, measures, played),
                            text: SlideText(page["text"]?.text ?? "")))
                }
                piece.tracks.append(Track(name: track.name, slides: slides))
            }
        }
        return piece
    }

    private func readPieceName(_ element: XMLNode) throws(ContentFileError) -> PieceName {
        guard let name = element["name"] else {
            throw makeFileError(element.line, .missingElement(element: "name", in: "piece"))
        }
        do throws(ExplainedError) {
            return try PieceName(CleanText.cleanedLine(name.text))
        } catch {
            throw makeFileError(name.line, .invalidPieceName(error))
        }
    }

    private mutating func readMeasures(
        _ pages: [XMLNode], of name: PieceName
    ) throws(ContentFileError) -> [PlayedMeasure] {
        var marks: [PlayedMeasure] = []
        var isAtOdds = false
        for page in pages {
            let text = page["text"].flatMap { numericText($0) }
            let time = page["time"].map { CleanText.cleanedLine($0.text) } ?? text
            guard let time else {
                throw makeFileError(page.line, .missingElement(element: "time", in: "page"))
            }
            let onset = try parseSeconds(time, page.line)
            if let text = text.flatMap({ TableField($0).seconds }), abs(text - onset) > 0.001 {
                isAtOdds = true
            }
            marks.append(
                PlayedMeasure(printed: try readPrintedNumber(page), onset: ReferenceTime(seconds: onset)))
        }
        if isAtOdds {
            readingWarnings.append("Time and text of some measures of “\(name)” differ: the time was taken.")
        }
        return marks
    }

    private mutating func readStructure(
        _ pages: [XMLNode], of name: PieceName, _ measures: [PlayedMeasure],
        _ played: PlayedMeasureLookup
    ) throws(ContentFileError) -> EditedPieceStructure {
        var structure = EditedPieceStructure()
        for page in pages {
            let place = try readPageAnchor(page, measures, played)
            let text = CleanText.cleanedLine(page["text"]?.text ?? "")
            if text == ContentXMLWriter.structureEndText {
                if structure.end != nil {
                    readingWarnings.append("“\(name)” has more than one END: the last was taken.")
                }
                structure.end = place
            } else {
                structure.sections.append(ContentSection(pageText: text, place: place))
            }
        }
        return structure
    }

    /// Returns the position of a page in the music. A page without a time is placed where its measure is first played.
    private func readPageAnchor(
        _ page: XMLNode, _ measures: [PlayedMeasure], _ played: PlayedMeasureLookup
    ) throws(ContentFileError) -> MeasureAnchor {
        let measure = try readPrintedNumber(page)
        if let time = page["time"] {
            let onset = try parseSeconds(CleanText.cleanedLine(time.text), page.line)
            return played.makeAnchor(printed: measure, time: ReferenceTime(seconds: onset))
        }
        let start = ReferenceTime(seconds: -.greatestFiniteMagnitude)
        guard let first = played.playedMeasure(printed: measure, near: start) else {
            throw makeFileError(page.line, .missingElement(element: "time", in: "page"))
        }
        return MeasureAnchor(printed: measure, played: first, time: measures[first].onset)
    }

    private func readPrintedNumber(_ page: XMLNode) throws(ContentFileError) -> Int {
        guard let measure = page["measure"] else {
            throw makeFileError(page.line, .missingElement(element: "measure", in: "page"))
        }
        guard let number = TableField(withoutBraces(measure.text)).wholeNumber else {
            throw makeFileError(page.line, .notAMeasureNumber(CleanText.cleanedLine(measure.text)))
        }
        return number
    }

    private func parseSeconds(_ text: String, _ line: Int) throws(ContentFileError) -> Double {
        guard let seconds = TableField(withoutBraces(text)).seconds else {
            throw makeFileError(line, .notATime(text))
        }
        return seconds
    }

    private func numericText(_ element: XMLNode) -> String? {
        let text = withoutBraces(element.text)
        return TableField(text).seconds == nil ? nil : text
    }

    /// Returns a text without surrounding braces. The description of the format writes some numbers as `{420}`, and
    /// some files do the same.
    private func withoutBraces(_ text: String) -> String {
        let line = CleanText.cleanedLine(text)
        guard line.hasPrefix("{"), line.hasSuffix("}"), line.utf8.count > 2 else { return line }
        return CleanText.cleanedLine(String(line.dropFirst().dropLast()))
    }

    private func makeFileError(_ line: Int, _ fault: ContentFileError.XMLFault) -> ContentFileError {
        .invalidXML(path: path, line: line, fault: fault)
    }
}
