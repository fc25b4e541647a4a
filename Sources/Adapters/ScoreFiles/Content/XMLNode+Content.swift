import Platform

extension XMLNode {
    /// Parses a file of content within ``MeasureTimesLimits``.
    /// - Throws: ``MeasureTimesError`` for a file that is not XML with the expected root element.
    static func parseContent(
        _ bytes: [UInt8], root: String, path: String
    ) throws(MeasureTimesError) -> XMLNode {
        do throws(Platform.XMLFault) {
            return try parse(bytes, within: MeasureTimesLimits.xml, root: root)
        } catch {
            if case .tooLarge(let bytes) = error.reason { throw .tooLarge(path: path, limitBytes: bytes) }
            throw .invalidXML(path: path, line: error.line, fault: .unreadable(error.reason))
        }
    }

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
                    path: path, line: child.line, fault: .unknownElement(element: child.name, in: name))
            }
            guard isWords else { continue }
            guard seen.insert(child.name).inserted else {
                throw .invalidXML(
                    path: path, line: child.line,
                    fault: .duplicateElement(element: child.name, in: name))
            }
            if let inner = child.children.first {
                throw .invalidXML(
                    path: path, line: inner.line,
                    fault: .elementInsideText(element: inner.name, in: child.name))
            }
        }
        let stray = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard stray.isEmpty else {
            throw .invalidXML(path: path, line: line, fault: .strayText(stray, in: name))
        }
    }
}
