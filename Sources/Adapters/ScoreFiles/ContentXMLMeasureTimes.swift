import Foundation
import FoundationXML
import MusicalTime
import Score

/// Reads the `NumSeconds` track of the content server's XML.
///
/// There is one page for each measure. Its time is in `<time>`, or in `<text>` if that is missing. The page `END` of
/// a `Structure` track, after the last measure, gives the end of the music.
enum ContentXMLMeasureTimes {
    /// - Parameter piece: the name of the piece, if there are several; blanks and letter case are ignored.
    /// - Throws: ``MeasureTimesError``.
    static func times(
        in bytes: [UInt8], path: String, piece wanted: String?
    ) throws(MeasureTimesError) -> MeasureTimes {
        let piece = try choose(wanted, from: pieces(in: bytes, path: path), path: path)
        guard let pages = piece.measurePages else { throw .noMeasureTrack(path: path, piece: piece.name) }

        var times = MeasureTimes(format: .content, marks: [])
        var isAtOdds = false
        for page in pages {
            guard times.marks.count < MeasureTimesLimits.measures else {
                throw .tooManyMeasures(path: path, line: page.line, limit: MeasureTimesLimits.measures)
            }
            let (printed, seconds) = try page.measure(path: path)
            times.marks.append(PlayedMeasure(printed: printed, onset: ReferenceTime(seconds: seconds)))
            times.lineNumbers.append(page.line)
            if let text = page.text.flatMap({ TableField($0).seconds }), abs(text - seconds) > 0.001 {
                isAtOdds = true
            }
        }
        guard let last = times.marks.last else { throw .noMeasures(path: path) }
        if isAtOdds { times.readingNotes.append("Time and text of some pages differ: the time was taken.") }
        if let end = piece.structureEnd.flatMap({ TableField($0).seconds }), end > last.onset.seconds {
            times.end = ReferenceTime(seconds: end)
            times.readingNotes.append("The end is that of the Structure track.")
        }
        if let note = piece.countNote(
            played: times.marks.count, highest: times.marks.map(\.printed).max() ?? 0)
        {
            times.readingNotes.append(note)
        }
        (times.composer, times.title) = piece.composerAndTitle
        return times
    }

    /// - Throws: ``MeasureTimesError`` for a file that is not content XML, or that could harm the parser.
    private static func pieces(in bytes: [UInt8], path: String) throws(MeasureTimesError) -> [ContentPiece] {
        let body = try XMLPrecautions.harmless(bytes, path: path)
        let reader = ContentPieceReader()
        let parser = XMLParser(data: Data(body))
        parser.shouldResolveExternalEntities = false
        parser.delegate = reader
        _ = parser.parse()
        if let (line, fault) = reader.fault { throw .xml(path: path, line: line, fault: fault) }
        // parse() returns true for a truncated file: only a closed root and no error mean success.
        guard parser.parserError == nil, reader.isComplete else {
            let lastTag = body.lastIndex(of: UInt8(ascii: "<")).map { body[$0...] } ?? []
            let isCutShort = reader.hasRoot && !lastTag.starts(with: "</concert>".utf8)
            throw .xml(path: path, line: reader.lastLine, fault: isCutShort ? .cutShort : .notWellFormed)
        }
        return reader.pieces
    }

    private static func choose(
        _ wanted: String?, from pieces: [ContentPiece], path: String
    ) throws(MeasureTimesError) -> ContentPiece {
        let names = pieces.map(\.name)
        if let wanted {
            let key = comparable(wanted)
            guard let piece = pieces.first(where: { comparable($0.name) == key }) else {
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
    private static func comparable(_ name: String) -> String {
        name.lowercased().filter { !$0.isWhitespace }
    }
}
