/// Splits a stream into packets as OSC 1.1 requires: RFC 1055 with an END before and after each packet.
public enum SLIPFraming {
    static let end: UInt8 = 0xC0
    static let escape: UInt8 = 0xDB
    static let escapedEnd: UInt8 = 0xDC
    static let escapedEscape: UInt8 = 0xDD

    public static func frame(_ packet: [UInt8]) -> [UInt8] {
        var bytes = [end]
        bytes.reserveCapacity(packet.count + 8)
        for byte in packet {
            switch byte {
            case end: bytes += [escape, escapedEnd]
            case escape: bytes += [escape, escapedEscape]
            default: bytes.append(byte)
            }
        }
        bytes.append(end)
        return bytes
    }
}

/// The reasons why a frame of a stream is dropped. Reading continues at the next END byte.
public enum SLIPFault: Error, Hashable, Sendable {
    case tooLong(most: Int)
    case badEscape(UInt8)

    public var sentence: String {
        switch self {
        case .tooLong(let most): "A SLIP frame has more than \(most) bytes."
        case .badEscape(let byte):
            "Byte \(byte) follows a SLIP escape; only 220 and 221 may. Is the sender set to TCP with SLIP?"
        }
    }
}

/// Reads frames from a stream that arrives in arbitrary pieces.
public struct SLIPReader: Sendable {
    public let maximumFrameBytes: Int
    private var frame: [UInt8] = []
    private var isEscaped = false
    /// True after a fault, when bytes are ignored until the next END byte.
    private var isSkipping = false

    public init(maximumFrameBytes: Int = OSCLimits().packetBytes) {
        self.maximumFrameBytes = maximumFrameBytes
    }

    /// Reads the next bytes of the stream.
    /// - Returns: the frames that ended in these bytes, and the faults, in order. Empty frames are left out.
    public mutating func readFrames(in bytes: some Sequence<UInt8>) -> [Result<[UInt8], SLIPFault>] {
        var results: [Result<[UInt8], SLIPFault>] = []
        for byte in bytes {
            if byte == SLIPFraming.end {
                // An escape before END belongs to no frame.
                if isEscaped {
                    results.append(.failure(.badEscape(byte)))
                } else if !frame.isEmpty {
                    results.append(.success(frame))
                }
                startAnew(skipping: false)
            } else if isSkipping {
                continue
            } else if isEscaped {
                isEscaped = false
                switch byte {
                case SLIPFraming.escapedEnd: append(SLIPFraming.end, to: &results)
                case SLIPFraming.escapedEscape: append(SLIPFraming.escape, to: &results)
                default:
                    results.append(.failure(.badEscape(byte)))
                    startAnew(skipping: true)
                }
            } else if byte == SLIPFraming.escape {
                isEscaped = true
            } else {
                append(byte, to: &results)
            }
        }
        return results
    }

    private mutating func append(_ byte: UInt8, to results: inout [Result<[UInt8], SLIPFault>]) {
        guard frame.count < maximumFrameBytes else {
            results.append(.failure(.tooLong(most: maximumFrameBytes)))
            startAnew(skipping: true)
            return
        }
        frame.append(byte)
    }

    private mutating func startAnew(skipping: Bool) {
        frame.removeAll(keepingCapacity: true)
        isEscaped = false
        isSkipping = skipping
    }
}
