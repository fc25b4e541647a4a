import Foundation
import Platform

/// Checks the PDF of a score before it is offered to users.
public struct ScorePDFInspector: Sendable {
    /// The limits for a PDF; a file that exceeds one is refused with an error message.
    public struct Limits: Equatable, Sendable {
        public var bytes: Int
        public var pages: Int
        /// The longest side of a page: two and a half metres of paper.
        public var longestSidePoints = 7_200.0
        public var shortestSidePoints = 36.0

        public init(bytes: Int = 200_000_000, pages: Int = 1_000) {
            self.bytes = bytes
            self.pages = pages
        }
    }

    public var tools: ExternalPageTools
    public var limits: Limits

    public init(tools: ExternalPageTools = .findTools(), limits: Limits = Limits()) {
        self.tools = tools
        self.limits = limits
    }

    /// Reads the file size, the page count and the page sizes. Only external processes with limited time and memory
    /// parse the PDF.
    /// - Throws: ``ScorePagesError`` for a file that is too large, no PDF, locked, damaged, or has impossible page
    ///   sizes.
    /// - Complexity: some 50 ms for 200 pages, and 3 ms per MB for the digest.
    public func inspect(_ path: String) async throws(ScorePagesError) -> PDFSummary {
        let bytes = try Self.checkHeader(path, limitBytes: limits.bytes)
        guard let pdfinfo = tools.pdfinfo else { throw .popplerMissing(program: "pdfinfo") }
        let scratch = try ScratchFolder()
        let (output, errors) = (scratch.fileURL("info.txt"), scratch.fileURL("errors.txt"))
        let absolute = URL(fileURLWithPath: path).path
        let listing = LimitedProcess(
            executable: pdfinfo, arguments: ["-f", "1", "-l", "\(limits.pages)", absolute],
            resourceLimits: .pageDrawing)
        switch await listing.run(in: scratch.url, output: output, errors: errors) {
        case .finished(status: 0): break
        case .finished:
            let complaint = ChildProcess.outputText(of: errors)
            if complaint.contains("Incorrect password") { throw .needsPassword(path: path) }
            throw .damagedPDF(path: path, reason: "its table of contents cannot be read")
        case .killed, .timedOut:
            throw .damagedPDF(path: path, reason: "reading it takes more time or memory than a score may")
        case .notStarted(let reason): throw .cannotRead(path: path, reason: reason)
        }
        let found = PDFInfoText(ChildProcess.outputText(of: output, limitBytes: 4_000_000))
        try checkPages(found, path: path)
        return PDFSummary(
            path: absolute, digest: try await computeDigest(of: absolute, in: scratch.url), bytes: bytes,
            pages: found.pageSizes, title: found.title, permitsPrinting: found.permitsPrinting)
    }

    private func checkPages(_ found: PDFInfoText, path: String) throws(ScorePagesError) {
        guard found.pageCount > 0 else { throw .noPages(path: path) }
        guard found.pageCount <= limits.pages else {
            throw .tooManyPages(path: path, pages: found.pageCount, limit: limits.pages)
        }
        guard found.pageSizes.count == found.pageCount else {
            throw .damagedPDF(path: path, reason: "page \(found.pageSizes.count + 1) has no size")
        }
        let sides = limits.shortestSidePoints...limits.longestSidePoints
        for (page, paper) in found.pageSizes.enumerated()
        where !sides.contains(paper.width) || !sides.contains(paper.height) {
            throw .impossiblePageSize(path: path, page: page, width: paper.width, height: paper.height)
        }
    }

    private func computeDigest(of path: String, in folder: URL) async throws(ScorePagesError) -> String {
        guard let program = tools.sha256sum else {
            throw .cannotRead(path: path, reason: "the program sha256sum is missing")
        }
        let output = folder.appendingPathComponent("digest.txt")
        let errors = folder.appendingPathComponent("digest-errors.txt")
        let summing = LimitedProcess(
            executable: program, arguments: ["--", path], resourceLimits: .pageDrawing)
        let outcome = await summing.run(in: folder, output: output, errors: errors)
        // A leading backslash means that the name after the digest is escaped.
        let digest = ChildProcess.outputText(of: output).drop { $0 == "\\" }.prefix(64)
        guard outcome == .finished(status: 0), digest.count == 64, digest.allSatisfy(\.isHexDigit) else {
            throw .cannotRead(path: path, reason: "its digest could not be computed")
        }
        return String(digest)
    }

    /// - Returns: the size of the file in bytes.
    /// - Throws: ``ScorePagesError`` if the file is not regular, is too large, or has no `%PDF-` in its first 1,024
    ///   bytes.
    static func checkHeader(_ path: String, limitBytes: Int) throws(ScorePagesError) -> Int {
        // O_NONBLOCK, because opening a named pipe would otherwise wait for a writer.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotRead(path: path, reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .cannotRead(path: path, reason: "it is no regular file")
        }
        let bytes = Int(status.st_size)
        guard bytes <= limitBytes else { throw .fileTooLarge(path: path, bytes: bytes, limit: limitBytes) }
        var head = [UInt8](repeating: 0, count: 1_024)
        let count = read(descriptor, &head, head.count)
        guard count > 0, String(decoding: head[..<count], as: UTF8.self).contains("%PDF-") else {
            throw .notPDF(path: path)
        }
        return bytes
    }
}
