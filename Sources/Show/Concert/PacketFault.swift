import Explanations
import Score

/// Reasons why bytes are not a packet, or why a position cannot become a packet.
public enum PacketFault: Explained, Hashable, Sendable {
    case tooLong(bytes: Int)
    case notUTF8
    case noMeasure
    case noCount
    case measureNotANumber
    case countNotANumber
    case measureOutOfRange(Int)
    case invalidPieceName(PieceNameFault)
    case notAMessage
    case messageUnfinished
    case wrongFieldCount(found: Int)
    case unknownStyle
    case invalidMessage(PushMessageFault)

    public var sentence: String {
        switch self {
        case .tooLong(let bytes):
            "The packet has \(bytes) bytes; at most \(BroadcastPacket.longestBytes) are allowed."
        case .notUTF8: "The packet is not UTF-8 text."
        case .noMeasure: "The packet has no '; ' between a piece name and a measure."
        case .noCount: "The packet has no ' : ' between a measure and a count."
        case .measureNotANumber: "The packet's measure is not a plain decimal number."
        case .countNotANumber: "The packet's count is not a plain decimal number."
        case .measureOutOfRange(let measure):
            "Measure \(measure) cannot be sent; give one from 0 to \(LivePosition.sendableMeasureRange.upperBound)."
        case .invalidPieceName(let fault): fault.sentence
        case .notAMessage: "The packet does not start with 'PUSH|'."
        case .messageUnfinished: "The message packet does not end with '|'."
        case .wrongFieldCount(let found): "The message packet has \(found) fields; there must be 4."
        case .unknownStyle: "The message's style is neither BUTTON nor AUTO."
        case .invalidMessage(let fault): fault.sentence
        }
    }
}
