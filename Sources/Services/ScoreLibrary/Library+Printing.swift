import Digests
import Foundation
import Rehearsal
import ScorePages
import WebServer

/// Parts on paper, with what was written on them.
extension Library {
    static let mostPrintings = 2
    /// About what a printed page takes on the disk, with its picture.
    private static let printedPageBytes = 1 << 20
    /// Of engraved pages as a PDF, since they were last printed.
    private static let pagesStaySeconds = 30 * 86_400.0

    /// A part with remarks, as the answer to whoever asked for it.
    ///
    /// Who may see which remarks is the caller's business, as is whether the asker holds the score.
    /// - Parameters:
    ///   - part: index into the score's parts.
    ///   - remarks: of any part; those of other parts are left out.
    package func answer(
        printing score: Rehearsal.Score.ID, part: Int, remarks: [Remark]
    ) async -> WebResponse {
        do throws(LibraryFault) {
            let parts = try entry(score).score.parts
            let pages = parts.indices.contains(part) ? parts[part].pages.count : 0
            if let refused = reserve.refusal(adding: pages * Self.printedPageBytes) { return refused }
            let print = try await print(score, part: part, remarks: remarks)
            return .file(print.path, contentType: "application/pdf", tag: print.tag)
                .with("Content-Disposition", "attachment; filename=\"\(print.name)\"")
                .with("Cache-Control", "private, no-store")
        } catch {
            return LibraryRoutes.refusal(error)
        }
    }

    /// A part written as PDF, page pictures and remarks over them.
    /// - Returns: where the file lies for a minute, a tag, and a name of plain letters to save it under.
    /// - Throws: ``ScorePagesError/notPermitted(path:)`` where the publisher forbids printing.
    /// - Complexity: some 0.3 s a page that nobody has looked at yet.
    package func print(
        _ id: Rehearsal.Score.ID, part number: Int, remarks: [Remark]
    ) async throws(LibraryFault) -> (path: String, tag: String, name: String) {
        let entry = try entry(id)
        guard entry.sources.indices.contains(number) else { throw .noSuchPart(number) }
        guard printings < Self.mostPrintings else { throw .busy("printing other parts") }
        printings += 1
        defer { printings -= 1 }
        let part = entry.score.parts[number]
        let tag = UUID().uuidString.lowercased()
        let path = "\(prints)/\(tag).pdf"
        makeFolder()
        do throws(ScorePagesError) {
            let summary = try await pdf(of: entry.sources[number], part)
            guard summary.permitsPrinting else { throw .notPermitted(path: entry.score.title) }
            let written = Dictionary(grouping: remarks.filter { $0.part == number }, by: \.page)
            let images = images
            try await AnnotatedPDF.write(
                to: path, title: "\(entry.score.title) – \(part.name)", pageCount: summary.pages.count
            ) { (page) async throws(ScorePagesError) in
                let paper = summary.pages[page]
                return AnnotatedPage(
                    image: try await images.image(of: summary, page: page, size: .large), paper: paper,
                    marks: RemarkMarks.marks(written[page] ?? [], on: paper))
            }
        } catch { throw .pages(error, file: nil) }
        remove(path, after: printStays)
        return (path, String(tag.prefix(8)), Self.fileName(entry.score.title, part.name))
    }

    /// The PDF behind a part; engraved pages become one, which is kept: the same pages are the same file, and so the
    /// same pictures.
    package func pdf(of source: PartSource, _ part: Part) async throws(ScorePagesError) -> PDFSummary {
        switch source {
        case .pdf(let summary): return summary
        case .engraved(let files):
            makeFolder()
            let digest = Digest(of: Array(files.map(\.digest).joined().utf8)).description
            let kept = "\(prints)/pages-\(digest).pdf"
            if FileManager.default.fileExists(atPath: kept) {
                try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: kept)
                return try await ScorePDFInspector(tools: tools).inspect(kept)
            }
            var pages: [EngravedPage] = []
            for (file, page) in zip(files, part.pages) {
                guard let svg = shelf.bytes(of: file.digest) else {
                    throw .cannotRead(path: "A page of the score", reason: "its file is missing")
                }
                pages.append(
                    EngravedPage(
                        paper: PaperSize(width: page.width, height: page.height), svg: svg,
                        isCompressed: file.isCompressed))
            }
            let path = "\(prints)/\(UUID().uuidString.lowercased()).pdf"
            try await ScoreEngraver(tools: tools).writePDF(of: pages, to: path)
            // Whoever printed the same meanwhile is left a whole file.
            guard rename(path, kept) == 0 else {
                throw .cannotWrite(path: kept, reason: String(cString: strerror(errno)))
            }
            return try await ScorePDFInspector(tools: tools).inspect(kept)
        }
    }

    /// Private remarks are in it: it stays as long as its answer takes to begin. Who is reading it reads on.
    private func remove(_ path: String, after stay: Duration) {
        lastRemoval = Task.detached {
            try? await Task.sleep(for: stay)
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    private nonisolated func makeFolder() {
        try? FileManager.default.createDirectory(
            atPath: prints, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// For the start: what a killed process has left, and engraved pages that nobody prints any more.
    nonisolated func removePrints() {
        let files = FileManager.default
        for name in (try? files.contentsOfDirectory(atPath: prints)) ?? [] {
            let path = "\(prints)/\(name)"
            let used = (try? files.attributesOfItem(atPath: path))?[.modificationDate] as? Date
            if name.hasPrefix("pages-"), let used, Date().timeIntervalSince(used) < Self.pagesStaySeconds {
                continue
            }
            try? files.removeItem(atPath: path)
        }
    }

    /// Letters, digits and dashes, whatever the score is called.
    private static func fileName(_ title: String, _ part: String) -> String {
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
