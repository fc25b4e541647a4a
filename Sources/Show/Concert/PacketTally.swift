/// What was heard of a stream, and what was not.
public struct PacketTally: Hashable, Sendable, Codable {
    /// Measure packets, late ones and duplicates included.
    public internal(set) var measures: UInt64 = 0
    public internal(set) var messages: UInt64 = 0
    public internal(set) var malformed: UInt64 = 0
    public internal(set) var duplicates: UInt64 = 0
    public internal(set) var late: UInt64 = 0
    /// Packets that the counts speak of and that did not arrive.
    public internal(set) var lost: UInt64 = 0
    /// How often the sender began to count anew.
    public internal(set) var restarts: UInt64 = 0
    /// Silences between measure packets longer than allowed.
    public internal(set) var longGaps: UInt64 = 0

    /// Everything heard.
    public var heard: UInt64 { measures + messages + malformed }
}
