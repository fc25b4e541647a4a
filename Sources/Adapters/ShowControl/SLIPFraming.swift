import Basics

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

/// Reads frames from a stream, byte by byte.
struct SLIPReader: Sendable {
    let maximumFrameBytes: Int
    private var currentFrame: [UInt8] = []
    private var isAfterEscape = false

    init(maximumFrameBytes: Int) { self.maximumFrameBytes = maximumFrameBytes }

    /// - Returns: the frame that ends with this byte; nil if none does. Empty frames are left out.
    /// - Throws: ``ExplainedError``; nothing can be read after it.
    mutating func readByte(_ byte: UInt8) throws(ExplainedError) -> [UInt8]? {
        if isAfterEscape {
            isAfterEscape = false
            switch byte {
            case SLIPFraming.escapedEnd: try appendByte(SLIPFraming.endByte)
            case SLIPFraming.escapedEscape: try appendByte(SLIPFraming.escapeByte)
            default:
                throw ExplainedError(
                    "Byte \(byte) follows a SLIP escape; only 220 and 221 may. Is the sender set to TCP "
                        + "with SLIP?")
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

    private mutating func appendByte(_ byte: UInt8) throws(ExplainedError) {
        guard currentFrame.count < maximumFrameBytes else {
            throw ExplainedError(
                "A SLIP frame has more than \(maximumFrameBytes) bytes.", code: OSCFault.tooLongCode)
        }
        currentFrame.append(byte)
    }
}
