import Foundation
import FoundationXML

/// Parses XML from outside into a tree, within bounds and without entities.
enum SafeXML {
    /// The size in bytes of a file before blanks between its elements are removed.
    static let largestFile = 48_000_000
    /// Foundation's parser fails above 10 MB.
    static let largestBody = 9_000_000
    static let mostElements = 1_500_000
    static let deepest = 100
    /// The parser compares each attribute of an element with all others: hundreds of thousands would take hours.
    static let mostAttributes = 200

    /// - Parameter what: names the file in errors.
    /// - Throws: ``TabFileError``.
    static func parse(_ bytes: [UInt8], _ what: String) throws(TabFileError) -> XMLNode {
        guard bytes.count <= largestFile else {
            throw TabFileError(
                "\(what) has \(bytes.count >> 20) MB of XML; at most \(largestFile >> 20) are read. Split the piece."
            )
        }
        let body = try harmless(bytes, what)
        let collector = TreeCollector()
        let parser = XMLParser(data: Data(body))
        parser.shouldResolveExternalEntities = false
        parser.delegate = collector
        _ = parser.parse()
        if let fault = collector.fault { throw TabFileError("\(what) \(fault); export it again.") }
        // parse() returns true for a truncated file: only a closed root and no error mean success.
        guard parser.parserError == nil, let root = collector.root, collector.isClosed else {
            throw TabFileError(
                "\(what) is damaged or cut off near line \(max(1, parser.lineNumber)) of its XML; export it again."
            )
        }
        return root
    }

    /// The file in UTF-8, without declarations, processing instructions and document types, and with short gaps
    /// between elements. Foundation's parser crashes at names that are not UTF-8 and at empty instructions.
    private static func harmless(_ bytes: [UInt8], _ what: String) throws(TabFileError) -> [UInt8] {
        let text = try utf8(bytes, what)
        var body: [UInt8] = []
        body.reserveCapacity(text.count)
        var at = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var tag = TagScanner()
        while at < text.count {
            if let end = try endOfMarkup(text, at, what, keepingIn: &body) {
                at = end
            } else if text[at] <= 0x20, body.last == UInt8(ascii: ">") || body.isEmpty {
                at = endOfGap(text, at, keepingIn: &body)
            } else {
                try pass(text[at], through: &tag, what)
                body.append(text[at])
                at += 1
            }
        }
        guard body.first == UInt8(ascii: "<") else {
            throw TabFileError("\(what) is not XML; export it again as the format that its ending names.")
        }
        guard body.count <= largestBody else {
            throw TabFileError(
                "\(what) has \(body.count / 1_000_000) MB of XML without blanks; at most 9 are read. Split the piece."
            )
        }
        return body
    }

    /// The place after the markup that begins at a place and is no element; nil if none does. Only character data is
    /// kept of it.
    private static func endOfMarkup(
        _ text: [UInt8], _ at: Int, _ what: String, keepingIn body: inout [UInt8]
    ) throws(TabFileError) -> Int? {
        guard text[at] == UInt8(ascii: "<"), at + 1 < text.count else { return nil }
        if text[at + 1] == UInt8(ascii: "?") { return try skip(text, from: at, to: "?>", what) }
        if text[at...].starts(with: "<!--".utf8) { return try skip(text, from: at + 4, to: "-->", what) }
        if text[at...].starts(with: "<![CDATA[".utf8) {
            let end = try skip(text, from: at, to: "]]>", what)
            body += text[at..<end]
            return end
        }
        guard text[at + 1] == UInt8(ascii: "!") else { return nil }
        let end = try skip(text, from: at, to: ">", what)
        guard text[at...].starts(with: "<!DOCTYPE".utf8), !text[at..<end].contains(UInt8(ascii: "[")) else {
            throw TabFileError(
                "\(what) declares XML entities, which no tab needs and which can do harm; export it again.")
        }
        return end
    }

    /// The place after blanks. Between elements one line feed is kept of them, so that line numbers stay useful.
    private static func endOfGap(_ text: [UInt8], _ at: Int, keepingIn body: inout [UInt8]) -> Int {
        var end = at
        var hasLine = false
        while end < text.count, text[end] <= 0x20 {
            if text[end] == 0x0A { hasLine = true }
            end += 1
        }
        if end < text.count, text[end] != UInt8(ascii: "<") {
            body += text[at..<end]
        } else if hasLine, !body.isEmpty {
            body.append(0x0A)
        }
        return end
    }

    private static func pass(
        _ byte: UInt8, through tag: inout TagScanner, _ what: String
    ) throws(TabFileError) {
        tag.pass(byte)
        guard tag.attributes <= mostAttributes else {
            throw TabFileError(
                "\(what) has an element with more than \(mostAttributes) attributes; export it again.")
        }
    }

    /// Counts the attributes of the tag that it is in.
    private struct TagScanner {
        private(set) var attributes = 0
        private var isInside = false
        private var quote: UInt8?

        mutating func pass(_ byte: UInt8) {
            if let end = quote {
                if byte == end { quote = nil }
            } else if byte == UInt8(ascii: "<") {
                (isInside, attributes) = (true, 0)
            } else if isInside {
                switch byte {
                case UInt8(ascii: ">"): isInside = false
                case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
                case UInt8(ascii: "="): attributes += 1
                default: break
                }
            }
        }
    }

    /// The place after the next mark.
    private static func skip(
        _ text: [UInt8], from start: Int, to mark: StaticString, _ what: String
    ) throws(TabFileError) -> Int {
        let found: Int? = mark.withUTF8Buffer { mark in
            var at = start
            while at + mark.count <= text.count {
                if text[at] == mark[0], (1..<mark.count).allSatisfy({ text[at + $0] == mark[$0] }) {
                    return at + mark.count
                }
                at += 1
            }
            return nil
        }
        guard let found else { throw TabFileError("\(what) is cut off; export it again.") }
        return found
    }

    private static func utf8(_ bytes: [UInt8], _ what: String) throws(TabFileError) -> [UInt8] {
        let isLittle = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0x3C, 0])
        if isLittle || bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0, 0x3C]) {
            let units = stride(from: 0, to: bytes.count - 1, by: 2).map { at in
                isLittle
                    ? UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8
                    : UInt16(bytes[at]) << 8 | UInt16(bytes[at + 1])
            }
            let text = units.first == 0xFEFF ? units.dropFirst() : units[...]
            guard let text = String(validating: text, as: UTF16.self) else {
                throw TabFileError("\(what) is broken UTF-16; export it again in UTF-8.")
            }
            return Array(text.utf8)
        }
        if String(validating: bytes, as: UTF8.self) != nil { return try withoutZeros(bytes, what) }
        // Older programs write ISO-8859-1 and say so.
        let head = String(decoding: bytes.prefix(200), as: UTF8.self).lowercased()
        guard head.contains("iso-8859-1") || head.contains("windows-1252") || head.contains("latin") else {
            throw TabFileError("\(what) is not UTF-8; export it again.")
        }
        return try withoutZeros(
            bytes.flatMap { $0 < 0x80 ? [$0] : [0xC0 | $0 >> 6, 0x80 | $0 & 0x3F] }, what)
    }

    private static func withoutZeros(_ bytes: [UInt8], _ what: String) throws(TabFileError) -> [UInt8] {
        guard !bytes.contains(0) else {
            throw TabFileError("\(what) has zero bytes in its XML; export it again.")
        }
        return bytes
    }

    private final class TreeCollector: NSObject, XMLParserDelegate {
        var root: XMLNode?
        var isClosed = false
        var fault: String?
        private var open: [(node: XMLNode, text: String)] = []
        private var elements = 0

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            elements += 1
            if elements > SafeXML.mostElements { return stop(parser, "has too many elements") }
            if open.count >= SafeXML.deepest { return stop(parser, "is nested too deeply") }
            let node = XMLNode(name, attributes)
            open.last?.node.append(node)
            if root == nil { root = node }
            open.append((node, ""))
        }

        func parser(
            _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
        ) {
            guard let (node, text) = open.popLast() else { return }
            node.close(text.trimmingCharacters(in: .whitespacesAndNewlines))
            if open.isEmpty { isClosed = true }
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) {
            if !open.isEmpty { open[open.count - 1].text += string }
        }

        func parser(_ parser: XMLParser, foundCDATA block: Data) {
            if !open.isEmpty { open[open.count - 1].text += String(decoding: block, as: UTF8.self) }
        }

        private func stop(_ parser: XMLParser, _ fault: String) {
            if self.fault == nil { self.fault = fault }
            parser.abortParsing()
        }
    }
}
