/// The size of a page's picture; a stand asks for the first that is at least as high as its screen.
public enum PageImageSize: String, CaseIterable, Sendable, Codable {
    case thumbnail, small, medium, large

    public var heightPixels: Int {
        switch self {
        case .thumbnail: 160
        case .small: 1_200
        case .medium: 1_800
        case .large: 2_400
        }
    }

    /// The size in pixels for a page: as high as the name says, but never wider than two and a half times the height.
    func pixels(for paper: PaperSize) -> (width: Int, height: Int) {
        let ratio = paper.width / paper.height
        guard ratio.isFinite, ratio > 0 else { return (heightPixels, heightPixels) }
        let widest = 2.5
        let height = ratio <= widest ? Double(heightPixels) : Double(heightPixels) * widest / ratio
        return (max(1, Int((height * ratio).rounded())), max(1, Int(height.rounded())))
    }
}

/// A page as a picture.
public struct PageImage: Equatable, Sendable {
    public enum Format: String, Sendable {
        case png, jpg

        public var mediaType: String { self == .png ? "image/png" : "image/jpeg" }
    }

    public var bytes: [UInt8]
    public var format: Format
    public var mediaType: String { format.mediaType }

    public init(bytes: [UInt8], format: Format) {
        self.bytes = bytes
        self.format = format
    }
}

/// Identifies one picture: a file's digest, a page, a size.
struct PageImageKey: Hashable, Sendable {
    var digest: String
    var page: Int
    var size: PageImageSize
}
