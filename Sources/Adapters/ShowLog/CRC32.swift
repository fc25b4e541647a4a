/// The checksum at the end of each line: detects changes by a disk or an editor, not forgeries.
/// - Source: IEEE 802.3, the reflected polynomial 0xEDB88320 (as in zlib).
enum CRC32 {
    static func check(_ bytes: some Collection<UInt8>) -> UInt32 {
        table.withUnsafeBufferPointer { table in
            let whole = bytes.withContiguousStorageIfAvailable { Self.folded($0, table) }
            return whole ?? Array(bytes).withUnsafeBufferPointer { Self.folded($0, table) }
        }
    }

    private static func folded(
        _ bytes: UnsafeBufferPointer<UInt8>, _ table: UnsafeBufferPointer<UInt32>
    ) -> UInt32 {
        var check: UInt32 = 0xFFFF_FFFF
        for byte in bytes { check = table[Int((check ^ UInt32(byte)) & 0xFF)] ^ (check >> 8) }
        return ~check
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in
            value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
        }
    }
}
