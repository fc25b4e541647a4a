/// Goes through the chunks of a PNG file. Source: W3C, Portable Network Graphics (third edition), section 11.
enum PNGCleaning {
    private static let kept: Set<String> = [
        "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "sBIT", "pHYs", "bKGD",
        "hIST",
        "cICP", "mDCV", "cLLI", "acTL", "fcTL", "fdAT",
    ]

    static func clean(_ bytes: [UInt8]) -> CleanPicture? {
        guard bytes.count >= 33, bytes.holds("IHDR", at: 12) else { return nil }
        var picture = CleanPicture(
            bytes: Array(bytes[..<8]), width: bytes.bigEndian32(16), height: bytes.bigEndian32(20))
        picture.bytes.reserveCapacity(bytes.count)
        picture.isComplete = false
        var (at, hasPixels) = (8, false)
        while at + 12 <= bytes.count {
            let end = at + 12 + bytes.bigEndian32(at)
            guard end <= bytes.count else { break }
            let type = String(decoding: bytes[at + 4..<at + 8], as: UTF8.self)
            if kept.contains(type) { picture.bytes += bytes[at..<end] }
            if type == "eXIf" { picture.orientation = ExifOrientation.read(bytes, from: at + 8, to: end - 4) }
            if type == "IDAT" { hasPixels = true }
            at = end
            if type == "IEND" {
                picture.isComplete = true
                break
            }
        }
        return hasPixels ? picture : nil
    }
}
