import CZlib

/// The checksum of gzip, ZIP and the lines of a show log: finds what a disk or an editor changed, not a forger.
/// - Source: IEEE 802.3, computed by zlib.
public enum CRC32 {
    /// - Parameter check: of the bytes before these; 0 where these are the first.
    public static func check(_ bytes: some Sequence<UInt8>, after check: UInt32 = 0) -> UInt32 {
        let whole = bytes.withContiguousStorageIfAvailable { self.check($0, after: check) }
        return whole ?? Array(bytes).withUnsafeBufferPointer { self.check($0, after: check) }
    }

    private static func check(_ bytes: UnsafeBufferPointer<UInt8>, after check: UInt32) -> UInt32 {
        // Without an address zlib would answer with the value to begin with.
        guard let start = bytes.baseAddress else { return check }
        return UInt32(truncatingIfNeeded: crc32_z(UInt(check), start, bytes.count))
    }
}
