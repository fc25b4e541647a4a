import Foundation
import Hosting
import Platform
import Rehearsal
import ScorePages
import WebServer

/// Prints parts with the players' remarks.
extension Library {
    static let mostParallelPrintings = 2
    /// Approximate disk space of a printed page with its image, in bytes.
    static let printedPageBytes = 1 << 20
    /// The PDF of engraved pages is deleted when it was not used for this number of seconds.
    private static let engravedPDFLifetimeSeconds = 30 * 86_400.0

    /// Makes the HTTP response with a part and its remarks as PDF.
    ///
    /// The caller checks the user's right to the score and selects the remarks that the user may see.
    /// - Parameters:
    ///   - part: index of the part in the score.
    ///   - remarks: the remarks of any part; of other parts, those for all parts are printed.
    package func makePrintResponse(
        printing score: Rehearsal.Score.ID, part: Int, in form: PrintedForm = PrintedForm(),
        remarks: [Remark]
    ) async -> WebResponse {
        do {
            var written: WrittenInterval?
            if let interval = form.interval { written = try ScoreRoutes.parseInterval(interval) }
            let parts = try entry(score).score.parts
            let pages = parts.indices.contains(part) ? parts[part].pages.count : 0
            if let refused = diskReserve.refusal(adding: pages * Self.printedPageBytes) { return refused }
            let print = try await printPart(
                score, part: part, written: written, isCropped: form.isCropped, remarks: remarks)
            return .file(print.path, contentType: "application/pdf", tag: print.tag)
                .withHeader("Content-Disposition", "attachment; filename=\"\(print.name)\"")
                .withHeader("Cache-Control", "private, no-store")
        } catch {
            return LibraryRefusal(error).response
        }
    }

    /// Writes a part as PDF, with the remarks drawn over the page images.
    /// - Parameters:
    ///   - interval: by how much the part is written higher for the reader; remarks move with their notes.
    ///   - isCropped: true to leave the margins out, as stands do. The pages of another key keep theirs: the frame of
    ///     the part's own pages says nothing of them.
    /// - Returns: the path of the file (it is deleted after a minute), a cache tag, and a file name in ASCII.
    /// - Throws: ``ScorePagesError/printingNotPermitted(path:)`` if the publisher forbids printing.
    /// - Complexity: about 0.3 s for each page that is not in the image cache.
    package func printPart(
        _ id: Rehearsal.Score.ID, part number: Int, written interval: WrittenInterval? = nil,
        isCropped: Bool = false, remarks: [Remark]
    ) async throws -> (path: String, tag: String, name: String) {
        let entry = try entry(id)
        guard entry.sources.indices.contains(number) else { throw LibraryRefusal.noSuchPart(number) }
        guard runningPrintings < Self.mostParallelPrintings else {
            throw LibraryRefusal.busy("printing other parts")
        }
        runningPrintings += 1
        defer { runningPrintings -= 1 }
        let part = entry.score.parts[number]
        var maps: [RewrittenPageMap] = []
        if let interval { maps = try await writtenPart(id, part: number, interval).pages }
        let laid = await laidScore(entry).parts[number]
        let sequence = PageSequence(laid)
        let tag = UUID().uuidString.lowercased()
        let path = "\(printFolder)/\(tag).pdf"
        makePrintFolder()
        let source = entry.sources[number]
        let summary =
            if let interval { try await findOrMakePDF(of: source, part, written: interval) } else {
                try await findOrMakePDF(of: source, part)
            }
        guard summary.permitsPrinting else {
            throw ScorePagesError.printingNotPermitted(path: entry.score.title)
        }
        let printed =
            remarks.filter { $0.part == number } + RemarkTransfer(entry.score).shown(remarks, inPart: number)
        let remarksByPage = Dictionary(grouping: printed, by: \.page)
        let images = pageImages
        try await AnnotatedPDFWriter.write(
            to: path, title: "\(entry.score.title) – \(part.name)", pageCount: sequence.count
        ) { (position) async throws(ScorePagesError) in
            let page = sequence.pages[position]
            let isBlank = !summary.pages.indices.contains(page)
            let map = maps.indices.contains(page) ? maps[page] : nil
            let form = Self.formOnPaper(of: page, laid, summary, isRewritten: map != nil)
            let annotations = RemarkAnnotations.annotations(
                remarksByPage[page] ?? [], on: form, moved: map)
            let size = PaperSize(width: form.uprightSize.width, height: form.uprightSize.height)
            let crop = isCropped && !isBlank && map == nil ? laid.layout?.crop : nil
            return AnnotatedPage(
                image: isBlank ? nil : try await images.pageImage(of: summary, page: page, size: .large),
                paperSize: size, annotations: annotations,
                quarterTurns: form.quarterTurns, tiltDegrees: form.tiltDegrees,
                shown: crop.map {
                    PageFrame($0.rectangle(ofPage: page)).widened(for: annotations, on: size)
                }
                    ?? .whole)
        }
        removePrint(path, after: printLifetime)
        let name = part.name + (interval.map { " \($0)" } ?? "")
        return (path, String(tag.prefix(8)), Self.makePrintFileName(entry.score.title, name))
    }

    /// Returns how a page is laid, in the PDF's points: engraved pages have another unit.
    /// - Parameter isRewritten: true if the printed page is in another key; it has a height of its own.
    private static func formOnPaper(
        of page: Int, _ part: Part, _ summary: PDFSummary, isRewritten: Bool
    ) -> PageForm {
        let form = part.form(ofPage: page)
        let known = summary.pages.indices.contains(page) ? page : 0
        let scale = summary.pages[known].width / part.pages[known].width
        let height = isRewritten ? summary.pages[known].height : form.size.height * scale
        return PageForm(
            size: PageSize(width: form.size.width * scale, height: height),
            quarterTurns: form.quarterTurns, tiltDegrees: form.tiltDegrees)
    }

    /// Returns the PDF of a part. For engraved pages it is made once and named by the pages' digests, so that cached
    /// page images stay valid.
    package func findOrMakePDF(of source: PartSource, _ part: Part) async throws(ScorePagesError)
        -> PDFSummary
    {
        switch source {
        case .pdf(let summary): return summary
        case .engraved(let files, _):
            return try await findOrMakePDF(
                named: source.imageDigest,
                of: zip(files, part.pages).map { file, page in
                    (assetStore.path(of: file.digest), file.isCompressed, page)
                })
        }
    }

    /// Returns the PDF of a part in another key that was engraved before; see ``writtenPart(_:part:_:)``.
    private func findOrMakePDF(
        of source: PartSource, _ part: Part, written interval: WrittenInterval
    ) async throws(ScorePagesError) -> PDFSummary {
        try await findOrMakePDF(
            named: "\(source.imageDigest)-\(interval)",
            of: part.pages.enumerated().map { number, page in
                (writtenPage(of: source, page: number, interval), false, page)
            })
    }

    /// - Parameter pages: the path of each engraved page, whether the file is compressed, and its size.
    private func findOrMakePDF(
        named name: String, of pages: [(path: String?, isCompressed: Bool, size: PageSize)]
    ) async throws(ScorePagesError) -> PDFSummary {
        makePrintFolder()
        let kept = "\(printFolder)/pages-\(name).pdf"
        if FileManager.default.fileExists(atPath: kept) {
            try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: kept)
            return try await ScorePDFInspector(tools: tools).inspect(kept)
        }
        var engraved: [EngravedPage] = []
        for page in pages {
            guard let path = page.path, let svg = FileManager.default.contents(atPath: path) else {
                throw ScorePagesError.cannotRead(path: "A page of the score", reason: "its file is missing")
            }
            engraved.append(
                EngravedPage(
                    paperSize: PaperSize(width: page.size.width, height: page.size.height), svg: [UInt8](svg),
                    isCompressed: page.isCompressed))
        }
        let path = "\(printFolder)/\(UUID().uuidString.lowercased()).pdf"
        try await ScoreEngraver(tools: tools).writePDF(of: engraved, to: path)
        // A parallel request may be reading the old file, so `rename` replaces it in one step.
        guard rename(path, kept) == 0 else {
            throw .cannotWrite(path: kept, reason: String(cString: strerror(errno)))
        }
        return try await ScorePDFInspector(tools: tools).inspect(kept)
    }

    /// Deletes a printed part after a delay, because it contains private remarks. A download under way is not
    /// interrupted.
    private func removePrint(_ path: String, after stay: Duration) {
        lastPrintRemovalTask = Task.detached {
            try? await Task.sleep(for: stay)
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    private nonisolated func makePrintFolder() {
        try? FileManager.default.createDirectory(
            atPath: printFolder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Deletes, at start-up, the prints of an earlier run and the PDFs of engraved pages that were not printed for 30
    /// days.
    nonisolated func removeLeftoverPrints() {
        let files = FileManager.default
        for name in (try? files.contentsOfDirectory(atPath: printFolder)) ?? [] {
            let path = "\(printFolder)/\(name)"
            let used = (try? files.attributesOfItem(atPath: path))?[.modificationDate] as? Date
            if name.hasPrefix("pages-"), let used,
                Date().timeIntervalSince(used) < Self.engravedPDFLifetimeSeconds
            {
                continue
            }
            try? files.removeItem(atPath: path)
        }
    }

    /// Makes a file name of ASCII letters, digits and dashes from the titles of a score and a part.
    private static func makePrintFileName(_ title: String, _ part: String) -> String {
        let letters = "\(title) \(part)".decomposedStringWithCompatibilityMapping.unicodeScalars.filter {
            $0.properties.canonicalCombiningClass == .notReordered
        }
        let words = String(String.UnicodeScalarView(letters)).split {
            !($0.isASCII && ($0.isLetter || $0.isNumber))
        }
        let name = words.joined(separator: "-").prefix(80)
        return (name.isEmpty ? "score" : String(name)) + ".pdf"
    }
}

extension PageFrame {
    fileprivate init(_ rectangle: PageRectangle) {
        self.init(
            left: rectangle.left, top: rectangle.top, right: rectangle.right, bottom: rectangle.bottom)
    }
}
