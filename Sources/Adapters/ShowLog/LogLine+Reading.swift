import Compression

extension LogLine {
    /// Number, time and kind of a line, without its checksum being verified.
    struct Opening: Equatable {
        var sequence: UInt64
        var milliseconds: Int64
        var wall: String?
        var kind: Kind
        /// The position at which the payload starts.
        var payloadOffset: Int
    }

    /// Parses a line and verifies its checksum.
    /// - Returns: nil if the bytes are not a line as ``bytes`` writes it.
    public init?(bytes: some RandomAccessCollection<UInt8>) {
        guard bytes.count > Self.checkBytes, let opening = Self.opening(of: bytes),
            opening.payloadOffset <= bytes.count - Self.checkBytes
        else { return nil }
        let body = bytes.dropLast(Self.checkBytes)
        let ending = Self.beforeCheck + Self.hexadecimal(CRC32.check(body)) + Array("\"}".utf8)
        guard bytes.suffix(Self.checkBytes).elementsEqual(ending) else { return nil }
        self.init(
            sequence: opening.sequence, milliseconds: opening.milliseconds, wall: opening.wall,
            kind: opening.kind, payload: Array(body.dropFirst(opening.payloadOffset)))
    }

    static func opening(of bytes: some RandomAccessCollection<UInt8>) -> Opening? {
        var cursor = Cursor(bytes.prefix(Self.longestOpeningBytes))
        guard cursor.skip("{\"i\":"), let sequence = cursor.number(), sequence >= 0,
            cursor.skip(",\"t\":"), let milliseconds = cursor.number(), cursor.skip(",\"")
        else { return nil }
        var wall: String?
        if cursor.skip("w\":\"") {
            guard let text = cursor.text(), cursor.skip(",\"") else { return nil }
            wall = text
        }
        guard let name = cursor.text(), cursor.skip(":"), let kind = Kind(rawValue: name) else { return nil }
        return Opening(
            sequence: UInt64(sequence), milliseconds: milliseconds, wall: wall, kind: kind,
            payloadOffset: cursor.offset)
    }

    private static let longestOpeningBytes = 160

    private struct Cursor {
        private let bytes: [UInt8]
        private(set) var offset = 0

        init(_ bytes: some Collection<UInt8>) { self.bytes = Array(bytes) }

        mutating func skip(_ text: StaticString) -> Bool {
            let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
            guard bytes[offset...].starts(with: wanted) else { return false }
            offset += wanted.count
            return true
        }

        mutating func number() -> Int64? {
            let digits = bytes[offset...].prefix { $0 == 0x2D || (0x30...0x39).contains($0) }
            offset += digits.count
            return Int64(String(decoding: digits, as: UTF8.self))
        }

        /// Reads up to the next quotation mark and skips it; line openings contain no escapes.
        mutating func text() -> String? {
            guard let end = bytes[offset...].firstIndex(of: 0x22) else { return nil }
            defer { offset = end + 1 }
            return String(decoding: bytes[offset..<end], as: UTF8.self)
        }
    }
}
