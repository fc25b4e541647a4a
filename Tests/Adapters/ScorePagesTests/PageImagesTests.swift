import Foundation
import PDFWriting
import Platform
import Testing

@testable import ScorePages
@testable import TestHelpers

@Suite(.ownThreads, .enabled(if: hasPoppler, "poppler-utils is not installed")) struct PageImagesTests {
    /// Tight enough that a hostile page is given up within a second.
    private static let tight = PDFPageRenderer(
        tools: .findTools(),
        processBounds: LimitedProcess.ResourceLimits(
            cpuSeconds: 1, wallSeconds: 8, memoryBytes: 600_000_000, largestFileBytes: 20_000_000, niceness: 1
        ))

    private func summary(_ pdf: [UInt8], _ folder: borrowing TestFolder, _ name: String = "a.pdf")
        async throws
        -> PDFSummary
    {
        try await ScorePDFInspector().inspect(try folder.file(name, pdf))
    }

    @Test func aPageHasTheHeightItsSizeNames() async throws {
        let folder = try TestFolder()
        let pdf = try await summary(SmallPDF.numbered(1).bytes, folder)
        let images = PageImageProvider(cacheFolder: folder.path + "/cache")
        for size in PageImageSize.allCases {
            let image = try await images.pageImage(of: pdf, page: 0, size: size)
            let picture = try #require(PDFPicture(image))
            #expect(picture.height == size.heightPixels)
            let ratio = Double(picture.width) / Double(picture.height)
            #expect(abs(ratio - 595.0 / 842) < 0.01)
        }
    }

    /// Thin lines that get a whole pixel each make black bars of a staff.
    @Test func aStaffIsNoBlackBarInAThumbnail() async throws {
        let folder = try TestFolder()
        let staff = (0..<5).map { "0.8 w 60 \(700 - 7 * $0) m 540 \(700 - 7 * $0) l S" }.joined(
            separator: "\n")
        let pdf = try await summary(SmallPDF(pages: [staff]).bytes, folder)
        let (width, height) = PageImageSize.thumbnail.pixelSize(for: pdf.pages[0])
        let bytes = try await PDFPageRenderer(tools: .findTools()).renderPage(
            pdf, page: 0, width: width, height: height, as: .grey)
        let picture = try GreyImage(pgm: bytes)
        let column = stride(from: width / 2, to: width * height, by: width).map { picture.pixels[$0] }
        #expect(column.contains { $0 < 230 }, "the staff is there")
        #expect(column.allSatisfy { $0 > 60 }, "but no row of pixels is black")
    }

    @Test func aTurnedPageIsDrawnUpright() async throws {
        let folder = try TestFolder()
        let turned = SmallPDF(pages: [""], width: 500, height: 700, rotation: 270)
        let pdf = try await summary(turned.bytes, folder)
        let image = try await PageImageProvider(cacheFolder: folder.path + "/cache")
            .pageImage(of: pdf, page: 0, size: .thumbnail)
        let picture = try #require(PDFPicture(image))
        #expect(picture.width == 224 && picture.height == 160)
    }

    @Test func aRibbonOfAPageIsNeverWiderThanTwoAndAHalfHeights() {
        let (width, height) = PageImageSize.large.pixelSize(for: PaperSize(width: 7_200, height: 36))
        #expect(width == 6_000 && height == 30)
        #expect(PageImageSize.small.pixelSize(for: PaperSize(width: 0, height: 0)) == (1_200, 1_200))
    }

    @Test func whoAsksAtTheSameTimeSharesOneDrawing() async throws {
        let folder = try TestFolder()
        let pdf = try await summary(SmallPDF.numbered(1).bytes, folder)
        let images = PageImageProvider(cacheFolder: folder.path + "/cache")
        let all = try await withThrowingTaskGroup(of: PageImage.self) { group in
            for _ in 0..<30 {
                group.addTask { try await images.pageImage(of: pdf, page: 0, size: .small) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(all.count == 30 && all.allSatisfy { $0 == all[0] })
        #expect(await images.renderCount == 1)
    }

    @Test func theFirstPageOfALongScoreIsDrawnFirstAndItsNeighboursAhead() async throws {
        let folder = try TestFolder()
        let path = try folder.file("a.pdf", SmallPDF.numbered(200).bytes)
        let images = PageImageProvider(cacheFolder: folder.path + "/cache")
        let pdf = try await ScorePDFInspector().inspect(path)
        _ = try await images.pageImage(of: pdf, page: 0, size: .medium)
        await images.settle()
        // The page itself and the two behind it, of two hundred.
        #expect(await images.renderCount == 3)
        _ = try await images.pageImage(of: pdf, page: 1, size: .medium)
        await images.settle()
        // It was there: only the page after the two was drawn for it.
        #expect(await images.renderCount == 4)
    }

    @Test func anotherProcessFindsThePagesOfTheFirst() async throws {
        let folder = try TestFolder()
        let pdf = try await summary(SmallPDF.numbered(2).bytes, folder)
        let first = PageImageProvider(cacheFolder: folder.path + "/cache")
        let drawn = try await first.pageImage(of: pdf, page: 0, size: .thumbnail)
        await first.settle()
        let second = PageImageProvider(cacheFolder: folder.path + "/cache")
        #expect(try await second.pageImage(of: pdf, page: 0, size: .thumbnail) == drawn)
        #expect(await second.renderCount == 0)
    }

    @Test func preparingDrawsEveryPageOnce() async throws {
        let folder = try TestFolder()
        let pdf = try await summary(SmallPDF.numbered(5).bytes, folder)
        let images = PageImageProvider(cacheFolder: folder.path + "/cache")
        await images.renderMissingPages(pdf, size: .thumbnail)
        #expect(await images.renderCount == 5)
        _ = try await images.pageImage(of: pdf, page: 4, size: .thumbnail)
        #expect(await images.renderCount == 5)
    }

    @Test func aBombIsGivenUpAndDelaysNobodyElse() async throws {
        let folder = try TestFolder()
        let hostile = try await summary(SmallPDF.bomb, folder, "bomb.pdf")
        let honest = try await summary(SmallPDF.numbered(3).bytes, folder, "honest.pdf")
        let images = PageImageProvider(
            cacheFolder: folder.path + "/cache", limitBytes: 10_000_000, renderer: Self.tight, places: 2)
        async let bomb = fault { () async throws(ScorePagesError) in
            try await images.pageImage(of: hostile, page: 0, size: .small)
        }
        for page in 0..<3 {
            _ = try await images.pageImage(of: honest, page: page, size: .thumbnail)
        }
        #expect(await bomb == .pageTooHeavy(page: 0))
        // Not tried again: the answer is there at once.
        let before = await images.renderCount
        let again = await fault { () async throws(ScorePagesError) in
            try await images.pageImage(of: hostile, page: 0, size: .small)
        }
        #expect(again == .pageTooHeavy(page: 0))
        #expect(await images.renderCount == before)
    }

    @Test func aPageThatDoesNotExistIsASentence() async throws {
        let folder = try TestFolder()
        let pdf = try await summary(SmallPDF.numbered(2).bytes, folder)
        let images = PageImageProvider(cacheFolder: folder.path + "/cache")
        for page in [-1, 2, Int.max - 1] {
            let error = await fault { () async throws(ScorePagesError) in
                try await images.pageImage(of: pdf, page: page, size: .small)
            }
            #expect(error == .noSuchPage(page: page, pages: 2))
        }
    }

    @Test func whatIsForgottenIsDrawnAnew() async throws {
        let folder = try TestFolder()
        let pdf = try await summary(SmallPDF.numbered(1).bytes, folder)
        let images = PageImageProvider(cacheFolder: folder.path + "/cache")
        _ = try await images.pageImage(of: pdf, page: 0, size: .thumbnail)
        await images.removeImages(digest: pdf.digest)
        _ = try await images.pageImage(of: pdf, page: 0, size: .thumbnail)
        #expect(await images.renderCount == 2)
    }

    @Test func aScanIsKeptAsJPEG() async throws {
        let folder = try TestFolder()
        // Noise does not compress: 700 × 900 random shades, as a scan of old paper has.
        var seed: UInt64 = 1
        let noise = (0..<700 * 900).map { _ -> UInt8 in
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: seed >> 33)
        }
        var scan = SmallPDF(pages: ["q 595 0 0 842 0 0 cm /Im Do Q"])
        scan.objects.append(
            "<< /Type /XObject /Subtype /Image /Width 700 /Height 900 /ColorSpace /DeviceGray "
                + "/BitsPerComponent 8 /Length \(noise.count) >>\nstream\n#0\nendstream")
        let pdf = try await summary(scan.bytes(latin1: [noise]), folder)
        let image = try await PageImageProvider(cacheFolder: folder.path + "/cache").pageImage(
            of: pdf, page: 0, size: .large)
        #expect(image.format == .jpg)
        #expect(PDFPicture(image)?.height == 2_400)
    }
}

extension PageImageProvider {
    /// Waits until nothing is being drawn.
    func settle() async {
        _ = await eventually { !isDrawing }
    }
}
