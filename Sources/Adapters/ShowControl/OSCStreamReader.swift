import Basics

/// The ways in which a TCP stream is divided into OSC packets.
public enum OSCStreamFraming: Hashable, Sendable {
    /// OSC 1.1: an END byte before and after each packet, see ``SLIPFraming``.
    case slip
    /// OSC 1.0: each packet after its length, a big-endian number of four bytes.
    case lengthPrefix

    public func makeFrame(_ packet: [UInt8]) -> [UInt8] {
        switch self {
        case .slip: SLIPFraming.makeFrame(packet)
        case .lengthPrefix: withUnsafeBytes(of: UInt32(packet.count).bigEndian) { Array($0) } + packet
        }
    }
}

/// Reads OSC packets from a TCP stream that arrives in arbitrary pieces. The first byte tells how the sender divides
/// it.
///
/// A packet begins with `/` or `#`, and has fewer than 2²⁴ bytes. So END, `/` and `#` begin a SLIP stream, and a zero
/// begins a length. A browser can send neither first: its requests begin with a method, its TLS with 22.
public struct OSCStreamReader: Sendable {
    public let maximumPacketBytes: Int
    /// Nil until the first byte has arrived, and if it begins no OSC stream.
    public private(set) var framing: OSCStreamFraming?
    private var slipReader: SLIPReader
    /// The bytes of the present packet with its length, of a stream with lengths.
    private var waitingBytes: [UInt8] = []
    /// True after a fault: nothing more is read.
    private var hasEnded = false

    private static let lengthBytes = 4

    public init(maximumPacketBytes: Int = OSCLimits().packetBytes) {
        self.maximumPacketBytes = maximumPacketBytes
        slipReader = SLIPReader(maximumFrameBytes: maximumPacketBytes)
    }

    /// Reads the next bytes of the stream.
    /// - Returns: the packets that ended in these bytes, in order; a fault is the last result of the stream.
    public mutating func readPackets(in bytes: some Sequence<UInt8>) -> [Result<[UInt8], ExplainedError>] {
        var results: [Result<[UInt8], ExplainedError>] = []
        for byte in bytes where !hasEnded {
            do throws(ExplainedError) {
                if let packet = try readByte(byte) { results.append(.success(packet)) }
            } catch {
                results.append(.failure(error))
                hasEnded = true
                waitingBytes = []
            }
        }
        return results
    }

    /// - Returns: the packet that ends with this byte; nil if none does.
    private mutating func readByte(_ byte: UInt8) throws(ExplainedError) -> [UInt8]? {
        if framing == nil { framing = try Self.framing(of: byte) }
        if framing == .lengthPrefix { return try readByteAfterLength(byte) }
        return try slipReader.readByte(byte)
    }

    private static func framing(of firstByte: UInt8) throws(ExplainedError) -> OSCStreamFraming {
        switch firstByte {
        case SLIPFraming.endByte, UInt8(ascii: "/"), UInt8(ascii: "#"): return .slip
        case 0: return .lengthPrefix
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): throw OSCFault.webRequest
        default:
            throw ExplainedError(
                "The connection begins with byte \(firstByte), which is neither SLIP nor a packet's length; set the "
                    + "sender to OSC 1.0 or 1.1 over TCP, without encryption.")
        }
    }

    private mutating func readByteAfterLength(_ byte: UInt8) throws(ExplainedError) -> [UInt8]? {
        waitingBytes.append(byte)
        guard waitingBytes.count >= Self.lengthBytes else { return nil }
        let length = waitingBytes.prefix(Self.lengthBytes).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard length > 0, length % 4 == 0, length <= maximumPacketBytes else {
            throw ExplainedError(
                "A packet announces \(length) bytes; the length of an OSC packet is a multiple of four, at most "
                    + "\(maximumPacketBytes).", code: OSCFault.tooLongCode)
        }
        guard waitingBytes.count == Self.lengthBytes + Int(length) else { return nil }
        defer { waitingBytes.removeAll(keepingCapacity: true) }
        return Array(waitingBytes.dropFirst(Self.lengthBytes))
    }
}
