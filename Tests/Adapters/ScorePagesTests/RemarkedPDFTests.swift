import Foundation
import PDFWriting
import Testing

@testable import ScorePages
@testable import TestHelpers

@Suite(.ownThreads) struct RemarkedPDFTests {
    private let red = AnnotationColour(red: 0.8, green: 0, blue: 0)

    private func marks(_ number: Int) -> [PageAnnotation] {
        [
            .text(
                "Solo ♯4: größer\nzweite Zeile (\(number))", at: PagePoint(x: 0.1, y: 0.1), height: 0.02,
                colour: red),
            .penStroke(
                [PagePoint(x: 0.1, y: 0.9), PagePoint(x: 0.5, y: 0.85), PagePoint(x: 0.9, y: 0.9)],
                thickness: 0.004, colour: .pencilColour),
            .highlightedBox(PageBox(x: 0.2, y: 0.4, width: 0.5, height: 0.1), colour: red),
            .stamp(.dynamicMark("sfz"), at: PagePoint(x: 0.3, y: 0.7), height: 0.03, colour: .pencilColour),
            .stamp(.boxedLetters("B"), at: PagePoint(x: 0.6, y: 0.7), height: 0.03, colour: .pencilColour),
            .stamp(.fermata, at: PagePoint(x: 0.7, y: 0.7), height: 0.03, colour: .pencilColour),
            .stamp(.downBow, at: PagePoint(x: 0.8, y: 0.7), height: 0.03, colour: .pencilColour),
        ]
    }

    @Test(.enabled(if: hasPoppler, "poppler-utils is not installed"))
    func remarksStandOnThePagesTheyWereMadeOn() async throws {
        let folder = try TestFolder()
        let source = try folder.file("a.pdf", SmallPDF.numbered(2).bytes)
        let pdf = try await ScorePDFInspector().inspect(source)
        let images = PageImageProvider(cacheFolder: folder.path + "/cache")
        let path = folder.path + "/out.pdf"
        try await AnnotatedPDFWriter.write(to: path, title: "Violine – 1. Pult", pageCount: 2) {
            page throws(ScorePagesError) in
            AnnotatedPage(
                image: try await images.pageImage(of: pdf, page: page, size: .small),
                paperSize: pdf.pages[page].scaledToFitA4,
                annotations: marks(page + 1))
        }
        let written = try await ScorePDFInspector().inspect(path)
        #expect(written.pages.count == 2 && written.title == "Violine – 1. Pult")
        for page in 1...2 {
            let text = String(
                decoding: try output(of: "pdftotext", ["-f", "\(page)", "-l", "\(page)", path, "-"]),
                as: UTF8.self)
            #expect(text.contains("Solo ♯4: größer") && text.contains("zweite Zeile (\(page))"))
            #expect(text.contains("sfz"))
        }
        // The highlight lies over white paper: the page is red there, white beside it, black where the number is.
        let drawn = try output(
            of: "pdftoppm", ["-singlefile", "-scale-to-x", "600", "-scale-to-y", "800", path])
        let pixels = drawn.suffix(600 * 800 * 3)
        func shade(_ x: Int, _ y: Int) -> [UInt8] {
            let start = pixels.startIndex + (y * 600 + x) * 3
            return Array(pixels[start..<(start + 3)])
        }
        let marked = shade(400, 335)
        #expect(marked[0] > 200 && marked[1] < 190 && marked[2] < 190)
        #expect(shade(590, 335) == [255, 255, 255])
    }

    @Test func aFailureOnTheWayLeavesNothingBehind() async throws {
        let folder = try TestFolder()
        let path = folder.path + "/out.pdf"
        let error = await fault { () async throws(ScorePagesError) in
            try await AnnotatedPDFWriter.write(to: path, title: "", pageCount: 3) {
                page throws(ScorePagesError) in
                throw .noSuchPage(page: page, pages: 0)
            }
        }
        #expect(error == .noSuchPage(page: 0, pages: 0))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func aFolderThatIsNotThereIsASentence() async {
        let error = await fault { () async throws(ScorePagesError) in
            try await AnnotatedPDFWriter.write(to: "/nowhere/out.pdf", title: "", pageCount: 0) {
                page throws(ScorePagesError) in
                throw .noSuchPage(page: page, pages: 0)
            }
        }
        #expect(error?.sentence.contains("/nowhere/out.pdf") == true)
    }

    @Test(.enabled(if: hasPoppler, "poppler-utils is not installed"))
    func nothingThatIsWrittenBreaksTheFile() async throws {
        let folder = try TestFolder()
        let path = folder.path + "/out.pdf"
        let picture = try Self.whitePNG(in: folder)
        let hostile: [PageAnnotation] = [
            .penStroke(
                [PagePoint(x: .nan, y: .infinity), PagePoint(x: -1e300, y: 0)], thickness: 1e9, colour: red),
            .penStroke([], thickness: .nan, colour: red),
            .text("Dvořák “f” A)\\( Ж", at: PagePoint(x: 0.1, y: 0.1), height: 0.02, colour: red),
            .text("after", at: PagePoint(x: 0.1, y: 0.5), height: 0.02, colour: red),
            .stamp(.boxedLetters(""), at: PagePoint(x: .nan, y: 2), height: -1, colour: red),
        ]
        let paper = PaperSize(width: 100, height: 100)
        try await AnnotatedPDFWriter.write(to: path, title: "(\\) Ж", pageCount: 1) { _ in
            AnnotatedPage(image: picture, paperSize: paper, annotations: hostile)
        }
        let written = try await ScorePDFInspector().inspect(path)
        #expect(written.title == "(\\) Ж" && written.pages == [paper])
        let text = String(decoding: try output(of: "pdftotext", [path, "-"]), as: UTF8.self)
        #expect(text.contains("Dvořák “f” A)\\( Ж") && text.contains("after"))
    }

    /// A small white picture, as the drawing program makes them.
    private static func whitePNG(in folder: borrowing TestFolder) throws -> PageImage {
        let blank = try folder.file("blank.pdf", SmallPDF(pages: [""]).bytes)
        _ = try output(
            of: "pdftoppm",
            ["-png", "-singlefile", "-scale-to", "20", blank, folder.path + "/blank"])
        let bytes = try Data(contentsOf: URL(filePath: folder.path + "/blank.png"))
        return PageImage(bytes: Array(bytes), format: .png)
    }

    @Test func picturesCutAnywhereAreRefusedOrWhole() throws {
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xC0, 0, 11, 8, 0, 9, 0, 7, 3, 0, 0]
        let whole = try #require(PDFPicture(jpeg: jpeg))
        #expect(whole.width == 7 && whole.height == 9)
        for length in 0..<17 { #expect(PDFPicture(jpeg: Array(jpeg[..<length])) == nil) }
        for length in 0..<40 {
            let header: [UInt8] =
                [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
                + [UInt8](repeating: 8, count: 30)
            #expect(PDFPicture(png: Array(header.prefix(length))) == nil)
        }
    }
}

extension PDFPicture {
    convenience init?(_ image: PageImage) {
        switch image.format {
        case .png: self.init(png: image.bytes)
        case .jpg: self.init(jpeg: image.bytes)
        }
    }
}
