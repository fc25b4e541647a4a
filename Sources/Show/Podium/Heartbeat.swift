/// What two servers of one show tell each other, ten times a second.
public struct Heartbeat: Hashable, Sendable, Codable {
    public var server: ServerID
    public var role: ServerRole
    /// The highest term the server knows of; of a main its own.
    public var term: UInt32
    /// The last line of the show log it has.
    public var logSequence: UInt64
    /// Of programme, settings and version, for a warning where the two differ.
    public var digest: UInt64
    /// The count of the last packet it sent or knows of.
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

/// Names one of the two servers; of two equal reigns the lower name stands.
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

    /// By bytes, which every machine orders alike.
    public static func < (lhs: ServerID, rhs: ServerID) -> Bool {
        lhs.text.utf8.lexicographicallyPrecedes(rhs.text.utf8)
    }
}

/// What a server is at present.
public enum ServerRole: String, Hashable, Sendable, Codable, CaseIterable {
    /// There is no other: it reigns and listens to nobody.
    case alone
    /// It has just started and listens whether another reigns.
    case asking
    /// It reigns: its packets leave.
    case main
    /// It follows the main one and sends nothing.
    case backup
}
