import Foundation
import Rehearsal
import ScorePages

/// Writes engraved parts in another key for one reader: a clarinettist reads in A what the part has in B flat.
///
/// The measures stay on their systems and pages, and each new page comes with a map to the old one, so that remarks,
/// measures and turns are those of the part.
extension Library {
    /// Rewritten parts that were not read for this number of seconds are deleted at the next start.
    private static let writtenLifetimeSeconds = 30 * 86_400.0
    static let mostWrittenParts = 200
    static let mostWaitingWritings = 8
    private static let mapsFile = "maps.json"

    /// A part in another key, as stands get it.
    struct WrittenPart: Encodable, Equatable, Sendable {
        /// Names the images of the pages.
        var images: String
        /// For each page, which place of it belongs to which place of the part's page.
        var pages: [RewrittenPageMap]
    }

    /// Returns a part in another key; it is engraved now if nobody has read it so before.
    /// - Parameter interval: by how much the part is written higher.
    /// - Complexity: a few milliseconds if it was engraved before; else some 2 s for a part, 10 s for a full score.
    func writtenPart(
        _ id: Rehearsal.Score.ID, part number: Int, _ interval: WrittenInterval
    ) async throws -> WrittenPart {
        let now = try entry(id)
        guard now.sources.indices.contains(number) else { throw LibraryRefusal.noSuchPart(number) }
        let source = now.sources[number]
        let folder = writtenFolder(of: source, interval)
        let tag = "\(source.imageTag)-\(interval)"
        if let maps = Self.readMaps(folder, count: source.pageCount) {
            return WrittenPart(images: tag, pages: maps)
        }
        guard case .engraved(let files, _) = source else {
            throw LibraryRefusal.badRequest(
                "This part is not written in another key: its music is not here. Add it as MusicXML.")
        }
        guard waitingWritings < Self.mostWaitingWritings else {
            throw LibraryRefusal.busy("writing other parts")
        }
        waitingWritings += 1
        defer { waitingWritings -= 1 }
        // One at a time, so that processor time is left for the follower.
        let before = lastWritingTask
        let writing = Task {
            _ = await before?.result
            if let maps = Self.readMaps(folder, count: files.count) { return maps }
            return try await write(now, number, files, interval, folder)
        }
        lastWritingTask = writing
        return WrittenPart(images: tag, pages: try await writing.value)
    }

    /// The path of a page of a part in another key; nil if the part was not written so, or has no such page.
    func writtenPage(of source: PartSource, page: Int, _ interval: WrittenInterval) -> String? {
        let path = "\(writtenFolder(of: source, interval))/\(Self.pageFile(page))"
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }

    private func write(
        _ entry: LibraryEntry, _ number: Int, _ files: [PartSource.EngravedFile], _ interval: WrittenInterval,
        _ folder: String
    ) async throws -> [RewrittenPageMap] {
        let (bytes, music) = try musicXML(of: entry, part: number)
        var old: [EngravedPage] = []
        for (file, page) in zip(files, entry.score.parts[number].pages) {
            guard let svg = assetStore.bytes(of: file.digest) else {
                throw ScorePagesError.cannotRead(path: "A page of the score", reason: "its file is missing")
            }
            old.append(
                EngravedPage(
                    paperSize: PaperSize(width: page.width, height: page.height), svg: svg,
                    isCompressed: file.isCompressed))
        }
        let written = try await ScoreEngraver(tools: tools).engrave(
            musicXML: bytes, part: music.part, transposition: music.transposition, written: interval,
            like: old)
        try store(written, in: folder)
        return written.maps
    }

    /// The music of a part: what was kept when it was added, or the file beside a shipped score.
    private func musicXML(
        of entry: LibraryEntry, part number: Int
    ) throws -> ([UInt8], PartSource.EngravedMusic) {
        if let music = entry.sources[number].music, let bytes = assetStore.bytes(of: music.digest) {
            return (bytes, music)
        }
        if let path = shippedMusicPath(of: entry), let bytes = FileManager.default.contents(atPath: path) {
            let part = number == 0 ? nil : entry.score.parts[number].name
            return ([UInt8](bytes), .init(digest: "", part: part))
        }
        throw LibraryRefusal.badRequest(
            "The music of this part is not on the server; ask the librarian to add the same MusicXML file again."
        )
    }

    // MARK: Files

    nonisolated var writtenPartsFolder: String {
        URL(fileURLWithPath: printFolder).deletingLastPathComponent().path + "/score-written"
    }

    private func writtenFolder(of source: PartSource, _ interval: WrittenInterval) -> String {
        "\(writtenPartsFolder)/\(source.imageDigest)-\(interval)"
    }

    private static func pageFile(_ page: Int) -> String {
        let digits = String(page + 1)
        return "page-" + String(repeating: "0", count: max(0, 3 - digits.count)) + digits + ".svg"
    }

    private static func readMaps(_ folder: String, count: Int) -> [RewrittenPageMap]? {
        guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(mapsFile)"),
            let maps = try? JSONDecoder().decode([RewrittenPageMap].self, from: bytes), maps.count == count
        else { return nil }
        try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: folder)
        return maps
    }

    private func store(_ written: RewrittenPart, in folder: String) throws(ScorePagesError) {
        let files = FileManager.default
        let bytes = written.pages.reduce(0) { $0 + $1.svg.count }
        guard diskReserve.refusal(adding: bytes) == nil else {
            throw .cannotWrite(
                path: "The part in another key", reason: "the last of the disk is kept for the show")
        }
        removeOldestWrittenParts()
        let arriving = "\(writtenPartsFolder)/arriving-\(UUID().uuidString.lowercased())"
        do {
            try files.createDirectory(
                atPath: arriving, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            for (number, page) in written.pages.enumerated() {
                try Data(page.svg).write(to: URL(fileURLWithPath: "\(arriving)/\(Self.pageFile(number))"))
            }
            try JSONEncoder().encode(written.maps).write(
                to: URL(fileURLWithPath: "\(arriving)/\(Self.mapsFile)"))
            try? files.removeItem(atPath: folder)
            try files.moveItem(atPath: arriving, toPath: folder)
        } catch {
            try? files.removeItem(atPath: arriving)
            throw .cannotWrite(path: "The part in another key", reason: error.localizedDescription)
        }
    }

    private func removeOldestWrittenParts() {
        let kept = listWrittenParts()
        for (path, _) in kept.dropFirst(Self.mostWrittenParts - 1) {
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    /// Deletes, at start-up, what was not read for a month, and what an earlier run left unfinished.
    nonisolated func removeLeftoverWrittenParts() {
        for (path, used) in listWrittenParts()
        where path.contains("/arriving-") || Date().timeIntervalSince(used) > Self.writtenLifetimeSeconds {
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    /// The folders of rewritten parts with the time of their last use, the newest first.
    private nonisolated func listWrittenParts() -> [(path: String, used: Date)] {
        let files = FileManager.default
        return ((try? files.contentsOfDirectory(atPath: writtenPartsFolder)) ?? []).map { name in
            let path = "\(writtenPartsFolder)/\(name)"
            let used = (try? files.attributesOfItem(atPath: path))?[.modificationDate] as? Date
            return (path, used ?? .distantPast)
        }.sorted { $0.used > $1.used }
    }
}
