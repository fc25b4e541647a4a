import Foundation
import Platform

/// Draws one page of a PDF in a process of its own.
struct PDFPageRenderer: Sendable {
    enum ImageOutput: Equatable {
        case png, jpeg, grey

        var pdftoppmArguments: [String] {
            switch self {
            case .png: ["-png"]
            case .jpeg: ["-jpeg", "-jpegopt", "quality=85"]
            case .grey: ["-gray"]
            }
        }

        var outputFileName: String {
            switch self {
            case .png: "page.png"
            case .jpeg: "page.jpg"
            case .grey: "page.pgm"
            }
        }
    }

    /// In images up to this height in pixels, the lines of a vector page keep their true thickness. If each line had
    /// at least one whole pixel, the staves would become black bars.
    static let maximumThinLineHeightPixels = 600

    var tools: ExternalPageTools
    var processBounds = LimitedProcess.ResourceLimits.pageDrawing

    /// - Throws: ``ScorePagesError/pageTooHeavy(page:)`` for a page that exceeds its limits,
    ///   ``ScorePagesError/pageNotDrawn(page:reason:)`` for one that cannot be read.
    func renderPage(
        _ pdf: PDFSummary, page: Int, width: Int, height: Int, as output: ImageOutput
    ) async throws(ScorePagesError) -> [UInt8] {
        guard pdf.pages.indices.contains(page) else {
            throw .noSuchPage(page: page, pages: pdf.pages.count)
        }
        guard let pdftoppm = tools.pdftoppm else { throw .popplerMissing(program: "pdftoppm") }
        let scratch = try ScratchFolder()
        let drawing = LimitedProcess(
            executable: pdftoppm,
            arguments: output.pdftoppmArguments
                + (height <= Self.maximumThinLineHeightPixels ? ["-thinlinemode", "shape"] : []) + [
                    "-q", "-f", "\(page + 1)", "-l", "\(page + 1)", "-singlefile", "-cropbox",
                    "-scale-dimension-before-rotation",
                    "-scale-to-x", "\(width)", "-scale-to-y", "\(height)", pdf.path, "page",
                ], resourceLimits: processBounds)
        let errors = scratch.fileURL("errors.txt")
        let outcome = await drawing.run(
            in: scratch.url, output: scratch.fileURL("output.txt"), errors: errors)
        switch outcome {
        case .finished(status: 0): break
        case .finished(let status):
            // Poppler prints such a message if it cannot allocate the memory it needs.
            let complaint = ChildProcess.outputText(of: errors)
            if complaint.contains("memory") || complaint.contains("bad_alloc") {
                throw .pageTooHeavy(page: page)
            }
            throw .pageNotDrawn(page: page, reason: "the file is damaged there (status \(status))")
        case .killed, .timedOut: throw .pageTooHeavy(page: page)
        case .notStarted(let reason): throw .pageNotDrawn(page: page, reason: reason)
        }
        guard let bytes = try? Data(contentsOf: scratch.fileURL(output.outputFileName)), !bytes.isEmpty else {
            throw .pageNotDrawn(page: page, reason: "the file is damaged there")
        }
        return [UInt8](bytes)
    }
}
