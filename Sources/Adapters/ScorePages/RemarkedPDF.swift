import Foundation

/// A page to be printed: its picture, its size on paper, and what was written on it.
public struct RemarkedPage: Sendable {
    public var image: PageImage
    /// In points of 1/72 inch; see ``PaperSize/onA4``.
    public var paper: PaperSize
    public var marks: [PageMark]

    public init(image: PageImage, paper: PaperSize, marks: [PageMark]) {
        self.image = image
        self.paper = paper
        self.marks = marks
    }
}

extension PaperSize {
    /// The same proportions fitted into A4, upright or across, in points.
    public var onA4: PaperSize {
        let (short, long) = (595.276, 841.89)
        guard width > 0, height > 0, (width / height).isFinite else {
            return PaperSize(width: short, height: long)
        }
        let scale = width > height ? min(long / width, short / height) : min(short / width, long / height)
        return PaperSize(width: width * scale, height: height * scale)
    }
}

/// Writes a part with its remarks as PDF: the picture of each page, and strokes and text over it that stay sharp
/// at any size and can be searched.
public enum RemarkedPDF {
    /// Writes page after page, so that only one is held in memory, and moves the whole into place at the end.
    /// - Parameters:
    ///   - page: gives a page by its number from 0.
    /// - Throws: ``ScorePagesError``; nothing is left behind then.
    public static func write(
        to path: String, title: String, pageCount: Int,
        page: (Int) async throws(ScorePagesError) -> RemarkedPage
    ) async throws(ScorePagesError) {
        let draft = path + ".part"
        do throws(ScorePagesError) {
            var file = try PDFFile(path: draft)
            for number in 0..<pageCount { try file.add(try await page(number)) }
            try file.close(title: title)
        } catch {
            unlink(draft)
            throw error
        }
        guard rename(draft, path) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(draft)
            throw .cannotWrite(path: path, reason: reason)
        }
    }
}
