import Foundation
import PDFWriting

/// A page to be printed: its image, its paper size and its annotations.
public struct AnnotatedPage: Sendable {
    public var image: PageImage
    /// The size of the paper in points of 1/72 inch; see ``PaperSize/scaledToFitA4``.
    public var paperSize: PaperSize
    public var annotations: [PageAnnotation]

    public init(image: PageImage, paperSize: PaperSize, annotations: [PageAnnotation]) {
        self.image = image
        self.paperSize = paperSize
        self.annotations = annotations
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
        let bytes = page.image.bytes
        guard let picture = page.image.format == .png ? PDFPicture(png: bytes) : PDFPicture(jpeg: bytes)
        else {
            throw .imageUnusable(reason: "it is no whole \(page.image.format == .png ? "PNG" : "JPEG")")
        }
        pdfPages.setPageSize(width: page.paperSize.width, height: page.paperSize.height)
        pdfPages.drawPicture(picture, width: page.paperSize.width, height: page.paperSize.height)
        let pen = AnnotationPen(pdfPages: pdfPages, paperSize: page.paperSize)
        for mark in page.annotations { pen.drawAnnotation(mark) }
        pdfPages.endPage()
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
