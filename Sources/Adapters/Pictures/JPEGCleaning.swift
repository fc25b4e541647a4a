import Foundation

/// Goes through the segments of a JPEG file. Source: ITU-T T.81, annex B.
enum JPEGCleaning {
    static func clean(_ bytes: [UInt8]) -> CleanPicture? {
        guard bytes.count > 4, bytes.starts(with: [0xFF, 0xD8]) else { return nil }
        var picture = CleanPicture(bytes: [0xFF, 0xD8], width: 0, height: 0)
        picture.bytes.reserveCapacity(bytes.count)
        picture.isComplete = false
        var (at, afterHeading, hasScan) = (2, 2, false)
        while at + 1 < bytes.count {
            guard bytes[at] == 0xFF else { return nil }
            let marker = bytes[at + 1]
            // Fill bytes, and markers without a length.
            if marker == 0xFF || marker == 0x01 || (0xD0...0xD7).contains(marker) {
                at += marker == 0xFF ? 1 : 2
                continue
            }
            if marker == 0xD9 {
                picture.isComplete = true
                break
            }
            guard at + 4 <= bytes.count else { break }
            let end = at + 2 + bytes.bigEndian16(at + 2)
            guard end >= at + 4 else { return nil }
            guard end <= bytes.count else { break }
            if isFrame(marker), end >= at + 9 {
                (picture.height, picture.width) = (bytes.bigEndian16(at + 5), bytes.bigEndian16(at + 7))
            }
            if marker == 0xE1, bytes.holds("Exif\0\0", at: at + 4) {
                picture.orientation = ExifOrientation.read(bytes, from: at + 10, to: end)
            } else if marker == 0xE0, bytes.holds("JFIF\0", at: at + 4), end >= at + 18 {
                // Without its small copy of the picture.
                picture.bytes += [0xFF, 0xE0, 0, 16] + bytes[at + 4..<at + 16] + [0, 0]
                afterHeading = picture.bytes.count
            } else if isKept(marker, bytes, at + 4) {
                picture.bytes += bytes[at..<end]
            }
            at = end
            if marker == 0xDA {
                hasScan = true
                let next = endOfScan(bytes, from: at)
                picture.bytes += bytes[at..<next]
                at = next
            }
        }
        guard hasScan, picture.width > 0 else { return nil }
        picture.bytes += [0xFF, 0xD9]
        if picture.orientation != 1 {
            picture.bytes.insert(
                contentsOf: ExifOrientation.jpegSegment(picture.orientation), at: afterHeading)
        }
        return picture
    }

    /// The parts of a JPEG file that say something about its maker, for whoever overwrites them in their places.
    static func partsToBlank(_ bytes: [UInt8]) -> [Range<Int>] {
        var (parts, at): ([Range<Int>], Int) = ([], 2)
        while at + 4 <= bytes.count, bytes[at] == 0xFF {
            let marker = bytes[at + 1]
            if marker == 0xFF || marker == 0x01 || (0xD0...0xD7).contains(marker) {
                at += marker == 0xFF ? 1 : 2
                continue
            }
            let end = at + 2 + bytes.bigEndian16(at + 2)
            guard marker != 0xD9, end >= at + 4, end <= bytes.count else { break }
            if marker == 0xE0, bytes.holds("JFIF\0", at: at + 4), end >= at + 18 {
                parts.append(at + 16..<end)
            } else if !isKept(marker, bytes, at + 4) {
                parts.append(at + 4..<end)
            }
            at = marker == 0xDA ? endOfScan(bytes, from: end) : end
        }
        // What follows the picture, such as small copies.
        if at + 2 < bytes.count, bytes[at] == 0xFF, bytes[at + 1] == 0xD9 {
            parts.append(at + 2..<bytes.count)
        }
        return parts
    }

    private static func isFrame(_ marker: UInt8) -> Bool {
        (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
    }

    /// True for the segments without which the picture looks otherwise.
    private static func isKept(_ marker: UInt8, _ bytes: [UInt8], _ content: Int) -> Bool {
        switch marker {
        case 0xC0...0xCF, 0xDA...0xDF: true
        case 0xE2: bytes.holds("ICC_PROFILE\0", at: content)
        case 0xEE: bytes.holds("Adobe", at: content)
        default: false
        }
    }

    /// The place of the first marker after the data of a scan, or the end of the file.
    private static func endOfScan(_ bytes: [UInt8], from start: Int) -> Int {
        bytes.withUnsafeBytes { data in
            var at = start
            while at < data.count, let found = memchr(data.baseAddress! + at, 0xFF, data.count - at) {
                at = UnsafeRawPointer(found) - data.baseAddress!
                guard at + 1 < data.count else { return data.count }
                // FF 00 is a byte of the data; FF D0 to FF D7 divide it.
                if data[at + 1] != 0, !(0xD0...0xD7).contains(data[at + 1]) { return at }
                at += 2
            }
            return data.count
        }
    }
}
