import Basics
import Score

/// Writes the documents that existing clients request from the content server. The bytes are exactly those that the
/// clients have always received.
public enum ContentXMLWriter {
    /// The page text that marks the end of a piece's structure.
    public static let structureEndText = "END"

    /// Writes the body of `getPieces.php`: the names joined by `;`, without spaces or line breaks.
    /// - Throws: the fault of the first name that a client would split.
    public static func writePieceList(_ names: [PieceName]) throws(PieceName.ConcertNameFault) -> [UInt8] {
        for name in names {
            if let fault = name.concertNameFault, fault.isRefused { throw fault }
        }
        return Array(names.map(\.text).joined(separator: ";").utf8)
    }

    /// Writes the body of `getData.php`: one `<piece>` for each piece, in the given order.
    ///
    /// A piece has its measure times first, then the tracks to choose from, then the structure. Languages, levels and
    /// keys are stored in the ``PieceSupplement``, since the format cannot hold them.
    public static func writeConcert(_ pieces: [PieceContent]) -> [UInt8] {
        concertXMLHead + pieces.flatMap(pieceElementBytes(of:)) + concertXMLFoot
    }

    /// The bytes before the first piece of a concert's XML.
    public static let concertXMLHead = Array("<?xml version=\"1.0\"?>\n<concert>\n".utf8)
    /// The bytes after the last piece of a concert's XML.
    public static let concertXMLFoot = Array("</concert>\n".utf8)

    /// Writes one `<piece>` element, which is the same in every concert.
    public static func pieceElementBytes(of piece: PieceContent) -> [UInt8] {
        var text = ""
        appendPiece(piece, to: &text)
        return Array(text.utf8)
    }

    private static func appendPiece(_ piece: PieceContent, to text: inout String) {
        text += "  <piece>\n    <name>\(XMLText.escaped(piece.name.text))</name>\n"
        text += "    <measures>\(piece.measureCount)</measures>\n"
        if !piece.measures.isEmpty {
            openTrack("NumSeconds", &text)
            for mark in piece.measures {
                appendPage(mark.onset, mark.printed, XMLText.formatSeconds(mark.onset), to: &text)
            }
            closeTrack(&text)
        }
        for track in piece.tracks {
            openTrack(CleanText.cleanedLine(track.name), &text)
            for slide in track.slides {
                appendPage(
                    slide.place.time, slide.place.printed, XMLText.escaped(slide.text.writtenText), to: &text)
            }
            closeTrack(&text)
        }
        appendStructure(piece.structure, to: &text)
        text += "  </piece>\n"
    }

    private static func appendStructure(_ structure: EditedPieceStructure, to text: inout String) {
        guard !structure.isEmpty else { return }
        openTrack("Structure", &text)
        for section in structure.sections {
            let page = CleanText.cleanedLine(section.fileText)
            appendPage(section.place.time, section.place.printed, XMLText.escaped(page), to: &text)
        }
        if let end = structure.end { appendPage(end.time, end.printed, structureEndText, to: &text) }
        closeTrack(&text)
    }

    private static func openTrack(_ name: String, _ text: inout String) {
        text += "    <track>\n      <name>\(XMLText.escaped(name))</name>\n"
    }

    private static func closeTrack(_ text: inout String) { text += "    </track>\n" }

    private static func appendPage(
        _ time: ReferenceTime, _ printed: Int, _ words: String, to text: inout String
    ) {
        text += "      <page>\n        <time>\(XMLText.formatSeconds(time))</time>\n"
        text += "        <measure>\(printed)</measure>\n        <text>\(words)</text>\n      </page>\n"
    }
}
