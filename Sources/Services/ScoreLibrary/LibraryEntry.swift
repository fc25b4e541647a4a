import Catalogue
import Foundation
import Platform
import Rehearsal
import ScorePages

/// Origin of a part's pages: a PDF, or engraving from MusicXML.
package enum PartSource: Equatable, Sendable, Codable {
    case pdf(PDFSummary)
    /// Engraved pages, and the music they were engraved from; nil if it was not kept.
    case engraved([EngravedFile], from: EngravedMusic? = nil)

    /// A stored engraved page.
    package struct EngravedFile: Equatable, Sendable, Codable {
        var digest: String
        var isCompressed: Bool
    }

    /// The MusicXML that pages were engraved from.
    package struct EngravedMusic: Equatable, Sendable, Codable {
        /// Names the file in the asset store.
        var digest: String
        /// The part's name in the file; nil if all of it is engraved.
        var part: String?
        /// The interval by which the part is written higher than in the file; nil for as it is.
        var transposition: WrittenInterval?
    }

    /// Names the pages' images: it changes only if the pages do.
    var imageDigest: String {
        switch self {
        case .pdf(let summary): summary.digest
        case .engraved(let files, _): Digest(of: Array(files.map(\.digest).joined().utf8)).description
        }
    }

    /// The beginning of ``imageDigest``, which is enough for addresses.
    var imageTag: String { String(imageDigest.prefix(16)) }

    var music: EngravedMusic? {
        guard case .engraved(_, let music) = self else { return nil }
        return music
    }

    var pageCount: Int {
        switch self {
        case .pdf(let summary): summary.pages.count
        case .engraved(let files, _): files.count
        }
    }
}

/// A score of the library, with data that is not sent to stands.
package struct LibraryEntry: Equatable, Sendable {
    var score: Rehearsal.Score
    /// Origins of the pages, one for each part of the score.
    var sources: [PartSource]
    /// Number of the score's revision; it rises with every change.
    var revision = 1
    /// The folder of recordings with which the score was shipped; nil if a librarian added the score.
    var shippedRecordingFolder: String?

    init(score: Rehearsal.Score, sources: [PartSource], origin: String? = nil) {
        precondition(score.parts.count == sources.count, "each part has a source")
        self.score = score
        self.sources = sources
        self.shippedRecordingFolder = origin
    }

    /// Decodes a stored score.
    /// - Parameter folder: the present absolute path of the folder of PDFs; the data folder may have been moved.
    /// - Returns: nil if another version wrote a format that this one cannot read.
    init?(_ stored: StoredScore, folder: String) {
        let decoder = JSONDecoder()
        guard let score = try? decoder.decode(Rehearsal.Score.self, from: Data(stored.contentJSON.utf8)),
            let sources = try? decoder.decode([PartSource].self, from: Data(stored.sourcesJSON.utf8)),
            sources.count == score.parts.count,
            zip(sources, score.parts).allSatisfy({ $0.pageCount == $1.pages.count })
        else { return nil }
        self.score = score
        self.sources = sources.map { source in
            guard case .pdf(var summary) = source else { return source }
            summary.path = folder + "/" + summary.digest
            return .pdf(summary)
        }
        revision = stored.revision
        shippedRecordingFolder = stored.shippedFolder
    }

    /// Encodes the entry for the catalogue.
    /// - Throws: if the score holds a number that JSON cannot express, such as infinity.
    func makeStoredScore() throws -> StoredScore {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let content = try? encoder.encode(score), let sources = try? encoder.encode(sources) else {
            throw LibraryRefusal.badRequest(
                "The score holds a number that cannot be kept; check sizes and places.")
        }
        return StoredScore(
            id: score.id.description, contentJSON: String(decoding: content, as: UTF8.self),
            sourcesJSON: String(decoding: sources, as: UTF8.self), revision: revision,
            shippedFolder: shippedRecordingFolder)
    }

    /// Makes a copy of the entry with a changed score and the next revision number.
    func makeNextRevision(_ score: Rehearsal.Score, sources: [PartSource]? = nil) -> LibraryEntry {
        var next = self
        next.score = score
        next.sources = sources ?? self.sources
        next.revision += 1
        return next
    }
}

extension Rehearsal.Score {
    /// Makes a copy of the score with other parts or movements.
    package func replacing(movements: [Movement]? = nil, parts: [Part]? = nil) throws
        -> Rehearsal.Score
    {
        return try Rehearsal.Score(
            id: id, title: title, composer: composer, lyricist: lyricist, arranger: arranger,
            movements: movements ?? self.movements, parts: parts ?? self.parts)
    }
}
