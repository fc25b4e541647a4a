import Foundation
import FoundationXML

/// An element of a small XML file, with its content and its line.
struct MarkupElement {
    var name: String
    var lineNumber: Int
    var attributes: [String: String] = [:]
    var children: [MarkupElement] = []
    /// The element's own text, without the text of its children.
    var text = ""

    func children(named name: String) -> [MarkupElement] { children.filter { $0.name == name } }
    func firstChild(_ name: String) -> MarkupElement? { children.first { $0.name == name } }

    /// Refuses everything that the readers would ignore: unknown elements, text between elements, and a second element
    /// where only one is allowed. So no part of a file is dropped silently.
    /// - Parameters:
    ///   - words: elements that hold text and may occur once.
    ///   - parts: elements that may occur any number of times.
    func refuseUnexpectedContent(
        textElements words: Set<String> = [], repeatedElements parts: Set<String> = [], path: String
    ) throws(ContentFileError) {
        var seen: Set<String> = []
        for child in children {
            let isWords = words.contains(child.name)
            guard isWords || parts.contains(child.name) else {
                throw .invalidXML(
                    path: path, line: child.lineNumber, fault: .unknownElement(element: child.name, in: name))
            }
            guard isWords else { continue }
            guard seen.insert(child.name).inserted else {
                throw .invalidXML(
                    path: path, line: child.lineNumber,
                    fault: .duplicateElement(element: child.name, in: name))
            }
            if let inner = child.children.first {
                throw .invalidXML(
                    path: path, line: inner.lineNumber,
                    fault: .elementInsideText(element: inner.name, in: child.name))
            }
        }
        let stray = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard stray.isEmpty else {
            throw .invalidXML(path: path, line: lineNumber, fault: .strayText(stray, in: name))
        }
    }

    /// Parses a file and returns its root element.
    /// - Throws: ``ContentFileError`` for a file that is not XML with the expected root element, or that could harm the
    ///   parser.
    static func parseRoot(_ expected: String, of bytes: [UInt8], path: String) throws(ContentFileError)
        -> MarkupElement
    {
        let body: [UInt8]
        do throws(MeasureTimesError) {
            body = try XMLSafetyCheck.harmlessUTF8(bytes, path: path)
        } catch {
            throw ContentFileError(error)
        }
        let reader = MarkupElementTreeParser(root: expected)
        let parser = XMLParser(data: Data(body))
        parser.shouldResolveExternalEntities = false
        parser.delegate = reader
        _ = parser.parse()
        if let (line, fault) = reader.fault { throw .invalidXML(path: path, line: line, fault: fault) }
        // parse() returns true for a truncated file: only a closed root and no error mean success.
        guard parser.parserError == nil, let root = reader.closedRoot else {
            let lastTag = body.lastIndex(of: UInt8(ascii: "<")).map { body[$0...] } ?? []
            let isCutShort = reader.hasOpenedRoot && !lastTag.starts(with: "</\(expected)>".utf8)
            throw .invalidXML(
                path: path, line: reader.lastLine, fault: isCutShort ? .endsTooEarly : .notWellFormed)
        }
        return root
    }
}

/// Builds the tree of elements while a file is parsed; stops the parser when a limit is exceeded.
private final class MarkupElementTreeParser: NSObject, XMLParserDelegate {
    private(set) var closedRoot: MarkupElement?
    private(set) var fault: (line: Int, fault: ContentFileError.XMLFault)?
    private(set) var hasOpenedRoot = false
    /// The line of the last start or end tag. After an error, the parser's own line number cannot be used, because it
    /// has run on to the end of the file.
    private(set) var lastLine = 1
    private let expectedRootName: String
    /// The elements whose end tag is still to come, outermost first.
    private var openElements: [MarkupElement] = []
    private var elementCount = 0

    init(root: String) { expectedRootName = root }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        guard fault == nil else { return }
        elementCount += 1
        lastLine = max(parser.lineNumber, 1)
        if !hasOpenedRoot, name != expectedRootName {
            return stopParsing(parser, .wrongRootElement(found: name, expected: expectedRootName))
        }
        hasOpenedRoot = true
        if openElements.count >= MeasureTimesLimits.xmlDepth { return stopParsing(parser, .tooDeep) }
        if elementCount > MeasureTimesLimits.xmlElements { return stopParsing(parser, .tooManyElements) }
        openElements.append(MarkupElement(name: name, lineNumber: lastLine, attributes: attributes))
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) { appendText(text, parser) }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        appendText(String(decoding: block, as: UTF8.self), parser)
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
        guard fault == nil, let closed = openElements.popLast() else { return }
        lastLine = max(parser.lineNumber, 1)
        if openElements.isEmpty {
            closedRoot = closed
        } else {
            openElements[openElements.count - 1].children.append(closed)
        }
    }

    private func appendText(_ text: String, _ parser: XMLParser) {
        guard fault == nil, !openElements.isEmpty else { return }
        openElements[openElements.count - 1].text += text
        if openElements[openElements.count - 1].text.utf8.count > MeasureTimesLimits.xmlElementBytes {
            stopParsing(parser, .tooMuchText)
        }
    }

    private func stopParsing(_ parser: XMLParser, _ found: ContentFileError.XMLFault) {
        fault = (max(parser.lineNumber, 1), found)
        parser.abortParsing()
    }
}
