/// Counts of the packets of a stream that arrived, and of those that did not.
public struct PacketTally: Hashable, Sendable, Codable {
    /// Measure packets, including late ones and duplicates.
    public internal(set) var measures: UInt64 = 0
    public internal(set) var messages: UInt64 = 0
    public internal(set) var malformed: UInt64 = 0
    public internal(set) var duplicates: UInt64 = 0
    public internal(set) var late: UInt64 = 0
    /// Packets that did not arrive, according to the counts of those that did.
    public internal(set) var lost: UInt64 = 0
    /// How often the sender restarted its count.
    public internal(set) var restarts: UInt64 = 0
    /// Number of silences between measure packets that were longer than allowed.
    public internal(set) var longGaps: UInt64 = 0

    /// The number of all packets that arrived.
    public var heard: UInt64 { measures + messages + malformed }
}
