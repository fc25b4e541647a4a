import Foundation
import PDFWriting

/// A page to be printed: its image, its paper size and its annotations.
public struct AnnotatedPage: Sendable {
    /// Nil for a page whose image is lost; it stays white.
    public var image: PageImage?
    /// The size of the paper in points of 1/72 inch; see ``PaperSize/scaledToFitA4``.
    public var paperSize: PaperSize
    public var annotations: [PageAnnotation]
    /// A line in a strip under the page, which makes the paper higher; nil for none.
    public var caption: String?
    /// Quarter turns clockwise, and then degrees clockwise, by which the image is turned on the paper.
    public var quarterTurns: Int
    public var tiltDegrees: Double
    /// The part of the page that is printed. If it is not the whole page, it is enlarged until it fills A4 paper.
    public var shown: PageFrame

    public init(
        image: PageImage?, paperSize: PaperSize, annotations: [PageAnnotation], caption: String? = nil,
        quarterTurns: Int = 0, tiltDegrees: Double = 0, shown: PageFrame = .whole
    ) {
        self.image = image
        self.paperSize = paperSize
        self.annotations = annotations
        self.caption = caption
        self.quarterTurns = quarterTurns
        self.tiltDegrees = tiltDegrees
        self.shown = shown
    }
}

extension PaperSize {
    /// The largest size of the same proportions that fits on A4 paper, portrait or landscape, in points of 1/72 inch.
    public var scaledToFitA4: PaperSize {
        let (short, long) = (595.276, 841.89)
        guard width > 0, height > 0, (width / height).isFinite else {
            return PaperSize(width: short, height: long)
        }
        let scale = width > height ? min(long / width, short / height) : min(short / width, long / height)
        return PaperSize(width: width * scale, height: height * scale)
    }
}

/// Writes a part with its annotations as PDF: an image of each page, and over it strokes and text that stay sharp at
/// any size and can be searched.
public enum AnnotatedPDFWriter {
    /// Writes page by page, so that only one page is in memory, and moves the complete file into place at the end.
    /// - Parameters:
    ///   - page: returns a page by its number from 0.
    /// - Throws: ``ScorePagesError``; after an error, no unfinished file remains.
    public static func write(
        to path: String, title: String, pageCount: Int,
        page: (Int) async throws(ScorePagesError) -> AnnotatedPage
    ) async throws(ScorePagesError) {
        let unfinished = path + ".part"
        do throws(ScorePagesError) {
            let draft = try PDFDraft(path: unfinished, title: title)
            for number in 0..<pageCount { try draft.addPage(try await page(number)) }
            try draft.close()
        } catch {
            unlink(unfinished)
            throw error
        }
        guard rename(unfinished, path) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(unfinished)
            throw .cannotWrite(path: path, reason: reason)
        }
    }
}

/// A PDF that is being written to a file.
private final class PDFDraft {
    private final class FileOutput {
        let handle: FileHandle
        /// The reason why the file could not be written; nil if there was no error.
        var writeFailureReason: String?

        init(_ handle: FileHandle) { self.handle = handle }

        func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
            do { try handle.write(contentsOf: Data(buffer: bytes)) } catch {
                writeFailureReason = error.localizedDescription
            }
            return writeFailureReason == nil
        }
    }

    private let path: String
    private let output: FileOutput
    private let pdfPages: PDFPageWriter

    init(path: String, title: String) throws(ScorePagesError) {
        self.path = path
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw .cannotWrite(path: path, reason: String(cString: strerror(errno))) }
        let output = FileOutput(handle)
        self.output = output
        let a4 = PaperSize(width: 0, height: 0).scaledToFitA4
        pdfPages = PDFPageWriter(width: a4.width, height: a4.height, title: title, sink: output.write)
    }

    func addPage(_ page: AnnotatedPage) throws(ScorePagesError) {
        let strip = page.caption == nil ? 0 : Self.captionStripHeight
        let frame = page.shown
        let part = PaperSize(
            width: page.paperSize.width * (frame.right - frame.left),
            height: page.paperSize.height * (frame.bottom - frame.top))
        let paper = frame == .whole ? page.paperSize : part.scaledToFitA4
        pdfPages.setPageSize(width: paper.width, height: paper.height + strip)
        if let caption = page.caption { drawCaption(caption, below: paper) }
        if frame != .whole {
            pdfPages.enlarge(
                by: paper.width / part.width, fromX: page.paperSize.width * frame.left,
                y: page.paperSize.height * frame.top)
        }
        if let image = page.image {
            let picture = image.format == .png ? PDFPicture(png: image.bytes) : PDFPicture(jpeg: image.bytes)
            guard let picture else {
                throw .imageUnusable(reason: "it is no whole \(image.format == .png ? "PNG" : "JPEG")")
            }
            pdfPages.drawPicture(
                picture, width: page.paperSize.width, height: page.paperSize.height,
                quarterTurns: page.quarterTurns, tiltDegrees: page.tiltDegrees)
        }
        let pen = AnnotationPen(pdfPages: pdfPages, paperSize: page.paperSize)
        for mark in page.annotations { pen.drawAnnotation(mark) }
        pdfPages.endPage()
    }

    /// The height of the strip with the caption, in points.
    private static let captionStripHeight = 28.0
    private static let captionSize = 11.0

    /// Writes the caption in letters that are small enough for the width of the paper.
    private func drawCaption(_ caption: String, below paper: PaperSize) {
        let margin = Self.captionStripHeight / 2
        let wanted = pdfPages.textWidth(of: caption, size: Self.captionSize, face: .sans)
        let fitting = min(1, max(paper.width - 2 * margin, 1) / max(wanted, 1))
        pdfPages.setInk(red: 0.2, green: 0.2, blue: 0.2)
        pdfPages.drawText(
            caption, x: margin, y: paper.height + 0.65 * Self.captionStripHeight,
            size: Self.captionSize * fitting, face: .sans)
    }

    func close() throws(ScorePagesError) {
        let isWhole = pdfPages.finish()
        do { try output.handle.close() } catch {
            output.writeFailureReason = output.writeFailureReason ?? error.localizedDescription
        }
        guard isWhole, output.writeFailureReason == nil else {
            throw .cannotWrite(path: path, reason: output.writeFailureReason ?? "there is not enough memory")
        }
    }
}
