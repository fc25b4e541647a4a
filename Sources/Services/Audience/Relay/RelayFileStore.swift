import Catalogue
import Concert
import Content
import Foundation
import Hosting
import ScoreFiles
import Synchronization
import WebServer

/// The files of the concert that a relay serves: texts in memory, pictures on disk by their digests.
final class RelayFileStore: Sendable {
    private struct State {
        var filesByPath: [String: RelayManifest.File] = [:]
        var textDocumentsByPath: [String: PrecompressedDocument] = [:]
        var pieceContents: [PieceContent] = []
        var pieceXMLCache = PieceXMLCache([], cacheTag: "none")
        /// The concert split into versioned parts; nil while there is no concert, or if the concert's server sends no
        /// versions.
        var concertParts: AudienceConcertDocuments?
        var contentRevision: String?
    }

    private let assetStore: AssetStore
    private let state = Mutex(State())

    /// Opens the store in the relay's data folder.
    /// - Parameter data: the relay's data folder; pictures that it already holds are not fetched again.
    init(data: String) throws(CatalogueError) { assetStore = try AssetStore(folder: data + "/assets") }

    var contentRevision: String? { state.withLock { $0.contentRevision } }
    var pieceContents: [PieceContent] { state.withLock { $0.pieceContents } }
    var pieceXMLCache: PieceXMLCache { state.withLock { $0.pieceXMLCache } }

    var concertParts: AudienceConcertDocuments? { state.withLock { $0.concertParts } }

    package func textDocument(_ path: String) -> PrecompressedDocument? {
        state.withLock { $0.textDocumentsByPath[path] }
    }

    /// Returns true if exactly this version of the file is being served, or is on disk from an earlier run.
    func hasFile(_ file: RelayManifest.File) -> Bool {
        if state.withLock({ $0.filesByPath[file.path]?.digest == file.digest }) { return true }
        guard !file.isTextFile, assetStore.path(of: file.digest) != nil else { return false }
        state.withLock { $0.filesByPath[file.path] = file }
        return true
    }

    /// Stores a file. The caller has checked the bytes against the digest.
    func storeFile(_ bytes: [UInt8], as file: RelayManifest.File) throws {
        guard file.isTextFile else {
            try assetStore.store(bytes, digest: file.digest)
            return state.withLock { $0.filesByPath[file.path] = file }
        }
        if file.path == RelayManifest.piecesXMLPath {
            let pieces = try ContentXMLReader.readPieces(in: bytes, path: file.path).pieces
            let texts = PieceXMLCache(
                pieces, cacheTag: String(file.digest.prefix(32)), reusing: pieceXMLCache)
            state.withLock { ($0.pieceContents, $0.pieceXMLCache) = (pieces, texts) }
        } else {
            let document = PrecompressedDocument(
                contentType: file.type, body: bytes, tag: String(file.digest.prefix(32)))
            let old = concertParts
            let concert =
                file.path == RelayManifest.concertPath
                ? try? JSONDecoder().decode(AudienceConcert.self, from: Data(bytes)) : nil
            let parts = concert.flatMap { AudienceConcertDocuments(of: $0, reusing: old) }
            state.withLock { state in
                state.textDocumentsByPath[file.path] = document
                if file.path == RelayManifest.concertPath { state.concertParts = parts }
            }
        }
        state.withLock { $0.filesByPath[file.path] = file }
    }

    /// Makes the manifest's revision the current one and removes the files that it does not list.
    func activateRevision(_ manifest: RelayManifest) {
        let named = Set(manifest.files.map(\.path))
        state.withLock { state in
            // Without files there is no concert any more.
            if manifest.files.isEmpty { state = State() }
            state.contentRevision = manifest.revision
            state.filesByPath = state.filesByPath.filter { named.contains($0.key) }
        }
    }

    /// Answers a request for a picture or for the programme notes; nil if there is no such file.
    func assetResponse(_ path: String, in place: ContentAsset.Folder, named name: String) -> WebResponse? {
        guard let file = state.withLock({ $0.filesByPath[path] }), !file.isTextFile,
            let name = try? AssetName(name),
            AssetFileFormat.allCases.contains(where: { $0.mediaType == file.type })
        else { return nil }
        let asset = ContentAsset(
            place: place, name: name, digest: file.digest, type: file.type, byteCount: file.byteCount)
        return ConcertFileResponses.makeFileResponse(asset, assetStore)
    }
}
