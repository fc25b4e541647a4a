import Basics
import Score

/// The packet with the position of the music: `{piece name}; {measure} : {count}`.
///
/// It always fits one datagram, since the longest piece name, measure and count take 1,035 bytes.
public struct MeasurePacket: Hashable, Sendable {
    public let position: LivePosition
    /// Number of packets that the sender has sent, including messages and this packet.
    public let packetCount: UInt64

    public init(position: LivePosition, packetCount: UInt64) {
        self.position = position
        self.packetCount = packetCount
    }

    public var piece: PieceName { position.piece }
    public var measure: Int { position.measure }

    public var bytes: [UInt8] { Array("\(piece.text); \(measure) : \(packetCount)".utf8) }

    /// Reads a packet. The piece name ends at the last `; `, so it may contain the separators itself.
    /// - Throws: ``ExplainedError`` for any bytes that ``bytes`` would not have written.
    public init(bytes: [UInt8]) throws(ExplainedError) {
        guard bytes.count <= BroadcastPacket.longestBytes else {
            throw ExplainedError(
                "The packet has \(bytes.count) bytes; at most \(BroadcastPacket.longestBytes) are allowed.")
        }
        guard let nameEnd = PacketTextParsing.lastIndex(of: PacketTextParsing.semicolonBlank, in: bytes[...])
        else {
            throw ExplainedError("The packet has no '; ' between a piece name and a measure.")
        }
        let numbers = bytes[(nameEnd + PacketTextParsing.semicolonBlank.count)...]
        guard
            let measureEnd = PacketTextParsing.firstIndex(of: PacketTextParsing.blankColonBlank, in: numbers)
        else {
            throw ExplainedError("The packet has no ' : ' between a measure and a count.")
        }
        guard let measure = PacketTextParsing.parseNumber(numbers[..<measureEnd]).flatMap(Int.init(exactly:))
        else {
            throw ExplainedError("The packet's measure is not a plain decimal number.")
        }
        guard
            let count = PacketTextParsing.parseNumber(
                numbers[(measureEnd + PacketTextParsing.blankColonBlank.count)...])
        else {
            throw ExplainedError("The packet's count is not a plain decimal number.")
        }
        guard let name = String(validating: bytes[..<nameEnd], as: UTF8.self) else {
            throw ExplainedError("The packet is not UTF-8 text.")
        }
        let piece = try PieceName(name)
        self.init(position: try LivePosition(piece: piece, measure: measure), packetCount: count)
    }
}
