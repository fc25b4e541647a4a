import Catalogue
import Digests
import Foundation
import Rehearsal
import ScorePages

/// Import of MusicXML. The upload is on disk and in the queue before the request is answered; scores are then
/// engraved one after another.
extension Library {
    static let mostEngravings = 4
    /// Most attempts at engraving a score that has crashed the server.
    static let mostTries = 2

    /// Stores an upload and queues its engraving; both survive a restart.
    /// - Parameters:
    ///   - part: name of the part that the file adds to the score; nil for a whole score.
    ///   - heading: title and names of a whole score.
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

    /// Queues the imports that an earlier run of the server has not finished.
    /// - Returns: a sentence if they cannot be read.
    func resumeImports() async -> [String] {
        let rows: [StoredImport]
        do throws(CatalogueError) { rows = try await catalogue.scoreImports() } catch {
            return ["The list of unfinished imports cannot be read: \(error.sentence)"]
        }
        for row in rows {
            guard let id = Rehearsal.Score.ID(row.score) else { continue }
            engravings += 1
            engrave(row, id)
        }
        return []
    }

    /// Engraves after all earlier imports: one engraving at a time leaves processor time to the follower.
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
                // An import that failed for a fault of the server stays queued for the next start.
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

    /// Stores engraved pages in the asset store.
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

    /// Deletes an engraved upload unless another import waits for the same file.
    private func removeUpload(_ digest: String) async {
        guard let rows = try? await catalogue.scoreImports(), !rows.contains(where: { $0.digest == digest }),
            let path = shelf.path(of: digest)
        else { return }
        try? FileManager.default.removeItem(atPath: path)
    }
}
