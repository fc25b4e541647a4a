/// An element of a parsed XML file.
public final class XMLNode {
    public let name: String
    public let attributes: [String: String]
    /// The line at the end of the start tag.
    public let line: Int
    public fileprivate(set) var children: [XMLNode] = []
    /// The element's own text without that of its children; empty if it is blank.
    public fileprivate(set) var text = ""

    fileprivate init(_ name: String, _ attributes: [String: String], line: Int) {
        (self.name, self.attributes, self.line) = (name, attributes, line)
    }

    /// The first child of a name.
    public subscript(_ name: String) -> XMLNode? { children.first { $0.name == name } }

    public func all(_ name: String) -> some Sequence<XMLNode> { children.lazy.filter { $0.name == name } }

    /// Parses a file; the bound of the depth is also that of a recursion over the tree.
    /// - Parameter root: the name of the outermost element, if only one will do.
    /// - Returns: the outermost element.
    public static func parse(
        _ bytes: [UInt8], within bounds: XMLBounds, root expected: String? = nil
    ) throws(XMLFault) -> XMLNode {
        var root: XMLNode?
        var open: [XMLNode] = []
        try XMLReader.read(
            bytes, within: bounds,
            checking: { event, line throws(XMLFault) in
                switch event {
                case .start(let name, let attributes):
                    if let expected, root == nil, name != expected {
                        throw XMLFault(line: line, reason: .wrongRootElement(found: name, expected: expected))
                    }
                    let node = XMLNode(name, attributes, line: line)
                    open.last?.children.append(node)
                    if root == nil { root = node }
                    open.append(node)
                case .text(let text):
                    guard let node = open.last else { break }
                    node.text += text
                    if node.text.utf8.count > bounds.textBytes {
                        throw XMLFault(line: line, reason: .tooMuchText(bytes: bounds.textBytes))
                    }
                case .end:
                    guard let node = open.popLast() else { break }
                    if node.text.allSatisfy(\.isWhitespace) { node.text = "" }
                    if bounds.isLenient { node.text = trimmed(node.text) }
                }
                return true
            })
        guard let root else { throw XMLFault(line: 1, reason: .notWellFormed) }
        return root
    }

    private static func trimmed(_ text: String) -> String {
        let start = text.drop(while: \.isWhitespace)
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }
}
