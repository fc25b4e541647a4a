import Basics

/// The origin of a web page: scheme, host, and the port if it is not the scheme's default.
public struct WebOrigin: Hashable, Sendable, CustomStringConvertible {
    /// The origin as browsers send it: in lower case, without the default port.
    public let description: String

    /// Parses `https://baton.example.org` or `http://192.168.1.9:8000`; one slash at the end is ignored.
    /// - Throws: ``ExplainedError`` for anything else, especially an address with a path.
    public init(_ text: String) throws(ExplainedError) {
        let lower = text.lowercased()
        let schemes = [("https://", "443"), ("http://", "80")]
        guard let (scheme, standardPort) = schemes.first(where: { lower.hasPrefix($0.0) }) else {
            throw WebError.badOrigin(text)
        }
        var rest = lower.dropFirst(scheme.count)
        if rest.last == "/" { rest.removeLast() }
        let (host, port) = try Self.splitHostAndPort(rest, of: text)
        if let port {
            guard let number = Int(port), (1...65_535).contains(number), port.utf8.allSatisfy(Self.isDigit)
            else { throw WebError.badOrigin(text) }
        }
        description = scheme + host + (port.flatMap { $0 == standardPort ? nil : ":" + $0 } ?? "")
    }

    /// The origin without its scheme.
    var hostAndPort: String { description.split(separator: "/").last.map(String.init) ?? "" }

    private static func splitHostAndPort(
        _ rest: Substring, of text: String
    ) throws(ExplainedError) -> (host: Substring, port: Substring?) {
        let isNumeric = rest.first == "["
        let hostEnd =
            isNumeric
            ? rest.firstIndex(of: "]").map { rest.index(after: $0) }
            : rest.firstIndex(of: ":") ?? rest.endIndex
        guard let hostEnd else { throw WebError.badOrigin(text) }
        let (host, behind) = (rest[..<hostEnd], rest[hostEnd...])
        let isHost =
            isNumeric
            ? host.count > 2 && host.dropFirst().dropLast().utf8.allSatisfy { $0 == 0x3A || isHex($0) }
            : !host.isEmpty
                && host.utf8.allSatisfy { isDigit($0) || isLetter($0) || $0 == 0x2D || $0 == 0x2E }
        guard isHost, behind.isEmpty || behind.first == ":" else { throw WebError.badOrigin(text) }
        return (host, behind.isEmpty ? nil : behind.dropFirst())
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
    private static func isHex(_ byte: UInt8) -> Bool { isDigit(byte) || (0x61...0x66).contains(byte) }
}
