import Catalogue
import Foundation
import Platform
import Rehearsal
import ScorePages

/// Imports uploaded score files.
extension Library {
    /// Largest score file that may be uploaded, in bytes.
    package static let mostUploadBytes = 200_000_000
    static let mostParallelPDFInspections = 4

    /// Title and names of a score, as a librarian gave them.
    package struct ScoreHeading: Equatable, Sendable, Codable {
        package var title: String
        package var composer = ""
        package var lyricist = ""
        package var arranger = ""
        /// Name of the uploaded file. It is the title if the librarian gives none. A title inside MusicXML takes
        /// precedence over the file's name. A title inside a PDF does not, because it often belongs to a document
        /// that the same program wrote earlier.
        package var file: String?
        /// The folder of the piece that the score is of; nil if nobody has said.
        var piece: String?
        /// The interval by which a part is written higher than in the file; nil for as it is.
        package var transposition: WrittenInterval?

        package init(
            title: String, composer: String = "", lyricist: String = "", arranger: String = "",
            file: String? = nil
        ) {
            self.title = title
            self.composer = composer
            self.lyricist = lyricist
            self.arranger = arranger
            self.file = file
        }
    }

    /// Imports a new score.
    ///
    /// A PDF is completely imported on return. MusicXML is stored on disk and engraved later, after a restart if
    /// necessary; see ``importProgress(of:)``.
    /// - Parameter path: the uploaded file in the store's folder of arrivals; it is moved away once it is stored.
    package func addScore(file path: String, _ heading: ScoreHeading) async throws
        -> Rehearsal.Score.ID
    {
        let id = Rehearsal.Score.ID.new()
        switch try ScoreFileKind.detect(path) {
        case .pdf:
            let summary = try await inspectAndStoreFile(pdf: path)
            var heading = heading
            if heading.title.isEmpty { heading.title = heading.file ?? summary.title ?? "Untitled" }
            let part = try Self.makePart(named: "Score", summary)
            try await addEntry(
                LibraryEntry(score: try Self.makeScore(id, heading, [part]), sources: [.pdf(summary)]))
            importLog.record(
                ImportProgress(state: .ready, done: summary.pages.count, of: summary.pages.count), of: id)
            renderThumbnails(summary)
        case .musicXML:
            // A bad title is refused now rather than after a minute of engraving.
            _ = try Self.makeScore(
                id, heading.title.isEmpty ? ScoreHeading(title: "x") : heading, [Self.placeholderPart])
            try await queueEngraving(musicXML: path, id, heading: heading)
        }
        return id
    }

    /// Puts the score with which a piece was prepared into the library, bound to the piece, so that it need not be
    /// uploaded again for stands and rehearsal letters. A score that was engraved from the same file is bound instead
    /// of a copy, if it is of one movement and of no other piece.
    /// - Parameters:
    ///   - path: the file, which stays where it is.
    ///   - folder: the piece's folder.
    /// - Returns: false if the library has a score of this piece, or a file of this kind is not shown, such as MIDI.
    package func keepScore(file path: String, of folder: String, named name: String) async throws -> Bool {
        guard let kind = try? ScoreFileKind.detect(path), case .musicXML = kind,
            !allEntries.contains(where: { $0.score.movements.contains { $0.piece == folder } }),
            try await !catalogue.scoreImports().contains(where: { heading(of: $0)?.piece == folder })
        else { return false }
        if let bytes = FileManager.default.contents(atPath: path) {
            let digest = Digest(of: [UInt8](bytes)).description
            let isSame = { (entry: LibraryEntry) in
                entry.score.movements.count == 1 && entry.score.movements[0].piece == nil
                    && entry.sources.contains { $0.music?.digest == digest }
            }
            if let entry = allEntries.first(where: isSame) {
                let only = entry.score.movements[0]
                let bound = try Movement(
                    name: only.name, piece: folder, performance: only.performance,
                    isAttacca: only.isAttacca, marks: only.marks)
                try await storeRevision(
                    entry.makeNextRevision(try entry.score.replacing(movements: [bound])))
                return true
            }
        }
        let arrived = "\(assetStore.uploadFolder)/\(UUID().uuidString)"
        try FileManager.default.copyItem(atPath: path, toPath: arrived)
        defer { try? FileManager.default.removeItem(atPath: arrived) }
        var named = ScoreHeading(title: "", file: name)
        named.piece = folder
        _ = try await addScore(file: arrived, named)
        return true
    }

    /// Adds a part to a score. A PDF is added at once, MusicXML after it has been engraved.
    func addPart(
        file path: String, named name: String, transposition: WrittenInterval? = nil,
        to id: Rehearsal.Score.ID
    ) async throws {
        _ = try entry(id)
        switch try ScoreFileKind.detect(path) {
        case .pdf:
            guard transposition == nil else {
                throw LibraryRefusal.badRequest("A PDF cannot be transposed; add the part as MusicXML.")
            }
            let summary = try await inspectAndStoreFile(pdf: path)
            try await appendPart(try Self.makePart(named: name, summary), .pdf(summary), to: id)
            renderThumbnails(summary)
        case .musicXML:
            var heading = ScoreHeading(title: "")
            heading.transposition = transposition
            try await queueEngraving(musicXML: path, id, part: name, heading: heading)
        }
    }

    func importProgress(of id: Rehearsal.Score.ID) throws -> ImportProgress {
        if let progress = importLog[id] { return progress }
        let pages = try entry(id).score.parts.reduce(0) { $0 + $1.pages.count }
        return ImportProgress(state: .ready, done: pages, of: pages)
    }

    // MARK: PDF

    private func inspectAndStoreFile(pdf path: String) async throws -> PDFSummary {
        guard runningPDFInspections < Self.mostParallelPDFInspections else {
            throw LibraryRefusal.busy("other files")
        }
        runningPDFInspections += 1
        defer { runningPDFInspections -= 1 }
        var summary: PDFSummary
        do throws(ScorePagesError) {
            summary = try await ScorePDFInspector(tools: tools, limits: .init(bytes: Self.mostUploadBytes))
                .inspect(
                    path)
        } catch { throw LibraryRefusal.badUpload(error, path: path) }
        try await storeFile(arrived: path, summary.digest)
        summary.path = assetStore.folder + "/" + summary.digest
        return summary
    }

    /// Moves an upload into the asset store. This runs outside the actor, because syncing 200 MB to disk takes seconds
    /// and would delay requests for pages.
    package func storeFile(arrived path: String, _ digest: String) async throws {
        let shelf = assetStore
        try await Task.detached { try shelf.acceptUpload(path, digest: digest) }.value
    }

    /// Draws, in the background, what stands show first: the first page, then the thumbnails of all pages; then looks
    /// for margins.
    private func renderThumbnails(_ summary: PDFSummary) {
        let images = pageImages
        let findings = pageFindings
        Task(priority: .background) {
            for size in [PageImageSize.medium, .large] {
                _ = try? await images.pageImage(of: summary, page: 0, size: size)
            }
            await images.renderMissingPages(summary, size: .thumbnail)
            await findings.beginSearch(in: summary)
        }
    }

    private static func makePart(named name: String, _ summary: PDFSummary) throws -> Part {
        return try Part(
            name: name, pages: summary.pages.map { PageSize(width: $0.width, height: $0.height) })
    }

    // MARK: Helpers

    /// The movements with rehearsal marks that a part has brought: those that a librarian wrote stay, and in a score of
    /// several movements nobody knows to which they belong.
    private static func movements(
        _ old: [Movement], adding marks: [RehearsalMark]
    ) throws -> [Movement] {
        guard old.count == 1, let only = old.first, only.marks.isEmpty else { return old }
        return [
            try Movement(
                name: only.name, piece: only.piece, performance: only.performance,
                isAttacca: only.isAttacca,
                marks: marks)
        ]
    }

    /// Adds a part at the end of a score.
    /// - Parameters:
    ///   - marks: rehearsal marks that came with the part.
    ///   - finished: id of the import that delivered the part; the import is deleted in the same transaction.
    package func appendPart(
        _ part: Part, _ source: PartSource, to id: Rehearsal.Score.ID, marks: [RehearsalMark] = [],
        finishing finished: String? = nil
    ) async throws {
        let now = try entry(id)
        let score = try now.score.replacing(
            movements: try Self.movements(now.score.movements, adding: marks), parts: now.score.parts + [part]
        )
        try await storeRevision(
            now.makeNextRevision(score, sources: now.sources + [source]), finishing: finished)
    }

    package static func makeScore(
        _ id: Rehearsal.Score.ID, _ heading: ScoreHeading, _ parts: [Part], piece: String? = nil,
        movement: String = "", marks: [RehearsalMark] = []
    ) throws -> Rehearsal.Score {
        return try Rehearsal.Score(
            id: id, title: heading.title, composer: heading.composer, lyricist: heading.lyricist,
            arranger: heading.arranger, movements: [Movement(name: movement, piece: piece, marks: marks)],
            parts: parts)
    }

    private static let placeholderPart: Part = {
        guard let part = try? Part(name: "Score", pages: [PageSize(width: 595, height: 842)]) else {
            preconditionFailure("a page of A4 is a page")
        }
        return part
    }()
}
