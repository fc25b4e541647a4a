/// Counts packets of a stream that arrived or did not arrive.
public struct PacketTally: Hashable, Sendable, Codable {
    /// Number of measure packets, including late ones and duplicates.
    public internal(set) var measures: UInt64 = 0
    public internal(set) var messages: UInt64 = 0
    public internal(set) var malformed: UInt64 = 0
    public internal(set) var duplicates: UInt64 = 0
    public internal(set) var late: UInt64 = 0
    /// Number of packets that did not arrive, calculated from the counts in the packets that arrived.
    public internal(set) var lost: UInt64 = 0
    /// Number of times that the sender restarted its count.
    public internal(set) var restarts: UInt64 = 0
    /// Number of silences between measure packets that were longer than allowed.
    public internal(set) var longGaps: UInt64 = 0

    /// Number of all packets that arrived.
    public var arrivedPackets: UInt64 { measures + messages + malformed }
}
