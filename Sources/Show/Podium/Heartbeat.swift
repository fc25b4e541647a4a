/// The message that two servers of a show send each other ten times per second.
public struct Heartbeat: Hashable, Sendable, Codable {
    public var server: ServerID
    public var role: ServerRole
    /// The highest term that the server knows; on a main server, its own term.
    public var term: UInt32
    /// The sequence number of the newest line in the server's show log.
    public var logSequence: UInt64
    /// The hash of programme, settings and version, for a warning if the two servers differ.
    public var digest: UInt64
    /// The count of the last packet that the server has sent or knows about.
    public var packetCount: UInt64

    public init(
        server: ServerID, role: ServerRole, term: UInt32, logSequence: UInt64 = 0, digest: UInt64 = 0,
        packetCount: UInt64 = 0
    ) {
        self.server = server
        self.role = role
        self.term = term
        self.logSequence = logSequence
        self.digest = digest
        self.packetCount = packetCount
    }
}

/// The name of one of the two servers; if both lead in the same term, the lower name keeps the lead.
public struct ServerID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    public var text: String

    public init(_ text: String) { self.text = text }

    public init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    public var description: String { text }

    /// Compares the names byte by byte, which gives the same order on every machine.
    public static func < (lhs: ServerID, rhs: ServerID) -> Bool {
        lhs.text.utf8.lexicographicallyPrecedes(rhs.text.utf8)
    }
}

/// The present role of a server.
public enum ServerRole: String, Hashable, Sendable, Codable, CaseIterable {
    /// There is no other server; this one leads and listens to nobody.
    case alone
    /// The server has just started and listens for another leading server.
    case asking
    /// The server leads: it sends the packets.
    case main
    /// The server follows the main server and sends nothing.
    case backup
}
