/// Splits a stream into packets as OSC 1.1 requires: RFC 1055 with an END before and after each packet.
public enum SLIPFraming {
    static let endByte: UInt8 = 0xC0
    static let escapeByte: UInt8 = 0xDB
    static let escapedEnd: UInt8 = 0xDC
    static let escapedEscape: UInt8 = 0xDD

    public static func makeFrame(_ packet: [UInt8]) -> [UInt8] {
        var bytes = [endByte]
        bytes.reserveCapacity(packet.count + 8)
        for byte in packet {
            switch byte {
            case endByte: bytes += [escapeByte, escapedEnd]
            case escapeByte: bytes += [escapeByte, escapedEscape]
            default: bytes.append(byte)
            }
        }
        bytes.append(endByte)
        return bytes
    }
}

/// The reasons why the rest of a SLIP stream cannot be read.
public enum SLIPFault: Error, Hashable, Sendable {
    case frameTooLong(most: Int)
    case badEscape(UInt8)

    public var sentence: String {
        switch self {
        case .frameTooLong(let most): "A SLIP frame has more than \(most) bytes."
        case .badEscape(let byte):
            "Byte \(byte) follows a SLIP escape; only 220 and 221 may. Is the sender set to TCP with SLIP?"
        }
    }
}

/// Reads frames from a stream, byte by byte.
struct SLIPReader: Sendable {
    let maximumFrameBytes: Int
    private var currentFrame: [UInt8] = []
    private var isAfterEscape = false

    init(maximumFrameBytes: Int) { self.maximumFrameBytes = maximumFrameBytes }

    /// - Returns: the frame that ends with this byte; nil if none does. Empty frames are left out.
    /// - Throws: ``SLIPFault``; nothing can be read after it.
    mutating func readByte(_ byte: UInt8) throws(SLIPFault) -> [UInt8]? {
        if isAfterEscape {
            isAfterEscape = false
            switch byte {
            case SLIPFraming.escapedEnd: try appendByte(SLIPFraming.endByte)
            case SLIPFraming.escapedEscape: try appendByte(SLIPFraming.escapeByte)
            default: throw .badEscape(byte)
            }
        } else if byte == SLIPFraming.endByte {
            defer { currentFrame.removeAll(keepingCapacity: true) }
            return currentFrame.isEmpty ? nil : currentFrame
        } else if byte == SLIPFraming.escapeByte {
            isAfterEscape = true
        } else {
            try appendByte(byte)
        }
        return nil
    }

    private mutating func appendByte(_ byte: UInt8) throws(SLIPFault) {
        guard currentFrame.count < maximumFrameBytes else { throw .frameTooLong(most: maximumFrameBytes) }
        currentFrame.append(byte)
    }
}
