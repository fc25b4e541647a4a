import CZlib

/// Computes the checksum of gzip, ZIP and the lines of a show log. It detects damage by a disk or an editor, not
/// forgery.
/// - Source: IEEE 802.3, computed by zlib.
public enum CRC32 {
    /// Computes the checksum of bytes.
    /// - Parameter check: the checksum of all earlier bytes; 0 if there are none.
    public static func checksum(_ bytes: some Sequence<UInt8>, after check: UInt32 = 0) -> UInt32 {
        let whole = bytes.withContiguousStorageIfAvailable { self.checksum($0, after: check) }
        return whole ?? Array(bytes).withUnsafeBufferPointer { self.checksum($0, after: check) }
    }

    private static func checksum(_ bytes: UnsafeBufferPointer<UInt8>, after check: UInt32) -> UInt32 {
        // An empty buffer may have no address; zlib would then return its initial value instead of `checksum`.
        guard let start = bytes.baseAddress else { return check }
        return UInt32(truncatingIfNeeded: crc32_z(UInt(check), start, bytes.count))
    }
}
