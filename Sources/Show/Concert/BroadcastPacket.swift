import Basics

/// The content of one datagram that is sent to the phones.
public enum BroadcastPacket: Hashable, Sendable {
    case measure(MeasurePacket)
    case message(PushMessage)

    /// Largest datagram in bytes, so that no network on the way has to split it.
    public static let longestBytes = 1_200

    public var bytes: [UInt8] {
        switch self {
        case .measure(let packet): packet.bytes
        case .message(let message): message.bytes
        }
    }

    /// Reads a packet from any bytes. Every accepted packet encodes to the same bytes again.
    /// - Throws: ``ExplainedError`` that says what is wrong with the bytes.
    /// - Complexity: linear in the number of bytes; more than ``longestBytes`` are refused unread.
    public init(bytes: [UInt8]) throws(ExplainedError) {
        if bytes.starts(with: PushMessage.prefix) {
            self = .message(try PushMessage(bytes: bytes))
        } else {
            self = .measure(try MeasurePacket(bytes: bytes))
        }
    }
}
