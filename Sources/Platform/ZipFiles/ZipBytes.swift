/// The constants of the ZIP format, and its little-endian numbers. Source: PKWARE APPNOTE 6.3, section 4.4.
enum ZipBytes {
    static let localHeaderSignature: UInt32 = 0x0403_4B50
    static let centralHeaderSignature: UInt32 = 0x0201_4B50
    static let endRecordSignature: UInt32 = 0x0605_4B50
    static let localHeaderBytes = 30
    static let centralHeaderBytes = 46
    static let endRecordBytes = 22
    /// The maximum length in bytes of the comment after the end record.
    static let longestComment = 65_535
    /// Two bits of an entry's general purpose flags: the entry is encrypted, and its name is UTF-8.
    static let encryptedFlag: UInt16 = 1
    static let utf8NameFlag: UInt16 = 1 << 11

    static func readUInt16(_ bytes: [UInt8], _ at: Int) -> UInt16 {
        UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8
    }

    static func readUInt32(_ bytes: [UInt8], _ at: Int) -> UInt32 {
        UInt32(readUInt16(bytes, at)) | UInt32(readUInt16(bytes, at + 2)) << 16
    }

    static func appendLittleEndian(_ number: UInt16, to bytes: inout [UInt8]) {
        bytes += [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
    }

    static func appendLittleEndian(_ number: UInt32, to bytes: inout [UInt8]) {
        appendLittleEndian(UInt16(truncatingIfNeeded: number), to: &bytes)
        appendLittleEndian(UInt16(truncatingIfNeeded: number >> 16), to: &bytes)
    }
}
