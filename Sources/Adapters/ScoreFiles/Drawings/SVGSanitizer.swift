import SafeXML

/// Reads an SVG drawing from an untrusted source and writes a clean one.
///
/// Nothing of the file's own markup is copied: elements, attributes, style properties and references are parsed,
/// compared with ``SVGAllowlist`` and written again. Data of drawing programs (metadata, elements and attributes of
/// foreign namespaces) is left out, because it draws nothing. A file is refused if any part of it could run code or
/// load something.
public enum SVGSanitizer {
    /// The largest accepted drawing, in bytes. The size is limited because every phone has to draw it.
    public static let maximumBytes = 2 << 20

    /// - Parameter name: the file's name for error messages.
    /// - Throws: ``SVGRefusal`` with the line and the reason.
    /// - Complexity: linear in the bytes.
    public static func sanitize(_ bytes: [UInt8], name: String) throws(SVGRefusal) -> [UInt8] {
        guard bytes.count <= maximumBytes else {
            throw SVGRefusal(
                sentence:
                    "The drawing “\(quotableExcerpt(name))” is larger than \(maximumBytes >> 20) MB; save it as a PNG."
            )
        }
        let path = "“\(quotableExcerpt(name))”"
        let reader = SVGSanitizingReader()
        let bounds = XMLBounds(
            bytes: maximumBytes, elements: SVGAllowlist.maximumElements, depth: SVGAllowlist.maximumDepth)
        do throws(XMLFault) {
            try XMLReader.read(bytes, within: bounds, reader.handle)
        } catch {
            throw SVGRefusal(sentence: "\(path), line \(error.line): \(error.reason.sentence)")
        }
        if let (line, fault) = reader.fault {
            throw SVGRefusal(sentence: "\(path), line \(line): \(fault.sentence)")
        }
        do throws(SVGFault) { try reader.drawingCost.refuseExcessiveCost() } catch {
            throw SVGRefusal(sentence: "\(path): \(error.sentence)")
        }
        return reader.sanitizedSVG
    }
}

/// The error message for a refused drawing: the file, the line, the reason and what to do about it.
public struct SVGRefusal: Error, Equatable, Sendable {
    public var sentence: String
}

/// The reasons why a drawing is refused.
enum SVGFault: Error, Equatable {
    case rootIsNotSVG(String)
    case forbiddenElement(String)
    case undeclaredPrefix(String)
    case elementInsideText(String, of: String)
    case eventHandlerAttribute(String)
    case invalidID(String)
    case externalReference(String)
    case pictureNotEmbedded(String)
    case forbiddenStyle(String)
    case tooManyDrawnShapes
    case circularReference(String)

    var sentence: String {
        switch self {
        case .rootIsNotSVG(let name):
            "the outermost element is <\(quotableExcerpt(name))> and not <svg>; give a drawing."
        case .forbiddenElement(let name):
            "<\(quotableExcerpt(name))> is not allowed; save it as a plain drawing without scripts, links, animation "
                + "and foreign content."
        case .undeclaredPrefix(let prefix):
            "the prefix “\(quotableExcerpt(prefix))” is not declared; save the drawing again."
        case .elementInsideText(let name, let parent):
            "<\(quotableExcerpt(name))> is in <\(quotableExcerpt(parent))>, which may hold text only; remove it."
        case .eventHandlerAttribute(let name):
            "“\(quotableExcerpt(name))” is not allowed; save the drawing without scripts."
        case .invalidID(let text):
            "“\(quotableExcerpt(text))” cannot name a part; use letters, digits, dot, hyphen and underscore."
        case .externalReference(let text):
            "“\(quotableExcerpt(text))” leads out of the drawing; only its own parts are shown, as in “#name”."
        case .pictureNotEmbedded(let text):
            "“\(quotableExcerpt(text))” is not a picture inside the drawing; embed a PNG, JPEG, GIF or WebP."
        case .forbiddenStyle(let text):
            "the style “\(quotableExcerpt(text))” is not allowed; use plain presentation attributes."
        case .tooManyDrawnShapes:
            "with everything it repeats it draws more than \(SVGAllowlist.maximumDrawnShapes) shapes; save it as a PNG."
        case .circularReference(let id):
            "the part “\(quotableExcerpt(id))” refers to itself, or through too many others; simplify it."
        }
    }
}
