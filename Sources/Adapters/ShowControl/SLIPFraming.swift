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

/// The reasons why a frame of a stream is dropped. Reading continues at the next END byte.
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

/// Reads frames from a stream that arrives in arbitrary pieces.
public struct SLIPReader: Sendable {
    public let maximumFrameBytes: Int
    private var currentFrame: [UInt8] = []
    private var isAfterEscape = false
    /// True after a fault, when bytes are ignored until the next END byte.
    private var isSkippingToEnd = false

    public init(maximumFrameBytes: Int = OSCLimits().packetBytes) {
        self.maximumFrameBytes = maximumFrameBytes
    }

    /// Reads the next bytes of the stream.
    /// - Returns: the frames that ended in these bytes, and the faults, in order. Empty frames are left out.
    public mutating func readFrames(in bytes: some Sequence<UInt8>) -> [Result<[UInt8], SLIPFault>] {
        var results: [Result<[UInt8], SLIPFault>] = []
        for byte in bytes {
            if byte == SLIPFraming.endByte {
                // An escape before END belongs to no frame.
                if isAfterEscape {
                    results.append(.failure(.badEscape(byte)))
                } else if !currentFrame.isEmpty {
                    results.append(.success(currentFrame))
                }
                startNewFrame(skipping: false)
            } else if isSkippingToEnd {
                continue
            } else if isAfterEscape {
                isAfterEscape = false
                switch byte {
                case SLIPFraming.escapedEnd: appendByte(SLIPFraming.endByte, to: &results)
                case SLIPFraming.escapedEscape: appendByte(SLIPFraming.escapeByte, to: &results)
                default:
                    results.append(.failure(.badEscape(byte)))
                    startNewFrame(skipping: true)
                }
            } else if byte == SLIPFraming.escapeByte {
                isAfterEscape = true
            } else {
                appendByte(byte, to: &results)
            }
        }
        return results
    }

    private mutating func appendByte(_ byte: UInt8, to results: inout [Result<[UInt8], SLIPFault>]) {
        guard currentFrame.count < maximumFrameBytes else {
            results.append(.failure(.frameTooLong(most: maximumFrameBytes)))
            startNewFrame(skipping: true)
            return
        }
        currentFrame.append(byte)
    }

    private mutating func startNewFrame(skipping: Bool) {
        currentFrame.removeAll(keepingCapacity: true)
        isAfterEscape = false
        isSkippingToEnd = skipping
    }
}
