import Basics
import Platform

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
    /// - Throws: ``ExplainedError`` with the line and the reason.
    /// - Complexity: linear in the bytes.
    public static func sanitize(_ bytes: [UInt8], name: String) throws(ExplainedError) -> [UInt8] {
        guard bytes.count <= maximumBytes else {
            throw ExplainedError(
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
            throw ExplainedError("\(path), line \(error.line): \(error.reason.sentence)")
        }
        if let (line, fault) = reader.fault {
            throw ExplainedError("\(path), line \(line): \(fault.sentence)")
        }
        do throws(ExplainedError) { try reader.drawingCost.refuseExcessiveCost() } catch {
            throw ExplainedError("\(path): \(error.sentence)")
        }
        return reader.sanitizedSVG
    }
}

/// The reasons why a drawing is refused.
enum SVGFault {
    static func forbiddenStyle(_ text: String) -> ExplainedError {
        ExplainedError(
            "the style “\(quotableExcerpt(text))” is not allowed; use plain presentation attributes.")
    }
}
