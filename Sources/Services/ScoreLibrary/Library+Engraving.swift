import Catalogue
import Foundation
import Platform
import Rehearsal
import ScorePages

/// Imports MusicXML. The upload is on disk and in the queue before the request is answered; scores are then engraved
/// one after another.
extension Library {
    static let mostPendingEngravings = 4
    /// Most attempts at engraving one score, since a score may crash the server each time.
    static let mostImportAttempts = 2

    /// Stores an upload and queues its engraving; both survive a restart.
    /// - Parameters:
    ///   - part: name of the part that the file adds to the score; nil for a whole score.
    ///   - heading: title and names of a whole score.
    package func queueEngraving(
        musicXML path: String, _ id: Rehearsal.Score.ID, part: String? = nil,
        heading: ScoreHeading = ScoreHeading(title: "")
    ) async throws {
        guard pendingEngravings < Self.mostPendingEngravings else {
            throw LibraryRefusal.busy("engraving other scores")
        }
        pendingEngravings += 1
        do {
            let digest = Digest(of: try Self.readMusicXML(path)).description
            try await storeFile(arrived: path, digest)
            let words = (try? JSONEncoder().encode(heading)).map { String(decoding: $0, as: UTF8.self) }
            let row = StoredScoreImport(
                id: UUID().uuidString.lowercased(), scoreID: id.description, partName: part,
                detailsJSON: words ?? "{}", assetDigest: digest)
            try await catalogue.addImport(row)
            startEngraving(row, id)
        } catch {
            pendingEngravings -= 1
            throw error
        }
    }

    /// Queues the imports that an earlier run of the server left unfinished.
    /// - Returns: a sentence for the operator if they cannot be read; otherwise empty.
    func resumeImports() async -> [String] {
        let rows: [StoredScoreImport]
        do throws(CatalogueError) { rows = try await catalogue.scoreImports() } catch {
            return ["The list of unfinished imports cannot be read: \(error.sentence)"]
        }
        for row in rows {
            guard let id = Rehearsal.Score.ID(row.scoreID) else { continue }
            pendingEngravings += 1
            startEngraving(row, id)
        }
        return []
    }

    /// Engraves a score when all earlier imports are done. Only one engraving runs at a time, so that processor time is
    /// left for the follower.
    private func startEngraving(_ row: StoredScoreImport, _ id: Rehearsal.Score.ID) {
        importLog.record(ImportProgress(state: .waiting), of: id)
        let before = lastEngravingTask
        lastEngravingTask = Task {
            await before?.value
            importLog.record(ImportProgress(state: .engraving), of: id)
            do {
                try await runImport(row, id)
                importLog.removeEntry(id)
                // A score that lacks its music may have been engraved from the same file.
                _ = await completeMissingMusic()
                // The music stays, so that its parts can be written in another key. The margins are looked for before
                // a stand asks.
                if let entry = try? entry(id) { _ = await laidScore(entry) }
            } catch {
                let refusal = LibraryRefusal(error)
                importLog.record(ImportProgress(state: .failed, sentence: refusal.sentence), of: id)
                // An import that failed for a fault of the server stays queued for the next start.
                if !refusal.isServerFault { try? await catalogue.deleteImport(row.id) }
                await removeUpload(row.assetDigest)
            }
            pendingEngravings -= 1
        }
    }

    private func runImport(_ row: StoredScoreImport, _ id: Rehearsal.Score.ID) async throws {
        guard row.attempts < Self.mostImportAttempts else {
            throw LibraryRefusal.badRequest(
                "The server has stopped twice while it engraved this score; export it again, or as a PDF.")
        }
        try await catalogue.countImportAttempt(row.id)
        guard let bytes = assetStore.bytes(of: row.assetDigest) else {
            throw ScorePagesError.cannotRead(path: "The file", reason: "it is missing")
        }
        if let name = row.partName {
            let engraved = try await engravePart(
                bytes, from: row.assetDigest, part: nil, named: name,
                transposition: heading(of: row)?.transposition)
            return try await appendPart(
                engraved.part, engraved.source, to: id, marks: engraved.marks, finishing: row.id)
        }
        try await engraveScore(bytes, id, heading(of: row) ?? ScoreHeading(title: ""), finishing: row)
    }

    func heading(of row: StoredScoreImport) -> ScoreHeading? {
        try? JSONDecoder().decode(ScoreHeading.self, from: Data(row.detailsJSON.utf8))
    }

    private func engraveScore(
        _ bytes: [UInt8], _ id: Rehearsal.Score.ID, _ heading: ScoreHeading, finishing row: StoredScoreImport
    ) async throws {
        let whole: EngravedScore
        whole = try await ScoreEngraver(tools: tools).engrave(musicXML: bytes)
        var heading = heading
        if heading.title.isEmpty { heading.title = whole.title ?? heading.file ?? "Untitled" }
        if heading.composer.isEmpty { heading.composer = whole.composer ?? "" }
        let isSolo = whole.partNames.count <= 1
        var found: [(part: Part, source: PartSource)] = [
            try storeEngravedPages(
                whole, named: isSolo ? whole.partNames.first ?? "Score" : "Score",
                from: .init(digest: row.assetDigest))
        ]
        if !isSolo {
            let names = whole.partNames.prefix(RoomLimits.mostParts - 1)
            for (number, name) in names.enumerated() {
                importLog.record(
                    ImportProgress(state: .engraving, done: number + 1, of: names.count + 1), of: id)
                let engraved = try await engravePart(
                    bytes, from: row.assetDigest, part: name, named: name)
                found.append((engraved.part, engraved.source))
            }
        }
        try await addEntry(
            LibraryEntry(
                score: try Self.makeScore(
                    id, heading, found.map(\.part), piece: heading.piece,
                    marks: EngravedPartConversion.marks(of: whole)),
                sources: found.map(\.source)),
            finishing: row.id)
    }

    private func engravePart(
        _ bytes: [UInt8], from digest: String, part: String?, named name: String,
        transposition: WrittenInterval? = nil
    ) async throws -> (part: Part, source: PartSource, marks: [RehearsalMark]) {
        let engraved: EngravedScore
        engraved = try await ScoreEngraver(tools: tools).engrave(
            musicXML: bytes, part: part, transposition: transposition)
        let stored = try storeEngravedPages(
            engraved, named: name, from: .init(digest: digest, part: part, transposition: transposition))
        return (stored.part, stored.source, EngravedPartConversion.marks(of: engraved))
    }

    /// Stores engraved pages in the asset store.
    /// - Parameter music: the music that was engraved, if it stays in the asset store.
    package nonisolated func storeEngravedPages(
        _ engraved: EngravedScore, named name: String, from music: PartSource.EngravedMusic? = nil
    ) throws -> (part: Part, source: PartSource) {
        let part: Part
        part = try EngravedPartConversion.makePart(
            named: name, engraved.pageLayout, printed: engraved.printedMeasureNumbers,
            rests: engraved.silentMeasureRanges)
        var files: [PartSource.EngravedFile] = []
        for page in engraved.pages {
            let digest = Digest(of: page.svg).description
            if assetStore.path(of: digest) == nil { try assetStore.store(page.svg, digest: digest) }
            files.append(PartSource.EngravedFile(digest: digest, isCompressed: page.isCompressed))
        }
        return (part, .engraved(files, from: music))
    }

    private static func readMusicXML(_ path: String) throws -> [UInt8] {
        let bytes = ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int) ?? 0
        guard bytes <= ScoreEngraver.maximumMusicXMLBytes else {
            throw LibraryRefusal.badUpload(
                .fileTooLarge(path: path, bytes: bytes, limit: ScoreEngraver.maximumMusicXMLBytes), path: path
            )
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw LibraryRefusal.badUpload(
                .cannotRead(path: path, reason: "it was lost on its way"), path: path)
        }
        return [UInt8](data)
    }

    /// Deletes an uploaded file that could not be engraved, unless an import or a part needs the same file.
    private func removeUpload(_ digest: String) async {
        guard let rows = try? await catalogue.scoreImports(),
            !rows.contains(where: { $0.assetDigest == digest }),
            !allEntries.contains(where: { $0.sources.contains { $0.music?.digest == digest } }),
            let path = assetStore.path(of: digest)
        else { return }
        try? FileManager.default.removeItem(atPath: path)
    }
}
