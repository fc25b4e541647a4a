import Catalogue
import Concert
import Content
import Foundation
import Hosting
import ScoreFiles
import Synchronization
import WebServer

/// The concert's files as a relay serves them: texts in memory, pictures on disk under their digests.
final class RelayShelf: Sendable {
    private struct State {
        var files: [String: RelayManifest.File] = [:]
        var texts: [String: WebDocument] = [:]
        var pieces: [PieceContent] = []
        var pieceTexts = PieceTexts([], tag: "none")
        /// The concert split into versioned parts; nil while there is no concert, or if its server sends no versions.
        var parts: AudienceParts?
        var revision: String?
    }

    private let assets: AssetStore
    private let state = Mutex(State())

    /// - Parameter data: the relay's data folder; pictures that it already holds are not fetched again.
    init(data: String) throws(CatalogueError) { assets = try AssetStore(folder: data + "/assets") }

    var revision: String? { state.withLock { $0.revision } }
    var pieces: [PieceContent] { state.withLock { $0.pieces } }
    var pieceTexts: PieceTexts { state.withLock { $0.pieceTexts } }

    var parts: AudienceParts? { state.withLock { $0.parts } }

    package func text(_ path: String) -> WebDocument? { state.withLock { $0.texts[path] } }

    /// True if exactly this version of the file is being served, or is on disk from an earlier run.
    func has(_ file: RelayManifest.File) -> Bool {
        if state.withLock({ $0.files[file.path]?.digest == file.digest }) { return true }
        guard !file.isText, assets.path(of: file.digest) != nil else { return false }
        state.withLock { $0.files[file.path] = file }
        return true
    }

    /// Stores a file. The caller has checked the bytes against the digest.
    func keep(_ bytes: [UInt8], as file: RelayManifest.File) throws(LiveFailure) {
        guard file.isText else {
            do throws(CatalogueError) { try assets.keep(bytes, digest: file.digest) } catch {
                throw LiveFailure(sentence: error.sentence)
            }
            return state.withLock { $0.files[file.path] = file }
        }
        if file.path == RelayManifest.pieces {
            do throws(ContentFileError) {
                let pieces = try ContentReader.pieces(in: bytes, path: file.path).pieces
                let texts = PieceTexts(
                    pieces, tag: String(file.digest.prefix(32)), reusing: pieceTexts)
                state.withLock { ($0.pieces, $0.pieceTexts) = (pieces, texts) }
            } catch {
                throw LiveFailure(sentence: error.sentence)
            }
        } else {
            let document = WebDocument(
                contentType: file.type, body: bytes, tag: String(file.digest.prefix(32)))
            let old = parts
            let concert =
                file.path == RelayManifest.concert
                ? try? JSONDecoder().decode(AudienceConcert.self, from: Data(bytes)) : nil
            let parts = concert.flatMap { AudienceParts(of: $0, reusing: old) }
            state.withLock { state in
                state.texts[file.path] = document
                if file.path == RelayManifest.concert { state.parts = parts }
            }
        }
        state.withLock { $0.files[file.path] = file }
    }

    /// Makes the manifest's revision the current one and removes the files that it does not list.
    func settle(_ manifest: RelayManifest) {
        let named = Set(manifest.files.map(\.path))
        state.withLock { state in
            state.revision = manifest.revision
            state.files = state.files.filter { named.contains($0.key) }
        }
    }

    /// Answers a request for a picture or for the programme notes; nil if there is no such file.
    func asset(_ path: String, in place: ContentAsset.Place, named name: String) -> WebResponse? {
        guard let file = state.withLock({ $0.files[path] }), !file.isText, let name = try? AssetName(name),
            ContentAssetKind.allCases.contains(where: { $0.type == file.type })
        else { return nil }
        let asset = ContentAsset(
            place: place, name: name, digest: file.digest, type: file.type, byteCount: file.byteCount)
        return ContentFile.answer(asset, assets)
    }
}
