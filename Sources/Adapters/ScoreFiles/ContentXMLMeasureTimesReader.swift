import Basics
import Platform
import Score

/// Reads the `NumSeconds` track of the content server's XML.
///
/// There is one page for each measure. The measure's time is in the page's `<time>` or, if there is none, in its
/// `<text>`. The page `END` of a `Structure` track, after the last measure, gives the end of the music.
enum ContentXMLMeasureTimesReader {
    /// - Parameter piece: the name of the piece, if there are several; blanks and letter case are ignored.
    /// - Throws: ``MeasureTimesError``.
    static func measureTimes(
        in bytes: [UInt8], path: String, piece wanted: String?
    ) throws(MeasureTimesError) -> MeasureTimes {
        let root = try XMLNode.parseContent(bytes, root: "concert", path: path)
        var pieces: [RawMeasureTimesPiece] = []
        for piece in root.all("piece") { pieces.append(try RawMeasureTimesPiece(piece, path: path)) }
        let piece = try choosePiece(wanted, from: pieces, path: path)
        guard let pages = piece.measureTimePages else { throw .noMeasureTrack(path: path, piece: piece.name) }

        var times = MeasureTimes(format: .content, marks: [])
        var isAtOdds = false
        for page in pages {
            guard times.marks.count < MeasureTimesLimits.measures else {
                throw .tooManyMeasures(path: path, line: page.lineNumber, limit: MeasureTimesLimits.measures)
            }
            let (printed, seconds) = try page.parseMeasure(path: path)
            times.marks.append(PlayedMeasure(printed: printed, onset: ReferenceTime(seconds: seconds)))
            times.lineNumbers.append(page.lineNumber)
            if let text = page.text.flatMap({ TableField($0).seconds }), abs(text - seconds) > 0.001 {
                isAtOdds = true
            }
        }
        guard let last = times.marks.last else { throw .noMeasures(path: path) }
        if isAtOdds {
            times.readingWarnings.append("Time and text of some pages differ: the time was taken.")
        }
        if let end = piece.endTimeText.flatMap({ TableField($0).seconds }), end > last.onset.seconds {
            times.end = ReferenceTime(seconds: end)
            times.readingWarnings.append("The end is that of the Structure track.")
        }
        if let note = piece.measureCountMismatchNote(
            played: times.marks.count, highest: times.marks.map(\.printed).max() ?? 0)
        {
            times.readingWarnings.append(note)
        }
        (times.composer, times.title) = piece.composerAndTitle
        return times
    }

    private static func choosePiece(
        _ wanted: String?, from pieces: [RawMeasureTimesPiece], path: String
    ) throws(MeasureTimesError) -> RawMeasureTimesPiece {
        let names = pieces.map(\.name)
        if let wanted {
            let key = normalizedPieceName(wanted)
            guard let piece = pieces.first(where: { normalizedPieceName($0.name) == key }) else {
                throw .noSuchPiece(path: path, wanted: wanted, names: names)
            }
            return piece
        }
        guard let only = pieces.first else { throw .noMeasures(path: path) }
        guard pieces.count == 1 else { throw .severalPieces(path: path, names: names) }
        return only
    }

    /// Returns a name in lower case without blanks, because `Strauss,Don Juan:Don Juan` and `Strauss, Don Juan: Don
    /// Juan` are the same piece.
    private static func normalizedPieceName(_ name: String) -> String {
        name.lowercased().filter { !$0.isWhitespace }
    }
}
