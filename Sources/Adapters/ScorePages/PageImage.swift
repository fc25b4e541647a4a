/// The size of a page's image. A music stand asks for the smallest one that is at least as high as its screen.
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

    /// Returns the size of a page's image in pixels. The image is ``heightPixels`` high, unless it would then be
    /// wider than two and a half times this height.
    func pixelSize(for paper: PaperSize) -> (width: Int, height: Int) {
        let ratio = paper.width / paper.height
        guard ratio.isFinite, ratio > 0 else { return (heightPixels, heightPixels) }
        let widest = 2.5
        let height = ratio <= widest ? Double(heightPixels) : Double(heightPixels) * widest / ratio
        return (max(1, Int((height * ratio).rounded())), max(1, Int(height.rounded())))
    }
}

/// The image of a page.
public struct PageImage: Equatable, Sendable {
    /// The file format of the image.
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

/// Identifies one image by the digest of the PDF, the page, counted from 0, and the size.
struct PageImageKey: Hashable, Sendable {
    var digest: String
    var page: Int
    var size: PageImageSize
}
