import Foundation

/// Pictures of PDF pages: drawn once, stored on disk, with the next pages drawn ahead.
///
/// A request for a page that is being drawn waits for that drawing. A stored page takes under 5 ms, the first page of
/// a long score under a second. While a page is read, the next two and the previous one are drawn.
public actor PageImages {
    /// A larger PNG is a scan, and its JPEG is a quarter of the size.
    static let largestPNGBytes = 1_500_000
    private static let rememberedFailures = 1_000

    private typealias Drawing = Task<Result<PageImage, ScorePagesError>, Never>

    private let rendering: PageDrawing
    private var cache: PageCache
    private var queue: PageDrawingQueue<CheckedContinuation<Void, Never>>
    private var underway: [PageKey: Drawing] = [:]
    private var failures: [PageKey: ScorePagesError] = [:]
    private var scans: Set<String> = []
    private var preparing: Set<PageKey> = []
    private(set) var drawings = 0
    var isDrawing: Bool { !underway.isEmpty }

    /// - Parameters:
    ///   - cacheFolder: made when needed; must be used for nothing else.
    ///   - limitBytes: the pictures' limit on disk; a page takes some 150 kB at 2,400 pixels.
    ///   - places: number of pages drawn at the same time.
    ///   - hasRoom: says whether so many bytes may be written to the disk now; if not, a picture is drawn and not kept.
    public init(
        cacheFolder: String, limitBytes: Int = 2_000_000_000, tools: PageTools = .find(),
        places: Int = ProcessInfo.processInfo.activeProcessorCount,
        hasRoom: @escaping @Sendable (Int) -> Bool = { _ in true }
    ) {
        self.init(
            cacheFolder: cacheFolder, limitBytes: limitBytes, rendering: PageDrawing(tools: tools),
            places: places, hasRoom: hasRoom)
    }

    init(
        cacheFolder: String, limitBytes: Int, rendering: PageDrawing, places: Int,
        hasRoom: @escaping @Sendable (Int) -> Bool = { _ in true }
    ) {
        self.rendering = rendering
        cache = PageCache(
            folder: URL(fileURLWithPath: cacheFolder), limitBytes: limitBytes, hasRoom: hasRoom)
        queue = PageDrawingQueue(places: places)
    }

    /// A page's picture, stored or drawn now; its neighbours are then drawn ahead.
    /// - Parameter page: counted from 0.
    /// - Throws: ``ScorePagesError``; a page that could not be drawn is not tried again until ``forget(_:)``.
    public func image(
        of pdf: PDFSummary, page: Int, size: PageImageSize
    ) async throws(ScorePagesError) -> PageImage {
        guard pdf.pages.indices.contains(page) else {
            throw .noSuchPage(page: page, pages: pdf.pages.count)
        }
        let key = PageKey(digest: pdf.digest, page: page, size: size)
        if let kept = cache.image(key) {
            drawNeighbours(of: key, pdf)
            return kept
        }
        if let failure = failures[key] { throw failure }
        if underway[key] != nil {
            queue.makeUrgent(key)
            startWaiting()
        }
        let image = try await drawing(of: key, pdf, urgent: true).value.get()
        drawNeighbours(of: key, pdf)
        return image
    }

    /// Draws every missing page, one after the other, at the lowest priority.
    public func prepare(_ pdf: PDFSummary, size: PageImageSize) async {
        let name = PageKey(digest: pdf.digest, page: -1, size: size)
        guard preparing.insert(name).inserted else { return }
        defer { preparing.remove(name) }
        for page in pdf.pages.indices {
            if Task.isCancelled || queue.heavy.contains(pdf.digest) { return }
            let key = PageKey(digest: pdf.digest, page: page, size: size)
            if cache.contains(key) || failures[key] != nil { continue }
            _ = await drawing(of: key, pdf, urgent: false).value
        }
    }

    /// A page in shades of grey, for the detection of bar lines; not stored.
    public func grey(
        of pdf: PDFSummary, page: Int, heightPixels: Int = 2_400
    ) async throws(ScorePagesError) -> GreyImage {
        guard pdf.pages.indices.contains(page) else {
            throw .noSuchPage(page: page, pages: pdf.pages.count)
        }
        let paper = pdf.pages[page]
        let height = min(max(heightPixels, 200), 4_000)
        let width = min(max(Int(Double(height) * paper.width / paper.height), 1), 10_000)
        let bytes = try await rendering.render(pdf, page: page, width: width, height: height, as: .grey)
        return try GreyImage(pgm: bytes)
    }

    /// Removes the pictures of a file, and the record of its failures.
    public func forget(_ digest: String) {
        cache.forget(digest: digest)
        failures = failures.filter { $0.key.digest != digest }
        queue.forget(digest)
        scans.remove(digest)
    }

    private func drawNeighbours(of key: PageKey, _ pdf: PDFSummary) {
        guard !queue.heavy.contains(key.digest) else { return }
        // The page requested last is drawn first: the next page.
        for page in [key.page - 1, key.page + 2, key.page + 1] where pdf.pages.indices.contains(page) {
            let neighbour = PageKey(digest: key.digest, page: page, size: key.size)
            if cache.contains(neighbour) || failures[neighbour] != nil { continue }
            _ = drawing(of: neighbour, pdf, urgent: false)
        }
    }

    /// The drawing of a page that is in progress; starts one if there is none.
    private func drawing(of key: PageKey, _ pdf: PDFSummary, urgent: Bool) -> Drawing {
        if let drawing = underway[key] { return drawing }
        let drawing = Drawing { await self.draw(key, pdf, urgent: urgent) }
        underway[key] = drawing
        return drawing
    }

    private func draw(
        _ key: PageKey, _ pdf: PDFSummary, urgent: Bool
    ) async -> Result<PageImage, ScorePagesError> {
        await withCheckedContinuation { waiter in
            queue.enter(key, urgent: urgent, waiter)
            startWaiting()
        }
        let result: Result<PageImage, ScorePagesError>
        if let failure = failures[key] {
            result = .failure(failure)
        } else {
            drawings += 1
            result = await picture(key, pdf)
        }
        switch result {
        case .success(let image): cache.keep(image, as: key)
        case .failure(let error): remember(error, key)
        }
        underway[key] = nil
        queue.leave(key)
        startWaiting()
        return result
    }

    private func startWaiting() {
        while let waiter = queue.next() { waiter.resume() }
    }

    private func remember(_ error: ScorePagesError, _ key: PageKey) {
        switch error {
        case .pageTooHeavy: queue.isHeavy(key.digest)
        case .pageNotDrawn: break
        default: return
        }
        if failures.count >= Self.rememberedFailures { failures.removeAll() }
        failures[key] = error
    }

    private func picture(_ key: PageKey, _ pdf: PDFSummary) async -> Result<PageImage, ScorePagesError> {
        let (width, height) = key.size.pixels(for: pdf.pages[key.page])
        do throws(ScorePagesError) {
            if !scans.contains(key.digest) {
                let png = try await rendering.render(
                    pdf, page: key.page, width: width, height: height, as: .png)
                if png.count <= Self.largestPNGBytes {
                    return .success(PageImage(bytes: png, format: .png))
                }
                scans.insert(key.digest)
            }
            let jpeg = try await rendering.render(
                pdf, page: key.page, width: width, height: height, as: .jpeg)
            return .success(PageImage(bytes: jpeg, format: .jpg))
        } catch {
            return .failure(error)
        }
    }
}
