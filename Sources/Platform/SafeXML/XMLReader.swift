import CXML2

/// The limits within which an XML file from outside is read.
public struct XMLBounds: Sendable {
    /// The largest size of the file in UTF-8.
    public var bytes: Int
    public var elements: Int
    public var depth: Int
    /// The parser compares each attribute of an element with all others: hundreds of thousands would take hours.
    public var attributes = 200
    /// The longest text of one element, in bytes, where a tree is made of the file.
    public var textBytes: Int
    /// True for files as programs write them: with instructions and a document type, which are passed over, and with
    /// the encoding of another program than the declared one. Declarations of entities are never taken.
    public var isLenient: Bool

    public init(bytes: Int, elements: Int, depth: Int, textBytes: Int = .max, isLenient: Bool = false) {
        (self.bytes, self.elements, self.depth) = (bytes, elements, depth)
        (self.textBytes, self.isLenient) = (textBytes, isLenient)
    }
}

/// A part of an XML file. Names have their prefixes, as they are written.
public enum XMLEvent {
    case start(String, [String: String])
    /// A piece of text, or of a section of character data.
    case text(String)
    case end(String)
}

/// Reads XML from outside part by part, within bounds and without entities. libxml2 parses it; nothing is loaded.
public enum XMLReader {
    /// - Parameter handle: takes each part with its line; false ends the reading without an error.
    /// - Throws: the first fault. What was handled before it must be dropped.
    public static func read(
        _ bytes: [UInt8], within bounds: XMLBounds, _ handle: @escaping (XMLEvent, _ line: Int) -> Bool
    ) throws(XMLFault) {
        try read(bytes, within: bounds) { event, line throws(XMLFault) in handle(event, line) }
    }

    /// The same for a handler that finds faults itself.
    static func read(
        _ bytes: [UInt8], within bounds: XMLBounds,
        checking handle: @escaping (XMLEvent, _ line: Int) throws(XMLFault) -> Bool
    ) throws(XMLFault) {
        let text = try XMLText.utf8(of: bytes, within: bounds)
        try XMLText.refuseManyAttributes(text, limit: bounds.attributes)
        let session = Session(bounds, handle)
        withExtendedLifetime(session) { session.parse(text) }
        if let fault = session.fault { throw fault }
    }

    /// The state of one parse. The parser's private data point to it, so that the callbacks find it.
    private final class Session {
        private(set) var fault: XMLFault?
        private let bounds: XMLBounds
        private let handle: (XMLEvent, Int) throws(XMLFault) -> Bool
        private var hasStopped = false
        private var depth = 0
        private var elements = 0

        init(_ bounds: XMLBounds, _ handle: @escaping (XMLEvent, Int) throws(XMLFault) -> Bool) {
            (self.bounds, self.handle) = (bounds, handle)
        }

        func parse(_ text: [UInt8]) {
            guard let parser = xmlNewParserCtxt() else { return stop(.noMemory, at: 1) }
            parser.pointee._private = Unmanaged.passUnretained(self).toOpaque()
            parser.pointee.sax.pointee = Session.callbacks
            // The parser's own limits are for documents of unknown size; those of `bounds` are in their place. Only the
            // five entities of XML itself are replaced: where others are declared, the parse ends.
            let options = [XML_PARSE_NONET, XML_PARSE_HUGE, XML_PARSE_IGNORE_ENC, XML_PARSE_NOENT]
                .reduce(0) { $0 | $1.rawValue }
            let tree = text.withUnsafeBytes {
                xmlCtxtReadMemory(
                    parser, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count), nil,
                    "UTF-8",
                    Int32(options))
            }
            xmlFreeDoc(tree)
            if parser.pointee.wellFormed == 0, !hasStopped { stop(.notWellFormed, at: 1) }
            xmlFreeParserCtxt(parser)
        }

        private static var callbacks: xmlSAXHandler {
            var callbacks = xmlSAXHandler()
            callbacks.initialized = UInt32(XML_SAX2_MAGIC)
            callbacks.startElementNs = { parser, name, prefix, _, spaceCount, spaces, count, _, attributes in
                let all = Session.dictionary(spaces, Int(spaceCount), attributes, Int(count))
                Session.tell(parser) { session, line throws(XMLFault) in
                    try session.start(Session.string(name, prefix), all, line)
                }
            }
            callbacks.endElementNs = { parser, name, prefix, _ in
                Session.tell(parser) { session, line throws(XMLFault) in
                    session.depth -= 1
                    return try session.handle(.end(Session.string(name, prefix)), line)
                }
            }
            callbacks.characters = { parser, text, count in
                let text = String(
                    decoding: UnsafeBufferPointer(start: text, count: Int(count)), as: UTF8.self)
                Session.tell(parser) { session, line throws(XMLFault) in
                    try session.handle(.text(text), line)
                }
            }
            callbacks.ignorableWhitespace = callbacks.characters
            callbacks.processingInstruction = { parser, _, _ in
                Session.refuse(parser, "<?", unlessLenient: true)
            }
            callbacks.internalSubset = { parser, _, _, _ in
                Session.refuse(parser, "<!DOCTYPE", unlessLenient: true)
                // Else entities that nobody declares would be dropped, as if that file declared them.
                parser?.assumingMemoryBound(to: xmlParserCtxt.self).pointee.hasExternalSubset = 0
            }
            callbacks.entityDecl = { parser, _, _, _, _, _ in Session.refuse(parser, "<!ENTITY") }
            callbacks.unparsedEntityDecl = { parser, _, _, _, _ in Session.refuse(parser, "<!ENTITY") }
            callbacks.attributeDecl = { parser, _, _, _, _, _, tree in
                xmlFreeEnumeration(tree)
                Session.refuse(parser, "<!ATTLIST")
            }
            callbacks.elementDecl = { parser, _, _, _ in Session.refuse(parser, "<!ELEMENT") }
            callbacks.notationDecl = { parser, _, _, _ in Session.refuse(parser, "<!NOTATION") }
            callbacks.serror = { parser, error in
                guard let error, error.pointee.level == XML_ERR_FATAL, let parser else { return }
                let input = parser.assumingMemoryBound(to: xmlParserCtxt.self).pointee.input?.pointee
                let isAtEnd = input.map { $0.cur >= $0.end } ?? false
                Session.tell(parser) { session, line throws(XMLFault) in
                    let isCutShort = isAtEnd && session.depth > 0
                    throw XMLFault(
                        line: max(1, Int(error.pointee.line)),
                        reason: isCutShort ? .endsTooEarly : .notWellFormed)
                }
            }
            return callbacks
        }

        private func start(
            _ name: String, _ attributes: [String: String], _ line: Int
        ) throws(XMLFault) -> Bool {
            (depth, elements) = (depth + 1, elements + 1)
            if depth > bounds.depth { throw XMLFault(line: line, reason: .tooDeep(limit: bounds.depth)) }
            if elements > bounds.elements {
                throw XMLFault(line: line, reason: .tooManyElements(limit: bounds.elements))
            }
            return try handle(.start(name, attributes), line)
        }

        private func stop(_ reason: XMLFault.Reason, at line: Int) {
            (fault, hasStopped) = (XMLFault(line: line, reason: reason), true)
        }

        /// Passes on what the parser found, and ends the parse at a fault or if no more is wanted.
        private static func tell(
            _ context: UnsafeMutableRawPointer?, _ found: (Session, Int) throws(XMLFault) -> Bool
        ) {
            guard let parser = context?.assumingMemoryBound(to: xmlParserCtxt.self),
                let data = parser.pointee._private
            else { return }
            let session = Unmanaged<Session>.fromOpaque(data).takeUnretainedValue()
            guard !session.hasStopped else { return }
            let line = max(1, Int(parser.pointee.input?.pointee.line ?? 1))
            do throws(XMLFault) {
                guard try !found(session, line) else { return }
                session.hasStopped = true
            } catch {
                session.stop(error.reason, at: error.line)
            }
            xmlStopParser(parser)
        }

        private static func refuse(
            _ context: UnsafeMutableRawPointer?, _ markup: String, unlessLenient: Bool = false
        ) {
            tell(context) { session, line throws(XMLFault) in
                if unlessLenient, session.bounds.isLenient { return true }
                throw XMLFault(line: line, reason: .forbiddenMarkup(markup))
            }
        }

        /// A name as it is written.
        private static func string(
            _ name: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>? = nil
        ) -> String {
            let name = name.map { String(cString: $0) } ?? ""
            return prefix.map { "\(String(cString: $0)):\(name)" } ?? name
        }

        /// The attributes of an element, and what it declares of namespaces.
        /// - Parameters:
        ///   - spaces: prefix and address of each declaration.
        ///   - attributes: name, prefix, namespace, beginning and end of the value of each attribute.
        private static func dictionary(
            _ spaces: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ spaceCount: Int,
            _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ count: Int
        ) -> [String: String] {
            var found: [String: String] = [:]
            if let spaces {
                for at in stride(from: 0, to: 2 * spaceCount, by: 2) {
                    let name = spaces[at].map { "xmlns:\(String(cString: $0))" } ?? "xmlns"
                    found[name] = string(spaces[at + 1])
                }
            }
            if let attributes {
                for at in stride(from: 0, to: 5 * count, by: 5) {
                    guard let from = attributes[at + 3], let to = attributes[at + 4] else { continue }
                    let value = UnsafeBufferPointer(start: from, count: to - from)
                    found[string(attributes[at], attributes[at + 1])] = String(decoding: value, as: UTF8.self)
                }
            }
            return found
        }
    }
}
