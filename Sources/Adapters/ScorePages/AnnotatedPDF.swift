import Foundation

/// A page to be printed: its picture, its paper size, and its remarks.
public struct AnnotatedPage: Sendable {
    public var image: PageImage
    /// The size of the paper in points of 1/72 inch; see ``PaperSize/onA4``.
    public var paper: PaperSize
    public var marks: [PageAnnotation]

    public init(image: PageImage, paper: PaperSize, marks: [PageAnnotation]) {
        self.image = image
        self.paper = paper
        self.marks = marks
    }
}

extension PaperSize {
    /// The same proportions fitted into A4, portrait or landscape, in points.
    public var onA4: PaperSize {
        let (short, long) = (595.276, 841.89)
        guard width > 0, height > 0, (width / height).isFinite else {
            return PaperSize(width: short, height: long)
        }
        let scale = width > height ? min(long / width, short / height) : min(short / width, long / height)
        return PaperSize(width: width * scale, height: height * scale)
    }
}

/// Writes a part with its remarks as PDF: a picture of each page, and over it strokes and text that stay sharp at any
/// size and can be searched.
public enum AnnotatedPDF {
    /// Writes page by page, so that only one is in memory, and moves the complete file into place at the end.
    /// - Parameters:
    ///   - page: returns a page by its number from 0.
    /// - Throws: ``ScorePagesError``; then no file is left.
    public static func write(
        to path: String, title: String, pageCount: Int,
        page: (Int) async throws(ScorePagesError) -> AnnotatedPage
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
