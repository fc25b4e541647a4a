import CZlib

/// Gzip as zlib makes it. Source: RFC 1952.
public enum Gzip {
    /// Cost: some milliseconds for 100 kB.
    public static func zip(_ bytes: [UInt8]) -> [UInt8] {
        Deflate.pack(bytes, windowBits: MAX_WBITS + 16, flush: Z_FINISH)
    }

    /// RFC 1952, section 2.3.1: no name, no time.
    public static let head: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]

    /// Deflate blocks that others may follow, up to a whole byte; they refer to nothing outside themselves.
    public static func part(_ bytes: [UInt8]) -> [UInt8] {
        bytes.isEmpty ? [] : Deflate.pack(bytes, windowBits: -MAX_WBITS, flush: Z_SYNC_FLUSH)
    }

    /// The end of a gzip member made of parts: an empty last block, then checksum and length of all of them.
    /// - Complexity: O(parts), some 2 µs each.
    public static func foot(of parts: some Sequence<Checksum>) -> [UInt8] {
        let all = parts.reduce(Checksum(of: [])) { $0.followed(by: $1) }
        return [3, 0] + all.foot
    }

    /// Checksum and length of bytes, from which those of joined bytes follow without reading them again.
    public struct Checksum: Equatable, Sendable {
        private let crc: UInt32
        private let count: Int

        public init(of bytes: [UInt8]) { self.init(crc: CRC32.check(bytes), count: bytes.count) }

        private init(crc: UInt32, count: Int) { (self.crc, self.count) = (crc, count) }

        func followed(by next: Checksum) -> Checksum {
            let joined = crc32_combine(UInt(crc), UInt(next.crc), next.count)
            return Checksum(crc: UInt32(truncatingIfNeeded: joined), count: count + next.count)
        }

        /// Checksum and length as they end a gzip member.
        fileprivate var foot: [UInt8] {
            [crc, UInt32(truncatingIfNeeded: count)].flatMap { value in
                stride(from: UInt32(0), to: 32, by: 8).map { UInt8(truncatingIfNeeded: value >> $0) }
            }
        }
    }
}
