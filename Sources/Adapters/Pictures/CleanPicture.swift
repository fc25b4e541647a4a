/// A picture without what its maker's camera or program has written into the file beside the pixels: place, time,
/// camera, names, comments, small copies, and whatever follows the picture's end. The pixels stay bit for bit, and so do
/// colour profile, transparency and animation.
public struct CleanPicture: Equatable, Sendable {
    public internal(set) var bytes: [UInt8]
    /// Pixels, as they are stored.
    public internal(set) var width: Int
    public internal(set) var height: Int
    /// The turn with which a viewer shows the picture, 1…8 as in Exif; 1 is upright. In a JPEG it is still said.
    public internal(set) var orientation = 1
    /// False if the file ends before the picture does.
    public internal(set) var isComplete = true

    /// - Returns: nil if the file is damaged, or of a format that is not shown as it is.
    /// - Cost: one pass over the bytes.
    public init?(_ bytes: [UInt8], _ format: PictureFormat) {
        let clean =
            switch format {
            case .jpeg: JPEGCleaning.clean(bytes)
            case .png: PNGCleaning.clean(bytes)
            case .webp: WebPCleaning.clean(bytes)
            case .gif: GIFCleaning.clean(bytes)
            case .heic, .avif, .tiff: nil as CleanPicture?
            }
        guard let clean, clean.width > 0, clean.height > 0 else { return nil }
        self = clean
    }

    init(bytes: [UInt8], width: Int, height: Int) {
        (self.bytes, self.width, self.height) = (bytes, width, height)
    }
}

extension [UInt8] {
    func bigEndian16(_ at: Int) -> Int { Int(self[at]) << 8 | Int(self[at + 1]) }

    func bigEndian32(_ at: Int) -> Int { bigEndian16(at) << 16 | bigEndian16(at + 2) }

    func littleEndian16(_ at: Int) -> Int { Int(self[at]) | Int(self[at + 1]) << 8 }

    func littleEndian32(_ at: Int) -> Int { littleEndian16(at) | littleEndian16(at + 2) << 16 }

    /// True if this text stands at a place.
    func holds(_ text: String, at place: Int) -> Bool {
        place + text.utf8.count <= count && self[place..<place + text.utf8.count].elementsEqual(text.utf8)
    }
}

/// The turn of a picture in Exif data.
enum ExifOrientation {
    private static let tag = 0x0112

    /// Reads the turn from a block of Exif data, which has the structure of a TIFF file.
    /// - Parameter start: where the block begins in `bytes`.
    /// - Returns: 1…8; 1 if the block says nothing about it.
    static func read(_ bytes: [UInt8], from start: Int, to end: Int) -> Int {
        guard end <= bytes.count, start + 8 <= end else { return 1 }
        let isLittle = bytes.holds("II", at: start)
        guard isLittle || bytes.holds("MM", at: start) else { return 1 }
        func short(_ at: Int) -> Int { isLittle ? bytes.littleEndian16(at) : bytes.bigEndian16(at) }
        let first = start + (isLittle ? bytes.littleEndian32(start + 4) : bytes.bigEndian32(start + 4))
        guard first >= start, first + 2 <= end else { return 1 }
        for entry in 0..<short(first) {
            let at = first + 2 + entry * 12
            guard at + 12 <= end else { return 1 }
            if short(at) == tag { return (1...8).contains(short(at + 8)) ? short(at + 8) : 1 }
        }
        return 1
    }

    /// A segment of a JPEG that says nothing but the turn.
    static func jpegSegment(_ orientation: Int) -> [UInt8] {
        let heading: [UInt8] = [0xFF, 0xE1, 0, 34] + Array("Exif\0\0MM".utf8)
        // One entry, the turn as a 16-bit number, and no further block.
        let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0]
        return heading + [0, 0x2A, 0, 0, 0, 8, 0, 1] + entry + [0, 0, 0, 0]
    }
}
