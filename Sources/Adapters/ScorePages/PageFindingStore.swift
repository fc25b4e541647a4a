import Foundation
import Platform

/// Finds margins and angles of the pages of PDFs, once for each file, and keeps what was found on disk.
///
/// It works at the lowest priority, one file at a time, a few pages with each process.
public actor PageFindingStore {
    /// Gives the PDF of some pages.
    public typealias PDFMaker = @Sendable () async throws(ScorePagesError) -> PDFSummary
    private typealias SearchTask = Task<Result<[PageFinding], ScorePagesError>, Never>

    /// Number of pages that one process draws.
    private static let pagesPerProcess = 8
    private static let imageHeightPixels = 800
    /// The number of the method. Findings of another method are not used.
    private static let method = 1

    private struct StoredFindings: Codable {
        var method: Int
        var pages: [PageFinding]
    }

    private let folder: URL
    private let renderer: PDFPageRenderer
    private let hasRoom: @Sendable (Int) -> Bool
    private var known: [String: [PageFinding]] = [:]
    private var failed: Set<String> = []
    private var waitingToBegin: Set<String> = []
    private var running: [String: SearchTask] = [:]
    private var lastSearch: SearchTask?

    /// - Parameters:
    ///   - folder: the folder for the findings, created when needed. Its files may be deleted at any time.
    ///   - hasRoom: returns true if a number of bytes may be written to the disk now.
    public init(
        folder: String, tools: ExternalPageTools = .findTools(),
        hasRoom: @escaping @Sendable (Int) -> Bool = { _ in true }
    ) {
        self.folder = URL(fileURLWithPath: folder)
        renderer = PDFPageRenderer(tools: tools)
        self.hasRoom = hasRoom
    }

    /// Returns what is known of a file's pages without looking at them; nil if nothing is.
    public func knownFindings(of digest: String) -> [PageFinding]? {
        if let pages = known[digest] { return pages }
        guard digest.allSatisfy(\.isHexDigit), !digest.isEmpty,
            let bytes = try? Data(contentsOf: file(of: digest)),
            let stored = try? JSONDecoder().decode(StoredFindings.self, from: bytes),
            stored.method == Self.method
        else { return nil }
        remember(stored.pages, digest)
        return stored.pages
    }

    /// Starts to look at a file's pages after a short time, unless they are known or could not be read before. A stand
    /// that has just opened the score needs the processor for its first page.
    public func beginSearch(in pdf: PDFSummary, after delay: Duration = .seconds(2)) {
        beginSearch(of: pdf.digest, after: delay) { pdf }
    }

    /// Starts to look, as ``beginSearch(in:after:)`` does, at pages of which a PDF must be made first.
    /// - Parameters:
    ///   - digest: names the findings.
    ///   - makePDF: makes the PDF when it is this search's turn; if it throws, the pages count as unreadable.
    public func beginSearch(
        of digest: String, after delay: Duration = .seconds(2), _ makePDF: @escaping PDFMaker
    ) {
        guard knownFindings(of: digest) == nil, !failed.contains(digest),
            waitingToBegin.insert(digest).inserted
        else { return }
        Task(priority: .background) {
            try? await Task.sleep(for: delay)
            waitingToBegin.remove(digest)
            if knownFindings(of: digest) == nil { _ = searchTask(of: digest, makePDF) }
        }
    }

    /// Returns what is found on a file's pages, one finding for each page.
    /// - Complexity: some 50 ms for each page of an unknown file.
    public func findings(of pdf: PDFSummary) async throws(ScorePagesError) -> [PageFinding] {
        if let pages = knownFindings(of: pdf.digest) { return pages }
        return try await searchTask(of: pdf.digest) { pdf }.value.get()
    }

    private func searchTask(of digest: String, _ makePDF: @escaping PDFMaker) -> SearchTask {
        if let task = running[digest] { return task }
        let before = lastSearch
        let task = SearchTask(priority: .background) {
            _ = await before?.value
            return await self.search(digest, makePDF)
        }
        running[digest] = task
        lastSearch = task
        return task
    }

    private func search(_ digest: String, _ makePDF: PDFMaker) async -> Result<[PageFinding], ScorePagesError>
    {
        defer { running[digest] = nil }
        let renderer = renderer
        var found: [PageFinding] = []
        do throws(ScorePagesError) {
            let pdf = try await makePDF()
            for first in stride(from: 0, to: pdf.pages.count, by: Self.pagesPerProcess) {
                let pages = first..<min(first + Self.pagesPerProcess, pdf.pages.count)
                found += try await Self.look(at: pages, of: pdf, renderer)
            }
        } catch {
            failed.insert(digest)
            return .failure(error)
        }
        remember(found, digest)
        store(found, digest)
        return .success(found)
    }

    /// Draws some pages and looks at them, outside the actor.
    private nonisolated static func look(
        at pages: Range<Int>, of pdf: PDFSummary, _ renderer: PDFPageRenderer
    ) async throws(ScorePagesError) -> [PageFinding] {
        let images = try await renderer.renderGreyPages(pdf, pages: pages, height: Self.imageHeightPixels)
        return images.map { image in image.map { PageFinding(of: $0) } ?? PageFinding(ink: nil) }
    }

    private func remember(_ pages: [PageFinding], _ digest: String) {
        if known.count > 2_000 { known.removeAll() }
        known[digest] = pages
    }

    private func store(_ pages: [PageFinding], _ digest: String) {
        guard let bytes = try? JSONEncoder().encode(StoredFindings(method: Self.method, pages: pages)),
            hasRoom(bytes.count)
        else { return }
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try? bytes.write(to: file(of: digest), options: .atomic)
    }

    private func file(of digest: String) -> URL { folder.appendingPathComponent("\(digest).json") }
}

extension PDFPageRenderer {
    /// Draws some pages in shades of grey with one process; nil for a page that could not be drawn.
    func renderGreyPages(
        _ pdf: PDFSummary, pages: Range<Int>, height: Int
    ) async throws(ScorePagesError) -> [GreyImage?] {
        guard let pdftoppm = tools.pdftoppm else { throw .popplerMissing(program: "pdftoppm") }
        let scratch = try ScratchFolder()
        var limits = processBounds
        limits.niceness = 15
        limits.cpuSeconds *= 4
        limits.wallSeconds *= 4
        let drawing = LimitedProcess(
            executable: pdftoppm,
            arguments: [
                "-gray", "-q", "-f", "\(pages.lowerBound + 1)", "-l", "\(pages.upperBound)", "-cropbox",
                "-scale-to-x", "-1", "-scale-to-y", "\(height)", pdf.path, "page",
            ], resourceLimits: limits)
        _ = await drawing.run(
            in: scratch.url, output: scratch.fileURL("output.txt"), errors: scratch.fileURL("errors.txt"))
        var images = [GreyImage?](repeating: nil, count: pages.count)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: scratch.url.path)) ?? [] {
            // The files are called page-7.pgm, or page-007.pgm if the PDF has hundreds of pages.
            guard name.hasPrefix("page-"), name.hasSuffix(".pgm"),
                let number = Int(name.dropFirst(5).dropLast(4)), pages.contains(number - 1),
                let bytes = try? Data(contentsOf: scratch.fileURL(name))
            else { continue }
            images[number - 1 - pages.lowerBound] = try? GreyImage(pgm: [UInt8](bytes))
        }
        guard images.contains(where: { $0 != nil }) else {
            throw .pageNotDrawn(page: pages.lowerBound, reason: "the file is damaged there")
        }
        return images
    }
}
