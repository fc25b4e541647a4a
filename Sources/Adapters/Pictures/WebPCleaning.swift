/// Goes through the chunks of a WebP file. Source: RFC 9649, section 2.
enum WebPCleaning {
    private static let kept: Set<String> = ["VP8X", "VP8 ", "VP8L", "ALPH", "ANIM", "ANMF", "ICCP"]

    static func clean(_ bytes: [UInt8]) -> CleanPicture? {
        guard bytes.count >= 20 else { return nil }
        var picture = CleanPicture(bytes: Array(bytes[..<12]), width: 0, height: 0)
        picture.bytes.reserveCapacity(bytes.count)
        let length = 8 + bytes.littleEndian32(4)
        picture.isComplete = length <= bytes.count
        var (at, hasPixels) = (12, false)
        while at + 8 <= min(length, bytes.count) {
            let (content, size) = (at + 8, bytes.littleEndian32(at + 4))
            guard content + size <= bytes.count else {
                picture.isComplete = false
                break
            }
            let type = String(decoding: bytes[at..<at + 4], as: UTF8.self)
            if kept.contains(type) {
                let start = picture.bytes.count
                picture.bytes += bytes[at..<content + size]
                if !size.isMultiple(of: 2) { picture.bytes.append(0) }
                // The flags no longer announce Exif and XMP.
                if type == "VP8X", size >= 10 { picture.bytes[start + 8] &= ~0x0C }
            }
            if let (width, height) = pixels(type, bytes, content, size), picture.width == 0 {
                (picture.width, picture.height) = (width, height)
            }
            if type == "EXIF" {
                let start = bytes.holds("Exif\0\0", at: content) ? content + 6 : content
                picture.orientation = ExifOrientation.read(bytes, from: start, to: content + size)
            }
            if ["VP8 ", "VP8L", "ANMF"].contains(type) { hasPixels = true }
            at = content + size + size % 2
        }
        let size = picture.bytes.count - 8
        for index in 0..<4 { picture.bytes[4 + index] = UInt8(truncatingIfNeeded: size >> (8 * index)) }
        return hasPixels ? picture : nil
    }

    /// The size of the picture that a chunk says; nil if it says none.
    private static func pixels(_ type: String, _ bytes: [UInt8], _ at: Int, _ size: Int) -> (Int, Int)? {
        switch type {
        case "VP8X" where size >= 10:
            return (
                1 + (bytes.littleEndian16(at + 4) | Int(bytes[at + 6]) << 16),
                1 + (bytes.littleEndian16(at + 7) | Int(bytes[at + 9]) << 16)
            )
        case "VP8 " where size >= 10:
            return (bytes.littleEndian16(at + 6) & 0x3FFF, bytes.littleEndian16(at + 8) & 0x3FFF)
        case "VP8L" where size >= 5:
            let bits = bytes.littleEndian32(at + 1)
            return (1 + bits & 0x3FFF, 1 + (bits >> 14) & 0x3FFF)
        default: return nil
        }
    }
}
