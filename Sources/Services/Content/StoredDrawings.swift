import Catalogue
import Digests
import ScoreFiles
import Synchronization

/// Drawings that were stored before they were written anew on arrival, or came from another server: looked at before
/// anybody gets them.
enum StoredDrawings {
    /// By the digest of what is stored: the digest of what is served instead, equal where nothing had to be left out;
    /// nil where the drawing is refused. Digests name their bytes, so this holds for every shelf.
    private static let known = Mutex<[String: String?]>([:])
    /// More than the drawings of a season; looked at again after that.
    private static let mostKnown = 10_000

    /// The asset as it may be served: drawings cleaned, everything else as it is; nil for a drawing that is refused.
    ///
    /// Cost: once for each drawing some milliseconds, one drawing at a time; later a look into a table.
    static func servable(_ asset: ContentAsset, from shelf: AssetStore) -> ContentAsset? {
        guard asset.type == ContentAssetKind.svg.type else { return asset }
        let digest = known.withLock { known -> String? in
            if let verdict = known[asset.digest] {
                guard let verdict else { return nil }
                if verdict == asset.digest || shelf.path(of: verdict) != nil { return verdict }
            }
            // A file that is missing now may be copied from another server later.
            guard let bytes = shelf.bytes(of: asset.digest) else { return asset.digest }
            if known.count >= mostKnown { known.removeAll() }
            guard let clean = try? Drawing.clean(bytes, name: asset.name.text) else {
                known[asset.digest] = .some(nil)
                return nil
            }
            let digest = clean == bytes ? asset.digest : Digest(of: clean).description
            if digest != asset.digest {
                // Not shown while the disk is full, and tried again.
                do throws(CatalogueError) { try shelf.keep(clean, digest: digest) } catch { return nil }
            }
            known[asset.digest] = digest
            known[digest] = digest
            return digest
        }
        guard let digest else { return nil }
        var served = asset
        if digest != asset.digest {
            served.digest = digest
            served.byteCount = shelf.bytes(of: digest)?.count ?? asset.byteCount
        }
        return served
    }
}
