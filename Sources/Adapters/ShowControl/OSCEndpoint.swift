import Basics

/// A host and a port, written "host:port"; an IPv6 address is in brackets.
public struct OSCEndpoint: Hashable, Sendable, CustomStringConvertible {
    /// The default port. It differs from the default ports of show programs (QLab 53000, Companion 12321, Ontime
    /// 8888, Linux Show Player 9000, QLC+ 7700, Eos 8000 and 3032, SuperCollider 57120), so all of them can run on
    /// one machine.
    public static let standardPort = 9_120

    /// The default endpoint, which only this machine can reach.
    public static let defaultLoopbackEndpoint = OSCEndpoint(host: "127.0.0.1", port: standardPort)

    public let host: String
    public let port: Int

    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// - Throws: ``ExplainedError`` or ``ExplainedError``.
    public init(_ text: String) throws(ExplainedError) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]) else {
            throw ShowControlError.notHostAndPort(text)
        }
        guard (1...65_535).contains(port) else {
            throw ExplainedError("Port \(port) does not exist; give one from 1 to 65535.")
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            throw ShowControlError.notHostAndPort(text)
        }
        guard !host.isEmpty, !host.contains(where: \.isWhitespace) else {
            throw ShowControlError.notHostAndPort(text)
        }
        self.init(host: String(host), port: port)
    }

    /// True if only this machine can reach the endpoint.
    public var isLoopback: Bool {
        let name = host.lowercased()
        if name == "localhost" || name == "::1" { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
