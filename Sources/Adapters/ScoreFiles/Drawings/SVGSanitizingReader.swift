import Basics
import Platform

/// Writes the clean drawing while the original is parsed; stops at the first forbidden content.
final class SVGSanitizingReader {
    private(set) var sanitizedSVG: [UInt8] = []
    private(set) var fault: (line: Int, fault: ExplainedError)?
    private(set) var drawingCost = SVGDrawingCost()

    private struct OpenElement {
        var name: String
        /// The namespace of each prefix that is valid inside this element; the empty prefix stands for the default
        /// namespace.
        var namespaces: [String: String]
        var costNodeNumber: Int
        var hasContent = false
    }

    /// The open elements that are kept in the clean drawing, outermost first.
    private var openElements: [OpenElement] = []
    /// The number of open elements that are left out, each inside the previous one; 0 if nothing is being left out.
    private var skippedDepth = 0
    /// The text of the open `<style>` element so far.
    private var openStyleText = ""

    /// Takes the next part of the original.
    /// - Returns: false at the first forbidden content.
    func handle(_ event: XMLEvent, line: Int) -> Bool {
        do throws(ExplainedError) {
            switch event {
            case .start where skippedDepth > 0: skippedDepth += 1
            case .end where skippedDepth > 0: skippedDepth -= 1
            case .start(let name, let attributes): try startElement(name, attributes)
            case .text(let text): handleText(text)
            case .end: try endElement()
            }
        } catch {
            fault = (line, error)
        }
        return fault == nil
    }

    // MARK: Elements

    private func endElement() throws(ExplainedError) {
        guard let closed = openElements.last else { return }
        if closed.name == "style" {
            let sheet = try SVGStyleSanitizer.sanitizeStyleSheet(openStyleText)
            drawingCost.addStyleSheet(sheet)
            writeText(characters: sheet.text)
        }
        sanitizedSVG +=
            openElements.removeLast().hasContent ? Array("</\(closed.name)>".utf8) : Array("/>".utf8)
    }

    private func startElement(_ name: String, _ attributes: [String: String]) throws(ExplainedError) {
        var namespaces = openElements.last?.namespaces ?? ["xml": SVGAllowlist.xmlNamespace]
        for (key, value) in attributes {
            if key == "xmlns" { namespaces[""] = value }
            if key.hasPrefix("xmlns:") { namespaces[String(key.dropFirst(6))] = value }
        }
        let (prefix, local) = Self.prefixAndLocalName(of: name)
        guard let namespace = prefix.isEmpty ? namespaces[""] ?? "" : namespaces[prefix] else {
            throw ExplainedError(
                "the prefix “\(quotableExcerpt(prefix))” is not declared; save the drawing again.")
        }
        if openElements.isEmpty {
            // Some drawings are saved without a namespace; it is added here.
            guard local == "svg", namespace == SVGAllowlist.namespace || namespace.isEmpty else {
                throw ExplainedError(
                    "the outermost element is <\(quotableExcerpt(name))> and not <svg>; give a drawing.")
            }
        }
        guard namespace == SVGAllowlist.namespace || namespace.isEmpty else {
            guard !SVGAllowlist.refusedNamespaces.contains(namespace) else {
                throw ExplainedError(
                    "<\(quotableExcerpt(name))> is not allowed; save it as a plain drawing without "
                        + "scripts, links, animation and foreign content.")
            }
            skippedDepth = 1
            return
        }
        if SVGAllowlist.skippedElements.contains(local) {
            skippedDepth = 1
            return
        }
        guard SVGAllowlist.allowedElementNames.contains(local) else {
            throw ExplainedError(
                "<\(quotableExcerpt(name))> is not allowed; save it as a plain drawing without scripts, "
                    + "links, animation and foreign content.")
        }
        if let parent = openElements.last, SVGAllowlist.textOnlyElements.contains(parent.name) {
            throw ExplainedError(
                "<\(quotableExcerpt(name))> is in <\(quotableExcerpt(parent.name))>, which may hold "
                    + "text only; remove it.")
        }
        try writeElement(local, attributes, namespaces)
        if local == "style" { openStyleText = "" }
    }

    private func writeElement(
        _ name: String, _ attributes: [String: String], _ namespaces: [String: String]
    ) throws(ExplainedError) {
        var kept: [(name: String, value: String)] = []
        var references: [SVGStyleSanitizer.DrawingPartReference] = []
        for (key, value) in attributes {
            guard key != "xmlns", !key.hasPrefix("xmlns:") else { continue }
            guard let attribute = try Self.allowedAttributeName(key, namespaces, attributes) else { continue }
            let found = try Self.sanitizeAttributeValue(value, of: attribute, in: name)
            guard let text = found.text else { continue }
            references += found.references
            kept.append((attribute, text))
        }
        kept.sort {
            SVGAllowlist.attributeWritingRank[$0.name] ?? 0 < SVGAllowlist.attributeWritingRank[$1.name] ?? 0
        }
        closeStartTag()
        sanitizedSVG += Array("<\(name)".utf8)
        if openElements.isEmpty { sanitizedSVG += Array(" xmlns=\"\(SVGAllowlist.namespace)\"".utf8) }
        for (attribute, value) in kept {
            sanitizedSVG += Array(" \(attribute)=\"".utf8)
            Self.escape(value, isAttribute: true, into: &sanitizedSVG)
            sanitizedSVG.append(0x22)
        }
        let number = drawingCost.addElement(
            name, id: attributes["id"], classes: attributes["class"] ?? "", references: references,
            lineBytes: (attributes["d"] ?? attributes["points"] ?? "").utf8.count,
            in: openElements.last?.costNodeNumber)
        openElements.append(OpenElement(name: name, namespaces: namespaces, costNodeNumber: number))
    }

    /// Returns the name under which an attribute is written into the clean drawing; nil if the attribute is left out.
    private static func allowedAttributeName(
        _ key: String, _ namespaces: [String: String], _ all: [String: String]
    ) throws(ExplainedError) -> String? {
        let (prefix, local) = prefixAndLocalName(of: key)
        guard !local.lowercased().hasPrefix("on") else {
            throw ExplainedError(
                "“\(quotableExcerpt(key))” is not allowed; save the drawing without scripts.")
        }
        if prefix.isEmpty { return SVGAllowlist.attributeWritingRank[local] != nil ? local : nil }
        guard let namespace = namespaces[prefix] else {
            throw ExplainedError(
                "the prefix “\(quotableExcerpt(prefix))” is not declared; save the drawing again.")
        }
        switch (namespace, local) {
        // If a link is given in both spellings, the newer one (`href`) counts.
        case (SVGAllowlist.xlinkNamespace, "href"): return all["href"] == nil ? "href" : nil
        case (SVGAllowlist.xmlNamespace, "space"): return "xml:space"
        case (SVGAllowlist.xmlNamespace, "lang"): return "xml:lang"
        default: return nil
        }
    }

    private static func sanitizeAttributeValue(
        _ value: String, of attribute: String, in element: String
    ) throws(ExplainedError) -> (text: String?, references: [SVGStyleSanitizer.DrawingPartReference]) {
        switch attribute {
        case "id":
            guard SVGAllowlist.isValidName(value) else {
                throw ExplainedError(
                    "“\(quotableExcerpt(value))” cannot name a part; use letters, digits, dot, hyphen and "
                        + "underscore.")
            }
            return (value, [])
        case "class":
            guard value.split(whereSeparator: \.isWhitespace).allSatisfy({ SVGAllowlist.isValidName($0) })
            else {
                throw ExplainedError(
                    "“\(quotableExcerpt(value))” cannot name a part; use letters, digits, dot, hyphen "
                        + "and underscore.")
            }
            return (value, [])
        case "style":
            let style = try SVGStyleSanitizer.sanitizeDeclarations(value)
            return (style.text.isEmpty ? nil : style.text, style.references)
        case "href": return try sanitizeLink(value, in: element)
        case _ where SVGAllowlist.accessibilityAttributes.contains(attribute) || attribute.hasPrefix("xml:"):
            return (value, [])
        default:
            let found = try SVGStyleSanitizer.sanitizeValue(value)
            return (
                found.text,
                found.referencedIDs.map {
                    SVGStyleSanitizer.DrawingPartReference(id: $0, isMarker: attribute.hasPrefix("marker-"))
                }
            )
        }
    }

    /// Checks a link. It may refer to a part of the drawing; the link of an `<image>` must contain the image data
    /// itself.
    private static func sanitizeLink(
        _ value: String, in element: String
    ) throws(ExplainedError) -> (text: String?, references: [SVGStyleSanitizer.DrawingPartReference]) {
        if element == "image" {
            guard let picture = sanitizeEmbeddedPicture(value) else {
                throw ExplainedError(
                    "“\(quotableExcerpt(String(value.prefix(60))))” is not a picture inside the "
                        + "drawing; embed a PNG, JPEG, GIF or WebP.")
            }
            return (picture, [])
        }
        guard let target = SVGAllowlist.referencedName(value) else {
            throw ExplainedError(
                "“\(quotableExcerpt(String(value.prefix(200))))” leads out of the drawing; only its "
                    + "own parts are shown, as in “#name”.")
        }
        return ("#\(target)", [SVGStyleSanitizer.DrawingPartReference(id: target)])
    }

    private static func sanitizeEmbeddedPicture(_ value: String) -> String? {
        guard let comma = value.firstIndex(of: ",") else { return nil }
        let heads = ["png", "jpeg", "jpg", "gif", "webp"].map { "data:image/\($0);base64" }
        let head = value[..<comma].lowercased()
        let bytes = value[comma...].utf8.dropFirst().filter { $0 > 0x20 }
        guard heads.contains(head), !bytes.isEmpty, bytes.allSatisfy(isBase64Byte) else { return nil }
        return head + "," + String(decoding: bytes, as: UTF8.self)
    }

    private static func isBase64Byte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == 0x2B || byte == 0x2F || byte == 0x3D
    }

    // MARK: Writing

    private func handleText(_ text: String) {
        guard skippedDepth == 0, let parent = openElements.last else { return }
        if parent.name == "style" {
            openStyleText += text
        } else if SVGAllowlist.elementsWithText.contains(parent.name) {
            writeText(characters: text)
        }
    }

    private func writeText(characters text: String) {
        guard !text.isEmpty else { return }
        closeStartTag()
        Self.escape(text, isAttribute: false, into: &sanitizedSVG)
    }

    private func closeStartTag() {
        guard !openElements.isEmpty, !openElements[openElements.count - 1].hasContent else { return }
        openElements[openElements.count - 1].hasContent = true
        sanitizedSVG.append(0x3E)
    }

    private static func escape(_ text: String, isAttribute: Bool, into out: inout [UInt8]) {
        for byte in text.utf8 {
            switch byte {
            case 0x26: out += Array("&amp;".utf8)
            case 0x3C: out += Array("&lt;".utf8)
            case 0x3E: out += Array("&gt;".utf8)
            case 0x22 where isAttribute: out += Array("&quot;".utf8)
            case 0x0D,
                0x09 where isAttribute, 0x0A where isAttribute:
                out += Array("&#\(byte);".utf8)
            default: out.append(byte)
            }
        }
    }

    private static func prefixAndLocalName(of name: String) -> (prefix: String, local: String) {
        guard let colon = name.firstIndex(of: ":") else { return ("", name) }
        return (String(name[..<colon]), String(name[name.index(after: colon)...]))
    }
}
