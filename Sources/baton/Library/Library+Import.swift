import Catalogue
import Foundation
import Digests
import Rehearsal
import ScorePages

/// Taking files in.
extension Library {
    /// Of one upload.
    static let mostBytes = 200_000_000
    static let mostEngravings = 4
    static let mostInspections = 4
    private static let rememberedImports = 500

    /// What a librarian says of a score.
    struct Heading: Equatable, Sendable {
        var title: String
        var composer = ""
        var lyricist = ""
        var arranger = ""
    }

    /// Takes a new score in.
    ///
    /// A PDF is there when this returns; MusicXML is engraved behind it, see ``importProgress(of:)``.
    /// - Parameter path: of the file among the shelf's arrivals; moved away where it is kept.
    func add(file path: String, _ heading: Heading) async throws(LibraryFault) -> Rehearsal.Score.ID {
        let id = Rehearsal.Score.ID.new()
        switch try ScoreFileKind.of(path) {
        case .pdf:
            let summary = try await take(pdf: path)
            var heading = heading
            if heading.title.isEmpty { heading.title = summary.title ?? "Untitled" }
            let part = try Self.part(named: "Score", summary)
            try await add(
                LibraryScore(score: try Self.score(id, heading, [part]), sources: [.pdf(summary)]))
            note(ImportProgress(state: .ready, done: summary.pages.count, of: summary.pages.count), of: id)
            drawAhead(summary)
        case .musicXML:
            let bytes = try musicXML(path)
            // Refused now rather than after a minute of engraving.
            _ = try Self.score(id, heading.title.isEmpty ? Heading(title: "x") : heading, [Self.anyPart])
            try engrave(id) { [self] in try await takeScore(bytes, id, heading) }
        }
        return id
    }

    /// Adds a part to a score: a PDF at once, MusicXML behind the answer.
    func addPart(
        file path: String, named name: String, to id: Rehearsal.Score.ID
    ) async throws(LibraryFault) {
        _ = try entry(id)
        switch try ScoreFileKind.of(path) {
        case .pdf:
            let summary = try await take(pdf: path)
            try await append([(try Self.part(named: name, summary), .pdf(summary))], to: id)
            drawAhead(summary)
        case .musicXML:
            let bytes = try musicXML(path)
            try engrave(id) { [self] in
                let engraved = try await engraved(bytes, part: nil, named: name)
                try await append([(engraved.part, engraved.source)], to: id)
            }
        }
    }

    func importProgress(of id: Rehearsal.Score.ID) throws(LibraryFault) -> ImportProgress {
        if let progress = imports[id] { return progress }
        let pages = try entry(id).score.parts.reduce(0) { $0 + $1.pages.count }
        return ImportProgress(state: .ready, done: pages, of: pages)
    }

    // MARK: PDF

    private func take(pdf path: String) async throws(LibraryFault) -> PDFSummary {
        guard inspections < Self.mostInspections else { throw .busy("other files") }
        inspections += 1
        defer { inspections -= 1 }
        var summary: PDFSummary
        do throws(ScorePagesError) {
            summary = try await ScoreImport(tools: tools, limits: .init(bytes: Self.mostBytes)).inspect(path)
        } catch { throw .pages(error, file: path) }
        // Until 200 MB are safely on the disk, others go on asking for pages.
        let (shelf, digest) = (shelf, summary.digest)
        let fault = await Task.detached { () -> CatalogueError? in
            do throws(CatalogueError) { try shelf.take(path, digest: digest) } catch { return error }
            return nil
        }.value
        if let fault { throw .catalogue(fault) }
        summary.path = shelf.folder + "/" + summary.digest
        return summary
    }

    private func drawAhead(_ summary: PDFSummary) {
        let images = images
        Task(priority: .background) { await images.prepare(summary, size: .thumbnail) }
    }

    private static func part(named name: String, _ summary: PDFSummary) throws(LibraryFault) -> Part {
        do throws(RehearsalFault) {
            return try Part(
                name: name, pages: summary.pages.map { Page(width: $0.width, height: $0.height) })
        } catch { throw .rehearsal(error) }
    }

    // MARK: MusicXML

    private nonisolated func musicXML(_ path: String) throws(LibraryFault) -> [UInt8] {
        let bytes = ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int) ?? 0
        guard bytes <= Engraving.maximumBytes else {
            throw .pages(.tooLarge(path: path, bytes: bytes, limit: Engraving.maximumBytes), file: path)
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .pages(.cannotRead(path: path, reason: "it was lost on its way"), file: path)
        }
        return [UInt8](data)
    }

    /// Queues work of minutes: one engraving at a time leaves the machine to the music.
    private func engrave(
        _ id: Rehearsal.Score.ID, _ work: @escaping @Sendable () async throws -> Void
    ) throws(LibraryFault) {
        guard engravings < Self.mostEngravings else { throw .busy("engraving other scores") }
        engravings += 1
        note(ImportProgress(state: .waiting), of: id)
        let before = lastEngraving
        lastEngraving = Task {
            await before?.value
            do {
                note(ImportProgress(state: .engraving), of: id)
                try await work()
                imports[id] = nil
            } catch {
                let sentence = (error as? LibraryFault)?.sentence ?? "The score could not be taken in."
                note(ImportProgress(state: .failed, sentence: sentence), of: id)
            }
            engravings -= 1
        }
    }

    private func takeScore(
        _ bytes: [UInt8], _ id: Rehearsal.Score.ID, _ heading: Heading
    ) async throws(LibraryFault) {
        let whole: EngravedScore
        do throws(ScorePagesError) {
            whole = try await Engraving(tools: tools).engrave(musicXML: bytes)
        } catch { throw .pages(error, file: nil) }
        var heading = heading
        if heading.title.isEmpty { heading.title = whole.title ?? "Untitled" }
        if heading.composer.isEmpty { heading.composer = whole.composer ?? "" }
        let isSolo = whole.parts.count <= 1
        var found = [try keep(whole, named: isSolo ? whole.parts.first ?? "Score" : "Score")]
        if !isSolo {
            let names = whole.parts.prefix(RoomLimits.mostParts - 1)
            for (number, name) in names.enumerated() {
                note(ImportProgress(state: .engraving, done: number + 1, of: names.count + 1), of: id)
                found.append(try await engraved(bytes, part: name, named: name))
            }
        }
        try await add(
            LibraryScore(score: try Self.score(id, heading, found.map(\.part)), sources: found.map(\.source)))
    }

    private func engraved(
        _ bytes: [UInt8], part: String?, named name: String
    ) async throws(LibraryFault) -> (part: Part, source: PartSource) {
        let engraved: EngravedScore
        do throws(ScorePagesError) {
            engraved = try await Engraving(tools: tools).engrave(musicXML: bytes, part: part)
        } catch { throw .pages(error, file: nil) }
        return try keep(engraved, named: name)
    }

    /// Puts engraved pages on the shelf.
    nonisolated func keep(
        _ engraved: EngravedScore, named name: String
    ) throws(LibraryFault) -> (part: Part, source: PartSource) {
        let part: Part
        do throws(RehearsalFault) {
            part = try EngravedPart.part(
                named: name, engraved.layout, printed: engraved.printed, rests: engraved.rests)
        } catch { throw .rehearsal(error) }
        var files: [PartSource.EngravedFile] = []
        for page in engraved.pages {
            let digest = Digest(of: page.svg).description
            do throws(CatalogueError) {
                if shelf.path(of: digest) == nil { try shelf.keep(page.svg, digest: digest) }
            } catch { throw .catalogue(error) }
            files.append(PartSource.EngravedFile(digest: digest, isCompressed: page.isCompressed))
        }
        return (part, .engraved(files))
    }

    // MARK: Steps

    private func append(
        _ more: [(part: Part, source: PartSource)], to id: Rehearsal.Score.ID
    ) async throws(LibraryFault) {
        let now = try entry(id)
        let score = try now.score.with(parts: now.score.parts + more.map(\.part))
        try await keep(now.changed(score, sources: now.sources + more.map(\.source)))
    }

    private func note(_ progress: ImportProgress, of id: Rehearsal.Score.ID) {
        if imports.updateValue(progress, forKey: id) == nil { importOrder.append(id) }
        while importOrder.count > Self.rememberedImports { imports[importOrder.removeFirst()] = nil }
    }

    static func score(
        _ id: Rehearsal.Score.ID, _ heading: Heading, _ parts: [Part], piece: String? = nil,
        movement: String = ""
    ) throws(LibraryFault) -> Rehearsal.Score {
        do throws(RehearsalFault) {
            return try Rehearsal.Score(
                id: id, title: heading.title, composer: heading.composer, lyricist: heading.lyricist,
                arranger: heading.arranger, movements: [Movement(name: movement, piece: piece)], parts: parts)
        } catch { throw .rehearsal(error) }
    }

    private static let anyPart: Part = {
        guard let part = try? Part(name: "Score", pages: [Page(width: 595, height: 842)]) else {
            preconditionFailure("a page of A4 is a page")
        }
        return part
    }()
}
