/// The beginning of a FLAC file: the format of its sound, its promised length, and where its frames begin.
///
/// Source: RFC 9639, section 8.
public struct FLACStreamHeader: Equatable, Sendable {
    /// Samples a second.
    public var hertz: Int
    public var channelCount: Int
    public var bitsPerSample: Int
    /// The number of frames of sound in each FLAC frame but the last.
    public var blockFrameCount: Int
    /// The number of frames of sound that the header promises; 0 if it does not say.
    public var frameCount: Int
    /// The offset in bytes of the first FLAC frame.
    var firstFrameOffset: Int

    public var seconds: Double { hertz > 0 ? Double(frameCount) / Double(hertz) : 0 }

    /// The number of bytes that always suffice to find ``hertz`` to ``frameCount``.
    static let leadingByteCount = 42
    /// The offset in the file of the eight bytes that end with the number of frames.
    static let lengthFieldOffset = 18

    /// Reads the header of a file.
    /// - Parameter bytes: the beginning of the file.
    /// - Returns: nil if the file is not FLAC, or if the bytes end within the header.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.leadingByteCount, bytes.starts(with: Array("fLaC".utf8)),
            bytes[4] & 0x7F == 0, Self.number(bytes, 5, 3) == 34
        else { return nil }
        blockFrameCount = Self.number(bytes, 8, 2)
        let packed = Self.number(bytes, Self.lengthFieldOffset, 8)
        hertz = packed >> 44 & 0xF_FFFF
        channelCount = (packed >> 41 & 7) + 1
        bitsPerSample = (packed >> 36 & 31) + 1
        frameCount = packed & 0xF_FFFF_FFFF
        guard hertz > 0, blockFrameCount >= 16 else { return nil }
        var offset = 4
        while true {
            guard offset + 4 <= bytes.count else { return nil }
            let isLast = bytes[offset] & 0x80 != 0
            offset += 4 + Self.number(bytes, offset + 1, 3)
            if isLast { break }
        }
        firstFrameOffset = offset
    }

    /// The eight bytes at ``lengthFieldOffset``.
    var lengthField: [UInt8] {
        let packed = hertz << 44 | (channelCount - 1) << 41 | (bitsPerSample - 1) << 36 | frameCount
        return (0..<8).map { UInt8(truncatingIfNeeded: packed >> (56 - 8 * $0)) }
    }

    /// Reads a number of several bytes, the highest first.
    private static func number(_ bytes: UnsafeRawBufferPointer, _ offset: Int, _ count: Int) -> Int {
        bytes[offset..<(offset + count)].reduce(0) { $0 << 8 | Int($1) }
    }
}
