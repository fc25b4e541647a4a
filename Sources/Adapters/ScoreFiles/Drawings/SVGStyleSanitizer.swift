import Basics

/// Reads the style properties of a drawing and writes clean ones.
enum SVGStyleSanitizer {
    /// A cleaned style property value, and the ids of the drawing's elements it refers to.
    struct SanitizedValue {
        var text: String
        var referencedIDs: [String] = []
    }

    /// A reference from a style property to an element of the drawing. If the element is a marker, it is drawn at
    /// every corner of the outline that has the property.
    struct DrawingPartReference: Hashable {
        var id: String
        var isMarker = false
    }

    /// Style properties with their values, as they are written into the clean drawing.
    struct Declarations {
        var text = ""
        var references: [DrawingPartReference] = []
    }

    /// A whole style element, with the references of its rules by selector: `#id`, `.class`, element or `*`.
    struct StyleSheet {
        var text = ""
        var references: [String: [DrawingPartReference]] = [:]
    }

    /// Parses a value; refuses escapes, comments and functions that load something.
    static func sanitizeValue(_ text: String) throws(ExplainedError) -> SanitizedValue {
        let bytes = Array(text.utf8)
        guard bytes.contains(where: { bytesNeedingCheck.contains($0) }) else {
            return SanitizedValue(text: text)
        }
        guard !bytes.contains(where: { refusedBytes.contains($0) }), text.firstRange(of: "/*") == nil else {
            throw SVGFault.forbiddenStyle(text)
        }
        var value = SanitizedValue(text: "")
        var out: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case quote, apostrophe:
                guard let end = bytes[(index + 1)...].firstIndex(of: byte) else {
                    throw SVGFault.forbiddenStyle(text)
                }
                out += bytes[index...end].map { $0 < 0x20 ? blank : $0 }
                index = end
            case open:
                let name = lastWord(of: out)
                guard name.isEmpty || SVGAllowlist.allowedStyleFunctions.contains(name) else {
                    throw SVGFault.forbiddenStyle(text)
                }
                if name == "url" {
                    guard let end = bytes[index...].firstIndex(of: close) else {
                        throw SVGFault.forbiddenStyle(text)
                    }
                    let inner = unquoted(String(decoding: bytes[(index + 1)..<end], as: UTF8.self))
                    guard let target = SVGAllowlist.referencedName(inner) else {
                        throw ExplainedError(
                            "“\(quotableExcerpt(inner))” leads out of the drawing; only its own parts "
                                + "are shown, as in “#name”.")
                    }
                    value.referencedIDs.append(target)
                    out.removeLast(3)
                    out += Array("url(#\(target))".utf8)
                    index = end
                } else {
                    out.append(byte)
                }
            // A colon in a value belongs to a URL outside the drawing; its own parts are named inside `url(…)`.
            case colon: throw SVGFault.forbiddenStyle(text)
            default: out.append(byte < 0x20 ? blank : byte)
            }
            index += 1
        }
        value.text = String(decoding: out, as: UTF8.self)
        return value
    }

    /// Parses declarations such as `fill: red; stroke: url(#a)`; leaves out properties that draw nothing.
    static func sanitizeDeclarations(_ text: String) throws(ExplainedError) -> Declarations {
        var found = Declarations()
        for part in splitAtSemicolons(of: text) {
            let sides = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2 else { continue }
            let name = trimmed(sides[0]).lowercased()
            guard SVGAllowlist.allowedStyleProperties.contains(name) else { continue }
            let value = try sanitizeValue(trimmed(sides[1]))
            found.references += value.referencedIDs.map {
                DrawingPartReference(id: $0, isMarker: name.hasPrefix("marker"))
            }
            found.text += (found.text.isEmpty ? "" : ";") + "\(name):\(value.text)"
        }
        return found
    }

    /// Parses a style sheet such as `.a, g.b { fill: red }`; refuses at-rules, which could load something.
    static func sanitizeStyleSheet(_ text: String) throws(ExplainedError) -> StyleSheet {
        var sheet = StyleSheet()
        var rest = try withoutComments(text)[...]
        if rest.utf8.contains(where: { $0 == backslash || $0 == 0x40 || $0 == 0x3C }) {
            throw SVGFault.forbiddenStyle(text)
        }
        while let start = rest.firstIndex(of: "{") {
            let selectors = trimmed(rest[..<start])
            guard let end = rest[start...].firstIndex(of: "}") else { throw SVGFault.forbiddenStyle(text) }
            guard !selectors.isEmpty, selectors.utf8.allSatisfy(isAllowedSelectorByte) else {
                throw SVGFault.forbiddenStyle(selectors)
            }
            let declared = try sanitizeDeclarations(String(rest[rest.index(after: start)..<end]))
            rest = rest[rest.index(after: end)...]
            guard !declared.text.isEmpty else { continue }
            sheet.text += "\(selectors){\(declared.text)}\n"
            guard !declared.references.isEmpty else { continue }
            for selector in selectors.split(separator: ",") {
                sheet.references[selectorLookupKey(of: selector), default: []] += declared.references
            }
        }
        guard trimmed(rest).isEmpty else { throw SVGFault.forbiddenStyle(String(rest)) }
        return sheet
    }

    // MARK: Steps

    private static let (quote, apostrophe, blank) = (UInt8(0x22), UInt8(0x27), UInt8(0x20))
    private static let (open, close, backslash) = (UInt8(0x28), UInt8(0x29), UInt8(0x5C))
    private static let colon = UInt8(0x3A)
    /// Backslash, braces, angle brackets, `@`: no value of a drawing needs them.
    private static let refusedBytes = Set("\\{}<>@".utf8)
    private static let bytesNeedingCheck = refusedBytes.union("(\"'/:".utf8)

    /// Returns the last word of the text, in lower case.
    private static func lastWord(of bytes: [UInt8]) -> String {
        let start =
            bytes.lastIndex { byte in
                !((0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == 0x2D || byte == 0x5F)
            }
            .map { $0 + 1 } ?? 0
        return String(decoding: bytes[start...], as: UTF8.self).lowercased()
    }

    private static func unquoted(_ text: String) -> String {
        let inner = trimmed(text[...])
        guard inner.utf8.count >= 2, let mark = inner.first, mark == "\"" || mark == "'", inner.last == mark
        else { return inner }
        return String(inner.dropFirst().dropLast())
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        let start = text.drop { $0.isWhitespace }
        return String(
            start[..<(start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)])
    }

    /// Splits at semicolons outside quotes and brackets.
    private static func splitAtSemicolons(of text: String) -> [Substring] {
        var parts: [Substring] = []
        var (start, mark, brackets) = (text.startIndex, Character?.none, 0)
        for index in text.indices {
            let character = text[index]
            if let open = mark {
                if character == open { mark = nil }
            } else if character == "\"" || character == "'" {
                mark = character
            } else if character == "(" {
                brackets += 1
            } else if character == ")" {
                brackets = max(brackets - 1, 0)
            } else if character == ";", brackets == 0 {
                parts.append(text[start..<index])
                start = text.index(after: index)
            }
        }
        return parts + [text[start...]]
    }

    private static func withoutComments(_ text: String) throws(ExplainedError) -> String {
        var (kept, rest) = ("", text[...])
        while let start = rest.firstRange(of: "/*") {
            guard let end = rest[start.upperBound...].firstRange(of: "*/") else {
                throw SVGFault.forbiddenStyle(text)
            }
            kept += rest[..<start.lowerBound] + " "
            rest = rest[end.upperBound...]
        }
        return kept + rest
    }

    /// True for characters of names, classes, ids, attributes and combinators; functions are not allowed.
    private static func isAllowedSelectorByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte >= 0x80 || " \t\r\n.,#*>+~:=[]^$|-_\"'".utf8.contains(byte)
    }

    /// The key by which elements are looked up for a selector. The elements found are all that the selector matches,
    /// and perhaps more.
    private static func selectorLookupKey(of selector: Substring) -> String {
        let last = selector.split { $0.isWhitespace || ">+~".contains($0) }.last ?? ""
        let compound = last.prefix { !":[".contains($0) }
        for mark: Character in ["#", "."] {
            if let start = compound.lastIndex(of: mark) {
                let name = compound[compound.index(after: start)...].prefix { !"#.".contains($0) }
                return "\(mark)\(name)"
            }
        }
        return compound.isEmpty ? "*" : String(compound)
    }
}
