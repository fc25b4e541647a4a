/// Goes through the blocks of a GIF file. Source: CompuServe, Graphics Interchange Format, version 89a.
enum GIFCleaning {
    static func clean(_ bytes: [UInt8]) -> CleanPicture? {
        guard bytes.count > 14 else { return nil }
        var at = 13 + colourTableBytes(bytes[10])
        guard at < bytes.count else { return nil }
        var picture = CleanPicture(
            bytes: Array(bytes[..<at]), width: bytes.littleEndian16(6), height: bytes.littleEndian16(8))
        picture.isComplete = false
        var hasPixels = false
        while at < bytes.count {
            switch bytes[at] {
            case 0x21:
                guard at + 2 < bytes.count, let end = endOfSubBlocks(bytes, from: at + 2) else {
                    at = bytes.count
                    continue
                }
                if isKept(bytes, at) { picture.bytes += bytes[at..<end] }
                at = end
            case 0x2C:
                let table = at + 10 <= bytes.count ? colourTableBytes(bytes[at + 9]) : 0
                guard let end = endOfSubBlocks(bytes, from: at + 11 + table) else {
                    at = bytes.count
                    continue
                }
                picture.bytes += bytes[at..<end]
                hasPixels = true
                at = end
            case 0x3B:
                picture.isComplete = true
                at = bytes.count
            default: return nil
            }
        }
        picture.bytes.append(0x3B)
        return hasPixels ? picture : nil
    }

    private static func colourTableBytes(_ flags: UInt8) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
    }

    /// True for the extensions that belong to what is seen: how long a frame stands, and how often they are repeated.
    private static func isKept(_ bytes: [UInt8], _ at: Int) -> Bool {
        switch bytes[at + 1] {
        case 0xF9: true
        case 0xFF: bytes.holds("NETSCAPE2.0", at: at + 3) || bytes.holds("ANIMEXTS1.0", at: at + 3)
        default: false
        }
    }

    /// Follows the sub-blocks, each with its length in front; the last one has the length 0.
    private static func endOfSubBlocks(_ bytes: [UInt8], from start: Int) -> Int? {
        var at = start
        while at < bytes.count {
            let length = Int(bytes[at])
            at += 1 + length
            if length == 0 { return at }
        }
        return nil
    }
}
