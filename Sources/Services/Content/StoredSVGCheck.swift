import Catalogue
import Digests
import ScoreFiles
import Synchronization

/// Checks stored SVG files before they are served, because files from an older version or another server were stored
/// without this check.
enum StoredSVGCheck {
    /// Maps the digest of a stored SVG to the digest of its cleaned file. Both are the same if nothing was removed;
    /// nil means that the SVG is refused. Digests identify contents, so the table is valid for every asset store.
    private static let cleanedDigests = Mutex<[String: String?]>([:])
    /// The largest number of entries in the table, more than the SVG files of a season. A full table is emptied.
    private static let maximumCleanedDigests = 10_000

    /// The asset as it may be served: an SVG cleaned, other files unchanged; nil if the SVG is refused.
    ///
    /// The first call for an SVG takes some milliseconds, during which other callers wait; later calls only look it up.
    static func makeServable(_ asset: ContentAsset, from shelf: AssetStore) -> ContentAsset? {
        guard asset.mediaType == AssetFileFormat.svg.mediaType else { return asset }
        let digest = cleanedDigests.withLock { known -> String? in
            if let verdict = known[asset.digest] {
                guard let verdict else { return nil }
                if verdict == asset.digest || shelf.path(of: verdict) != nil { return verdict }
            }
            // A missing SVG file may still be copied from another server, so no result is stored for it.
            guard let bytes = shelf.bytes(of: asset.digest) else { return asset.digest }
            if known.count >= maximumCleanedDigests { known.removeAll() }
            guard let clean = try? SVGSanitizer.sanitize(bytes, name: asset.name.text) else {
                known[asset.digest] = .some(nil)
                return nil
            }
            let digest = clean == bytes ? asset.digest : Digest(of: clean).description
            if digest != asset.digest {
                // While the disk is full the SVG is not served; the next request tries again.
                do throws(CatalogueError) { try shelf.store(clean, digest: digest) } catch { return nil }
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
