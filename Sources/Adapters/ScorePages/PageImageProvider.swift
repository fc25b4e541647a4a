import Foundation

/// Provides images of PDF pages. Each page is drawn once and stored on disk; the next pages are drawn ahead.
///
/// A request for a page that is being drawn waits for that drawing. A stored page takes under 5 ms, the first page of
/// a long score under a second. While a page is read, the next two and the previous one are drawn.
public actor PageImageProvider {
    /// The largest page image, in bytes, that is kept as PNG. A larger PNG comes from a scan; as JPEG it has a
    /// quarter of this size.
    static let largestPNGBytes = 1_500_000
    private static let maximumRememberedFailures = 1_000

    private typealias RenderTask = Task<Result<PageImage, ScorePagesError>, Never>

    private let renderer: PDFPageRenderer
    private var cache: PageImageCache
    private var drawingQueue: PageDrawingQueue<CheckedContinuation<Void, Never>>
    private var runningTasks: [PageImageKey: RenderTask] = [:]
    private var rememberedErrors: [PageImageKey: ScorePagesError] = [:]
    private var scannedPDFDigests: Set<String> = []
    private var pdfsBeingPrerendered: Set<PageImageKey> = []
    private(set) var renderCount = 0
    var isDrawing: Bool { !runningTasks.isEmpty }

    /// - Parameters:
    ///   - cacheFolder: the folder for the images, created when needed; it must be used for nothing else.
    ///   - limitBytes: the most disk space for images; a page takes some 150 kB at 2,400 pixels.
    ///   - places: number of pages drawn at the same time.
    ///   - hasRoom: returns true if a number of bytes may be written to the disk now. If it returns false, an image
    ///     is drawn but not stored.
    public init(
        cacheFolder: String, limitBytes: Int = 2_000_000_000, tools: ExternalPageTools = .findTools(),
        places: Int = ProcessInfo.processInfo.activeProcessorCount,
        hasRoom: @escaping @Sendable (Int) -> Bool = { _ in true }
    ) {
        self.init(
            cacheFolder: cacheFolder, limitBytes: limitBytes, renderer: PDFPageRenderer(tools: tools),
            places: places, hasRoom: hasRoom)
    }

    init(
        cacheFolder: String, limitBytes: Int, renderer: PDFPageRenderer, places: Int,
        hasRoom: @escaping @Sendable (Int) -> Bool = { _ in true }
    ) {
        self.renderer = renderer
        cache = PageImageCache(
            folder: URL(fileURLWithPath: cacheFolder), limitBytes: limitBytes, hasDiskRoom: hasRoom)
        drawingQueue = PageDrawingQueue(maximumConcurrentDrawings: places)
    }

    /// Returns the image of a page, which is drawn now if it is not stored. Then the neighbouring pages are drawn
    /// ahead.
    /// - Parameter page: counted from 0.
    /// - Throws: ``ScorePagesError``; a page that could not be drawn is not tried again until ``removeImages(_:)``.
    public func pageImage(
        of pdf: PDFSummary, page: Int, size: PageImageSize
    ) async throws(ScorePagesError) -> PageImage {
        guard pdf.pages.indices.contains(page) else {
            throw .noSuchPage(page: page, pages: pdf.pages.count)
        }
        let key = PageImageKey(digest: pdf.digest, page: page, size: size)
        if let kept = cache.readImage(key) {
            drawNeighbourPages(of: key, pdf)
            return kept
        }
        if let failure = rememberedErrors[key] { throw failure }
        if runningTasks[key] != nil {
            drawingQueue.makeUrgent(key)
            startWaitingRenders()
        }
        let image = try await renderTask(of: key, pdf, urgent: true).value.get()
        drawNeighbourPages(of: key, pdf)
        return image
    }

    /// Draws and stores all pages that are not yet stored, one after the other, at the lowest priority.
    public func renderMissingPages(_ pdf: PDFSummary, size: PageImageSize) async {
        let name = PageImageKey(digest: pdf.digest, page: -1, size: size)
        guard pdfsBeingPrerendered.insert(name).inserted else { return }
        defer { pdfsBeingPrerendered.remove(name) }
        for page in pdf.pages.indices {
            if Task.isCancelled || drawingQueue.heavyPDFDigests.contains(pdf.digest) { return }
            let key = PageImageKey(digest: pdf.digest, page: page, size: size)
            if cache.contains(key) || rememberedErrors[key] != nil { continue }
            _ = await renderTask(of: key, pdf, urgent: false).value
        }
    }

    /// The size of each page's image; nil for pages that are not drawn yet.
    public func imageByteCounts(of pdf: PDFSummary, size: PageImageSize) -> [Int?] {
        pdf.pages.indices.map { cache.byteCount(PageImageKey(digest: pdf.digest, page: $0, size: size)) }
    }

    /// Draws a page in shades of grey, for the detection of bar lines; the image is not stored.
    public func renderGreyPage(
        of pdf: PDFSummary, page: Int, heightPixels: Int = 2_400
    ) async throws(ScorePagesError) -> GreyImage {
        guard pdf.pages.indices.contains(page) else {
            throw .noSuchPage(page: page, pages: pdf.pages.count)
        }
        let paper = pdf.pages[page]
        let height = min(max(heightPixels, 200), 4_000)
        let width = min(max(Int(Double(height) * paper.width / paper.height), 1), 10_000)
        let bytes = try await renderer.renderPage(pdf, page: page, width: width, height: height, as: .grey)
        return try GreyImage(pgm: bytes)
    }

    /// Removes the stored images of a file and forgets which of its pages could not be drawn.
    public func removeImages(digest: String) {
        cache.removeImages(digest: digest)
        rememberedErrors = rememberedErrors.filter { $0.key.digest != digest }
        drawingQueue.unmarkPDFHeavy(digest)
        scannedPDFDigests.remove(digest)
    }

    private func drawNeighbourPages(of key: PageImageKey, _ pdf: PDFSummary) {
        guard !drawingQueue.heavyPDFDigests.contains(key.digest) else { return }
        // The next page is requested last, because the page requested last is drawn first.
        for page in [key.page - 1, key.page + 2, key.page + 1] where pdf.pages.indices.contains(page) {
            let neighbour = PageImageKey(digest: key.digest, page: page, size: key.size)
            if cache.contains(neighbour) || rememberedErrors[neighbour] != nil { continue }
            _ = renderTask(of: neighbour, pdf, urgent: false)
        }
    }

    /// Returns the task that draws a page; starts one if there is none.
    private func renderTask(of key: PageImageKey, _ pdf: PDFSummary, urgent: Bool) -> RenderTask {
        if let drawing = runningTasks[key] { return drawing }
        let drawing = RenderTask { await self.renderInTurn(key, pdf, urgent: urgent) }
        runningTasks[key] = drawing
        return drawing
    }

    private func renderInTurn(
        _ key: PageImageKey, _ pdf: PDFSummary, urgent: Bool
    ) async -> Result<PageImage, ScorePagesError> {
        await withCheckedContinuation { waiter in
            drawingQueue.enqueue(key, urgent: urgent, waiter)
            startWaitingRenders()
        }
        let result: Result<PageImage, ScorePagesError>
        if let failure = rememberedErrors[key] {
            result = .failure(failure)
        } else {
            renderCount += 1
            result = await renderPNGOrJPEG(key, pdf)
        }
        switch result {
        case .success(let image): cache.storeImage(image, as: key)
        case .failure(let error): rememberFailure(error, key)
        }
        runningTasks[key] = nil
        drawingQueue.markFinished(key)
        startWaitingRenders()
        return result
    }

    private func startWaitingRenders() {
        while let waiter = drawingQueue.startNext() { waiter.resume() }
    }

    private func rememberFailure(_ error: ScorePagesError, _ key: PageImageKey) {
        switch error {
        case .pageTooHeavy: drawingQueue.markPDFHeavy(key.digest)
        case .pageNotDrawn: break
        default: return
        }
        if rememberedErrors.count >= Self.maximumRememberedFailures { rememberedErrors.removeAll() }
        rememberedErrors[key] = error
    }

    private func renderPNGOrJPEG(_ key: PageImageKey, _ pdf: PDFSummary) async -> Result<
        PageImage, ScorePagesError
    > {
        let (width, height) = key.size.pixelSize(for: pdf.pages[key.page])
        do throws(ScorePagesError) {
            if !scannedPDFDigests.contains(key.digest) {
                let png = try await renderer.renderPage(
                    pdf, page: key.page, width: width, height: height, as: .png)
                if png.count <= Self.largestPNGBytes {
                    return .success(PageImage(bytes: png, format: .png))
                }
                scannedPDFDigests.insert(key.digest)
            }
            let jpeg = try await renderer.renderPage(
                pdf, page: key.page, width: width, height: height, as: .jpeg)
            return .success(PageImage(bytes: jpeg, format: .jpg))
        } catch {
            return .failure(error)
        }
    }
}
