import Platform

extension LogLine {
    /// The beginning of a log line: its number, time and kind. Its checksum has not been verified.
    struct Prefix: Equatable {
        var sequenceNumber: UInt64
        var milliseconds: Int64
        var timeOfDay: String?
        var kind: Kind
        /// The offset in bytes at which the line's payload starts.
        var payloadOffset: Int
    }

    /// Parses a log line and verifies its checksum.
    /// - Returns: nil if the bytes do not have the exact form that ``bytes`` writes.
    public init?(bytes: some RandomAccessCollection<UInt8>) {
        guard bytes.count > Self.checksumFieldBytes, let opening = Self.parsePrefix(of: bytes),
            opening.payloadOffset <= bytes.count - Self.checksumFieldBytes
        else { return nil }
        let body = bytes.dropLast(Self.checksumFieldBytes)
        let ending = Self.checksumFieldPrefix + Self.hexadecimal(CRC32.checksum(body)) + Array("\"}".utf8)
        guard bytes.suffix(Self.checksumFieldBytes).elementsEqual(ending) else { return nil }
        self.init(
            sequence: opening.sequenceNumber, milliseconds: opening.milliseconds, wall: opening.timeOfDay,
            kind: opening.kind, payload: Array(body.dropFirst(opening.payloadOffset)))
    }

    static func parsePrefix(of bytes: some RandomAccessCollection<UInt8>) -> Prefix? {
        var cursor = Cursor(bytes.prefix(Self.longestPrefixBytes))
        guard cursor.skipIfNext("{\"i\":"), let sequence = cursor.readNumber(), sequence >= 0,
            cursor.skipIfNext(",\"t\":"), let milliseconds = cursor.readNumber(), cursor.skipIfNext(",\"")
        else { return nil }
        var wall: String?
        if cursor.skipIfNext("w\":\"") {
            guard let text = cursor.readString(), cursor.skipIfNext(",\"") else { return nil }
            wall = text
        }
        guard let name = cursor.readString(), cursor.skipIfNext(":"), let kind = Kind(rawValue: name) else {
            return nil
        }
        return Prefix(
            sequenceNumber: UInt64(sequence), milliseconds: milliseconds, timeOfDay: wall, kind: kind,
            payloadOffset: cursor.offset)
    }

    private static let longestPrefixBytes = 160

    private struct Cursor {
        private let bytes: [UInt8]
        private(set) var offset = 0

        init(_ bytes: some Collection<UInt8>) { self.bytes = Array(bytes) }

        mutating func skipIfNext(_ text: StaticString) -> Bool {
            let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
            guard bytes[offset...].starts(with: wanted) else { return false }
            offset += wanted.count
            return true
        }

        mutating func readNumber() -> Int64? {
            let digits = bytes[offset...].prefix { $0 == 0x2D || (0x30...0x39).contains($0) }
            offset += digits.count
            return Int64(String(decoding: digits, as: UTF8.self))
        }

        /// Reads a string up to the next quotation mark and skips the mark. The beginning of a line contains no
        /// escapes.
        mutating func readString() -> String? {
            guard let end = bytes[offset...].firstIndex(of: 0x22) else { return nil }
            defer { offset = end + 1 }
            return String(decoding: bytes[offset..<end], as: UTF8.self)
        }
    }
}
