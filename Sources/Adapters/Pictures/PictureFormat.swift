/// A kind of picture made of pixels, recognised by its first bytes.
public enum PictureFormat: String, CaseIterable, Sendable {
    case jpeg, png, webp, gif
    /// HEIF with HEVC, as telephones photograph.
    case heic
    case avif, tiff

    /// - Parameter head: the first 64 bytes of the file, or more.
    public init?(head: [UInt8]) {
        func has(_ bytes: [UInt8], at offset: Int = 0) -> Bool {
            head.count >= offset + bytes.count && head[offset..<offset + bytes.count].elementsEqual(bytes)
        }
        if has([0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if has(Array("RIFF".utf8)) && has(Array("WEBP".utf8), at: 8) {
            self = .webp
        } else if has(Array("GIF87a".utf8)) || has(Array("GIF89a".utf8)) {
            self = .gif
        } else if has([0x49, 0x49, 0x2A, 0]) || has([0x4D, 0x4D, 0, 0x2A]) {
            self = .tiff
        } else if has(Array("ftyp".utf8), at: 4), let format = Self.formatOfBrands(head) {
            self = format
        } else {
            return nil
        }
    }

    /// The first box of an ISO file names the kinds of files that it can be read as, four letters each.
    private static func formatOfBrands(_ head: [UInt8]) -> PictureFormat? {
        let end = min(head.count, max(16, Int(head[2]) << 8 | Int(head[3])))
        var brands: Set<String> = []
        for at in stride(from: 8, to: end - 3, by: 4) where at != 12 {
            brands.insert(String(decoding: head[at..<at + 4], as: UTF8.self))
        }
        if !brands.isDisjoint(with: ["avif", "avis"]) { return .avif }
        return brands.isDisjoint(with: ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"])
            ? nil : .heic
    }

    /// True if every browser shows this format.
    public var isForBrowsers: Bool {
        switch self {
        case .jpeg, .png, .webp, .gif: true
        case .heic, .avif, .tiff: false
        }
    }
}
