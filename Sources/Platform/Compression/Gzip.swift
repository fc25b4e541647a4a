import CZlib

/// Makes gzip data with zlib. Source: RFC 1952.
public enum Gzip {
    /// Compresses bytes into a complete gzip member. Cost: some milliseconds for 100 kB.
    public static func compress(_ bytes: [UInt8]) -> [UInt8] {
        Deflate.compress(bytes, windowBits: MAX_WBITS + 16, flush: Z_FINISH)
    }

    /// The header of a gzip member without name and time. Source: RFC 1952, section 2.3.1.
    public static let memberHeader: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]

    /// Compresses bytes into deflate blocks that end at a whole byte and refer to nothing outside themselves, so that
    /// other blocks may follow.
    public static func compressPart(_ bytes: [UInt8]) -> [UInt8] {
        bytes.isEmpty ? [] : Deflate.compress(bytes, windowBits: -MAX_WBITS, flush: Z_SYNC_FLUSH)
    }

    /// Returns the end of a gzip member that was made of parts: an empty last block, then checksum and length of all
    /// parts.
    /// - Complexity: O(parts), some 2 µs each.
    public static func trailer(of parts: some Sequence<PartChecksum>) -> [UInt8] {
        let all = parts.reduce(PartChecksum(of: [])) { $0.followed(by: $1) }
        return [3, 0] + all.trailerBytes
    }

    /// The checksum and length of some bytes. The checksums and lengths of two parts give those of the joined bytes,
    /// without reading the bytes again.
    public struct PartChecksum: Equatable, Sendable {
        private let crc: UInt32
        private let byteCount: Int

        public init(of bytes: [UInt8]) { self.init(crc: CRC32.checksum(bytes), count: bytes.count) }

        private init(crc: UInt32, count: Int) { (self.crc, self.byteCount) = (crc, count) }

        func followed(by next: PartChecksum) -> PartChecksum {
            let joined = crc32_combine(UInt(crc), UInt(next.crc), next.byteCount)
            return PartChecksum(crc: UInt32(truncatingIfNeeded: joined), count: byteCount + next.byteCount)
        }

        /// The checksum and length in the form that ends a gzip member.
        fileprivate var trailerBytes: [UInt8] {
            [crc, UInt32(truncatingIfNeeded: byteCount)].flatMap { value in
                stride(from: UInt32(0), to: 32, by: 8).map { UInt8(truncatingIfNeeded: value >> $0) }
            }
        }
    }
}
