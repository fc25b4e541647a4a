import Catalogue
import Digests
import Foundation
import Rehearsal
import ScorePages

/// MusicXML: kept on the disk and on a list before the answer, engraved one score after the other behind it.
extension Library {
    static let mostEngravings = 4
    /// A score that the whole server has died of twice is not begun a third time.
    static let mostTries = 2

    /// Keeps an upload and queues its engraving; both outlive this process.
    /// - Parameters:
    ///   - part: name of the further part it becomes; nil for a whole score.
    ///   - heading: what a whole score is called.
    package func queue(
        musicXML path: String, _ id: Rehearsal.Score.ID, part: String? = nil,
        heading: Heading = Heading(title: "")
    ) async throws(LibraryFault) {
        guard engravings < Self.mostEngravings else { throw .busy("engraving other scores") }
        engravings += 1
        do throws(LibraryFault) {
            let digest = Digest(of: try Self.musicXML(path)).description
            try await keep(arrived: path, digest)
            let words = (try? JSONEncoder().encode(heading)).map { String(decoding: $0, as: UTF8.self) }
            let row = StoredImport(
                id: UUID().uuidString.lowercased(), score: id.description, part: part,
                heading: words ?? "{}", digest: digest)
            do throws(CatalogueError) { try await catalogue.addImport(row) } catch { throw .catalogue(error) }
            engrave(row, id)
        } catch {
            engravings -= 1
            throw error
        }
    }

    /// Goes on with what a process before this one had taken and not engraved.
    /// - Returns: sentences about what cannot be gone on with.
    package func resumeImports() async -> [String] {
        let rows: [StoredImport]
        do throws(CatalogueError) { rows = try await catalogue.scoreImports() } catch {
            return ["What was still to be engraved cannot be read: \(error.sentence)"]
        }
        for row in rows {
            guard let id = Rehearsal.Score.ID(row.score) else { continue }
            engravings += 1
            engrave(row, id)
        }
        return []
    }

    /// One engraving at a time leaves the machine to the music.
    private func engrave(_ row: StoredImport, _ id: Rehearsal.Score.ID) {
        imports.note(ImportProgress(state: .waiting), of: id)
        let before = lastEngraving
        lastEngraving = Task {
            await before?.value
            imports.note(ImportProgress(state: .engraving), of: id)
            do throws(LibraryFault) {
                try await take(row, id)
                imports.forget(id)
            } catch {
                imports.note(ImportProgress(state: .failed, sentence: error.sentence), of: id)
                // What only a restart can mend is begun again then.
                if !error.isOfTheServer { try? await catalogue.deleteImport(row.id) }
            }
            await removeUpload(row.digest)
            engravings -= 1
        }
    }

    private func take(_ row: StoredImport, _ id: Rehearsal.Score.ID) async throws(LibraryFault) {
        guard row.tries < Self.mostTries else {
            throw .badRequest(
                "The server has stopped twice while it engraved this score; export it again, or as a PDF.")
        }
        do throws(CatalogueError) { try await catalogue.countImportAttempt(row.id) } catch {
            throw .catalogue(error)
        }
        guard let bytes = shelf.bytes(of: row.digest) else {
            throw .pages(.cannotRead(path: "The file", reason: "it is missing"), file: nil)
        }
        if let name = row.part {
            let engraved = try await engraved(bytes, part: nil, named: name)
            return try await append(engraved.part, engraved.source, to: id, finishing: row.id)
        }
        let heading = try? JSONDecoder().decode(Heading.self, from: Data(row.heading.utf8))
        try await takeScore(bytes, id, heading ?? Heading(title: ""), finishing: row.id)
    }

    private func takeScore(
        _ bytes: [UInt8], _ id: Rehearsal.Score.ID, _ heading: Heading, finishing row: String
    ) async throws(LibraryFault) {
        let whole: EngravedScore
        do throws(ScorePagesError) {
            whole = try await ScoreEngraver(tools: tools).engrave(musicXML: bytes)
        } catch { throw .pages(error, file: nil) }
        var heading = heading
        if heading.title.isEmpty { heading.title = whole.title ?? heading.file ?? "Untitled" }
        if heading.composer.isEmpty { heading.composer = whole.composer ?? "" }
        let isSolo = whole.parts.count <= 1
        var found = [try keep(whole, named: isSolo ? whole.parts.first ?? "Score" : "Score")]
        if !isSolo {
            let names = whole.parts.prefix(RoomLimits.mostParts - 1)
            for (number, name) in names.enumerated() {
                imports.note(
                    ImportProgress(state: .engraving, done: number + 1, of: names.count + 1), of: id)
                found.append(try await engraved(bytes, part: name, named: name))
            }
        }
        try await add(
            LibraryScore(score: try Self.score(id, heading, found.map(\.part)), sources: found.map(\.source)),
            finishing: row)
    }

    private func engraved(
        _ bytes: [UInt8], part: String?, named name: String
    ) async throws(LibraryFault) -> (part: Part, source: PartSource) {
        let engraved: EngravedScore
        do throws(ScorePagesError) {
            engraved = try await ScoreEngraver(tools: tools).engrave(musicXML: bytes, part: part)
        } catch { throw .pages(error, file: nil) }
        return try keep(engraved, named: name)
    }

    /// Puts engraved pages on the shelf.
    package nonisolated func keep(
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

    private static func musicXML(_ path: String) throws(LibraryFault) -> [UInt8] {
        let bytes = ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int) ?? 0
        guard bytes <= ScoreEngraver.maximumBytes else {
            throw .pages(.tooLarge(path: path, bytes: bytes, limit: ScoreEngraver.maximumBytes), file: path)
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .pages(.cannotRead(path: path, reason: "it was lost on its way"), file: path)
        }
        return [UInt8](data)
    }

    /// The pages are on the shelf now; the file they were made of is of no more use, unless it waits once more.
    private func removeUpload(_ digest: String) async {
        guard let rows = try? await catalogue.scoreImports(), !rows.contains(where: { $0.digest == digest }),
            let path = shelf.path(of: digest)
        else { return }
        try? FileManager.default.removeItem(atPath: path)
    }
}
