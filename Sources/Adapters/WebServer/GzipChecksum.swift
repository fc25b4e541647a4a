import NIOCore

extension Gzip {
    static let head = ByteBuffer(bytes: headBytes)

    /// The end of a gzip member made of parts: an empty last block, then checksum and length of all of them.
    static func foot(of parts: [Checksum]) -> ByteBuffer {
        let all = parts.reduce(Checksum(of: [])) { $0.followed(by: $1) }
        return ByteBuffer(bytes: [3, 0] + all.foot)
    }

    /// Checksum and length of bytes, from which those of joined bytes follow without reading them again.
    ///
    /// Source: RFC 1952, section 8; zlib, `crc32_combine`.
    struct Checksum: Equatable, Sendable {
        private let crc: UInt32
        private let count: Int
        /// What as many zero bytes make of a checksum before them: a linear map, its columns.
        private let shift: [UInt32]

        init(of bytes: [UInt8]) {
            self.init(crc: Gzip.crc(bytes), count: bytes.count, shift: Self.shift(byBytes: bytes.count))
        }

        private init(crc: UInt32, count: Int, shift: [UInt32]) {
            (self.crc, self.count, self.shift) = (crc, count, shift)
        }

        func followed(by next: Checksum) -> Checksum {
            Checksum(
                crc: Self.map(crc, by: next.shift) ^ next.crc, count: count + next.count,
                shift: shift.map { Self.map($0, by: next.shift) })
        }

        /// Checksum and length as they end a gzip member.
        var foot: [UInt8] {
            [crc, UInt32(truncatingIfNeeded: count)].flatMap { value in
                stride(from: UInt32(0), to: 32, by: 8).map { UInt8(truncatingIfNeeded: value >> $0) }
            }
        }

        private static func map(_ value: UInt32, by columns: [UInt32]) -> UInt32 {
            var (value, sum, column) = (value, UInt32(0), 0)
            while value != 0 {
                if value & 1 == 1 { sum ^= columns[column] }
                value >>= 1
                column += 1
            }
            return sum
        }

        private static func shift(byBytes count: Int) -> [UInt32] {
            var whole = (0..<32).map { UInt32(1) << $0 }
            // One zero bit; doubled three times, one zero byte.
            var step: [UInt32] = [0xEDB8_8320] + (0..<31).map { UInt32(1) << $0 }
            for _ in 0..<3 { step = step.map { map($0, by: step) } }
            var left = count
            while left > 0 {
                if left & 1 == 1 { whole = whole.map { map($0, by: step) } }
                step = step.map { map($0, by: step) }
                left >>= 1
            }
            return whole
        }
    }
}
