import CZlib

/// Makes gzip data with zlib. Source: RFC 1952.
public enum Gzip {
    /// Compresses bytes into a complete gzip member. Cost: some milliseconds for 100 kB.
    public static func zip(_ bytes: [UInt8]) -> [UInt8] {
        Deflate.pack(bytes, windowBits: MAX_WBITS + 16, flush: Z_FINISH)
    }

    /// The header of a gzip member without name and time. Source: RFC 1952, section 2.3.1.
    public static let head: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]

    /// Compresses bytes into deflate blocks that end at a whole byte and refer to nothing outside themselves, so that
    /// other blocks may follow.
    public static func compressPart(_ bytes: [UInt8]) -> [UInt8] {
        bytes.isEmpty ? [] : Deflate.pack(bytes, windowBits: -MAX_WBITS, flush: Z_SYNC_FLUSH)
    }

    /// Returns the end of a gzip member that was made of parts: an empty last block, then checksum and length of all
    /// parts.
    /// - Complexity: O(parts), some 2 µs each.
    public static func trailer(of parts: some Sequence<Checksum>) -> [UInt8] {
        let all = parts.reduce(Checksum(of: [])) { $0.followed(by: $1) }
        return [3, 0] + all.trailer
    }

    /// The checksum and length of some bytes. From those of two parts follow those of the joined bytes, without reading
    /// the bytes again.
    public struct Checksum: Equatable, Sendable {
        private let crc: UInt32
        private let count: Int

        public init(of bytes: [UInt8]) { self.init(crc: CRC32.checksum(bytes), count: bytes.count) }

        private init(crc: UInt32, count: Int) { (self.crc, self.count) = (crc, count) }

        func followed(by next: Checksum) -> Checksum {
            let joined = crc32_combine(UInt(crc), UInt(next.crc), next.count)
            return Checksum(crc: UInt32(truncatingIfNeeded: joined), count: count + next.count)
        }

        /// The checksum and length in the form that ends a gzip member.
        fileprivate var trailer: [UInt8] {
            [crc, UInt32(truncatingIfNeeded: count)].flatMap { value in
                stride(from: UInt32(0), to: 32, by: 8).map { UInt8(truncatingIfNeeded: value >> $0) }
            }
        }
    }
}
