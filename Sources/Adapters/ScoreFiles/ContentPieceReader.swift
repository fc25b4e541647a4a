import Foundation
import FoundationXML

/// Collects the pieces of a content XML while it is parsed; stops the parser when a limit is exceeded.
final class ContentPieceReader: NSObject, XMLParserDelegate {
    private(set) var pieces: [RawMeasureTimesPiece] = []
    /// The problem that stopped the parser, and its line.
    private(set) var fault: (line: Int, fault: MeasureTimesError.XMLFault)?
    private(set) var hasOpenedRoot = false
    /// True once the root element was closed.
    private(set) var hasClosedRoot = false
    /// The line of the last start or end tag. After an error, the parser's own line number cannot be used, because it
    /// has run on to the end of the file.
    private(set) var lastLine = 1

    /// The elements whose end tag is still to come, outermost first.
    private var openElements: [ElementMeaning] = []
    private var elementCount = 0
    private var elementText = ""
    private var openPiece = RawMeasureTimesPiece()
    private var openTrackName = ""
    private var openTrackPages: [RawMeasureTimesPiece.TrackPage] = []
    private var openPage = RawMeasureTimesPiece.TrackPage(lineNumber: 0)

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        guard fault == nil else { return }
        elementCount += 1
        lastLine = max(parser.lineNumber, 1)
        if !hasOpenedRoot, name != "concert" { return stopParsing(parser, .wrongRootElement(name)) }
        hasOpenedRoot = true
        if openElements.count >= MeasureTimesLimits.xmlDepth { return stopParsing(parser, .tooDeep) }
        if elementCount > MeasureTimesLimits.xmlElements { return stopParsing(parser, .tooManyElements) }
        // Accepting an element inside text would silently drop the element and the text before it.
        if let word = openElements.last?.textOnlyElementName {
            return stopParsing(parser, .elementInsideText(element: name, in: word))
        }
        let place = ElementMeaning(name, in: openElements.last)
        openElements.append(place)
        elementText = ""
        switch place {
        case .piece: openPiece = RawMeasureTimesPiece()
        case .track: (openTrackName, openTrackPages) = ("", [])
        case .page: openPage = RawMeasureTimesPiece.TrackPage(lineNumber: parser.lineNumber)
        default: break
        }
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) { appendText(text, parser) }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        appendText(String(decoding: block, as: UTF8.self), parser)
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
        guard fault == nil, let place = openElements.popLast() else { return }
        defer { elementText = "" }
        lastLine = max(parser.lineNumber, 1)
        switch place {
        case .concert: hasClosedRoot = true
        case .piece: pieces.append(openPiece)
        case .track: storeTrackPages()
        case .page: openTrackPages.append(openPage)
        case .pieceName: openPiece.name = closedElementText
        case .measureCount: openPiece.claimedMeasureCount = closedElementText
        case .trackName: openTrackName = closedElementText
        case .time: openPage.time = closedElementText
        case .measure: openPage.measure = closedElementText
        case .text: openPage.text = closedElementText
        case .elsewhere: break
        }
    }

    /// The text of the element that is being closed, on one line.
    private var closedElementText: String {
        TableField(Array(elementText.utf8.map { Ascii.isLineEnd($0) ? Ascii.blank : $0 })).text
    }

    /// Stores the pages of the track that ends here. The name of a track may follow its pages, so the kind of track is
    /// known only now.
    private func storeTrackPages() {
        switch openTrackName {
        case "NumSeconds": openPiece.measureTimePages = (openPiece.measureTimePages ?? []) + openTrackPages
        case "Structure": openPiece.endTimeText = openTrackPages.last { $0.text == "END" }?.time
        default: break
        }
    }

    private func appendText(_ text: String, _ parser: XMLParser) {
        guard fault == nil else { return }
        elementText += text
        if elementText.utf8.count > MeasureTimesLimits.xmlElementBytes {
            stopParsing(parser, .tooMuchText)
        }
    }

    private func stopParsing(_ parser: XMLParser, _ found: MeasureTimesError.XMLFault) {
        fault = (max(parser.lineNumber, 1), found)
        parser.abortParsing()
    }

    /// The meaning of an open element, which depends on the elements around it.
    private enum ElementMeaning {
        case concert, piece, pieceName, measureCount, track, trackName, page, time, measure, text, elsewhere

        /// The name of the element if it may hold text only; nil for any other element.
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
