/// Splits the bytes of a MIDI cable into whole messages, wherever they were cut.
///
/// Running status is written out. Real-time bytes may stand anywhere, also within a message, and are left out; so is a
/// message that another one breaks off, or that is longer than ``longestMessage``.
public struct MIDIStreamDecoder: Sendable {
    public static let longestMessage = 256

    /// The beginning of a message; empty between messages.
    private var begun: [UInt8] = []
    /// The status for data without one; nil after a message of the system.
    private var runningStatus: UInt8?

    public init() {}

    /// Takes the next byte.
    /// - Returns: the message that it completes, with its status and, of a system exclusive one, with its end.
    public mutating func append(_ byte: UInt8) -> [UInt8]? {
        switch byte {
        case 0xF8...: return nil
        case 0xF7:
            defer { begun = [] }
            return begun.first == 0xF0 ? begun + [byte] : nil
        case 0x80...:
            runningStatus = byte < 0xF0 ? byte : nil
            begun = Self.dataCount(of: byte) == 0 ? [] : [byte]
            return nil
        default:
            if begun.isEmpty {
                guard let runningStatus else { return nil }
                begun = [runningStatus]
            }
            begun.append(byte)
            if begun.count > Self.longestMessage { begun = [] }
            guard let status = begun.first, begun.count - 1 == Self.dataCount(of: status) else { return nil }
            defer { begun = [] }
            return begun
        }
    }

    /// The number of data bytes after a status; nil for a system exclusive message, which has an end instead.
    private static func dataCount(of status: UInt8) -> Int? {
        switch status {
        case 0xC0...0xDF, 0xF1, 0xF3: 1
        case 0x80...0xEF, 0xF2: 2
        case 0xF0: nil
        default: 0
        }
    }
}
