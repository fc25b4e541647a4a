import Foundation
import FoundationXML

/// Collects the pieces of a content XML while it is parsed; stops the parser when a limit is exceeded.
final class ContentPieceReader: NSObject, XMLParserDelegate {
    private(set) var pieces: [ContentPiece] = []
    /// The problem that stopped the parser, and its line.
    private(set) var fault: (line: Int, fault: MeasureTimesError.XMLFault)?
    private(set) var hasRoot = false
    /// True once the root element was closed.
    private(set) var isComplete = false
    /// The line of the last start or end tag. After an error, the parser's own line number cannot be used, because it
    /// has run on to the end of the file.
    private(set) var lastLine = 1

    /// The elements whose end tag is still to come, outermost first.
    private var openElements: [ElementMeaning] = []
    private var elements = 0
    private var characters = ""
    private var piece = ContentPiece()
    private var trackName = ""
    private var pages: [ContentPiece.Page] = []
    private var page = ContentPiece.Page(line: 0)

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        guard fault == nil else { return }
        elements += 1
        lastLine = max(parser.lineNumber, 1)
        if !hasRoot, name != "concert" { return stop(parser, .wrongRootElement(name)) }
        hasRoot = true
        if openElements.count >= MeasureTimesLimits.xmlDepth { return stop(parser, .tooDeep) }
        if elements > MeasureTimesLimits.xmlElements { return stop(parser, .tooManyElements) }
        // Accepting an element inside text would silently drop the element and the text before it.
        if let word = openElements.last?.textOnlyElementName {
            return stop(parser, .elementInsideText(element: name, in: word))
        }
        let place = ElementMeaning(name, in: openElements.last)
        openElements.append(place)
        characters = ""
        switch place {
        case .piece: piece = ContentPiece()
        case .track: (trackName, pages) = ("", [])
        case .page: page = ContentPiece.Page(line: parser.lineNumber)
        default: break
        }
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) { append(text, parser) }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        append(String(decoding: block, as: UTF8.self), parser)
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
        guard fault == nil, let place = openElements.popLast() else { return }
        defer { characters = "" }
        lastLine = max(parser.lineNumber, 1)
        switch place {
        case .concert: isComplete = true
        case .piece: pieces.append(piece)
        case .track: closeTrack()
        case .page: pages.append(page)
        case .pieceName: piece.name = text
        case .measureCount: piece.claimedMeasureCount = text
        case .trackName: trackName = text
        case .time: page.time = text
        case .measure: page.measure = text
        case .text: page.text = text
        case .elsewhere: break
        }
    }

    /// The text of the element that is being closed, on one line.
    private var text: String {
        TableField(Array(characters.utf8.map { Ascii.isLineEnd($0) ? Ascii.blank : $0 })).text
    }

    /// Stores the pages of the track that ends here. The name of a track may follow its pages, so the kind of track is
    /// known only now.
    private func closeTrack() {
        switch trackName {
        case "NumSeconds": piece.measurePages = (piece.measurePages ?? []) + pages
        case "Structure": piece.structureEnd = pages.last { $0.text == "END" }?.time
        default: break
        }
    }

    private func append(_ text: String, _ parser: XMLParser) {
        guard fault == nil else { return }
        characters += text
        if characters.utf8.count > MeasureTimesLimits.xmlElementBytes {
            stop(parser, .tooMuchText)
        }
    }

    private func stop(_ parser: XMLParser, _ found: MeasureTimesError.XMLFault) {
        fault = (max(parser.lineNumber, 1), found)
        parser.abortParsing()
    }

    /// The meaning of an open element, which depends on the elements around it.
    private enum ElementMeaning {
        case concert, piece, pieceName, measureCount, track, trackName, page, time, measure, text, elsewhere

        /// The name of an element that may hold text only; nil for the others.
        var textOnlyElementName: String? {
            switch self {
            case .pieceName, .trackName: "name"
            case .measureCount: "measures"
            case .time: "time"
            case .measure: "measure"
            case .text: "text"
            default: nil
            }
        }

        init(_ name: String, in parent: ElementMeaning?) {
            self =
                switch (parent, name) {
                case (nil, "concert"): .concert
                case (.concert, "piece"): .piece
                case (.piece, "name"): .pieceName
                case (.piece, "measures"): .measureCount
                case (.piece, "track"): .track
                case (.track, "name"): .trackName
                case (.track, "page"): .page
                case (.page, "time"): .time
                case (.page, "measure"): .measure
                case (.page, "text"): .text
                default: .elsewhere
                }
        }
    }
}
