import Catalogue
import Pictures
import Platform
import ScoreFiles
import Synchronization

/// Checks stored pictures, drawings and PDFs before they are served, because files from an older version or another
/// server were stored without this check: active content of drawings, and what pictures, also in PDFs, say about their
/// maker, such as the place.
enum StoredPictureCheck {
    /// Maps the digest of a stored file to the digest of its cleaned file. Both are the same if nothing was removed;
    /// nil means that the SVG is refused. Digests identify contents, so the table is valid for every asset store.
    private static let cleanedDigests = Mutex<[String: String?]>([:])
    /// The largest number of entries in the table, more than the pictures of a season. A full table is emptied.
    private static let maximumCleanedDigests = 10_000

    /// The asset as it may be served: an SVG, a picture or a PDF cleaned, texts unchanged; nil if the SVG is refused.
    ///
    /// The first call for a file takes some milliseconds, during which other callers wait; later calls only look it up.
    static func makeServable(_ asset: ContentAsset, from shelf: AssetStore) -> ContentAsset? {
        guard
            let format = AssetFileFormat.allCases.first(where: {
                $0.mediaType == asset.mediaType && $0 != .text
            })
        else { return asset }
        let digest = cleanedDigests.withLock { known -> String? in
            if let verdict = known[asset.digest] {
                guard let verdict else { return nil }
                if verdict == asset.digest || shelf.path(of: verdict) != nil { return verdict }
            }
            // A missing file may still be copied from another server, so no result is stored for it.
            guard let bytes = shelf.bytes(of: asset.digest) else { return asset.digest }
            if known.count >= maximumCleanedDigests { known.removeAll() }
            guard let clean = Self.clean(bytes, format, name: asset.name.text) else {
                known[asset.digest] = .some(nil)
                return nil
            }
            let digest = clean == bytes ? asset.digest : Digest(of: clean).description
            if digest != asset.digest {
                // While the disk is full the file is not served; the next request tries again.
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

    /// A picture or a PDF that cannot be read stays as it is.
    private static func clean(_ bytes: [UInt8], _ format: AssetFileFormat, name: String) -> [UInt8]? {
        if let picture = format.picture { return CleanPicture(bytes, picture)?.bytes ?? bytes }
        if format == .pdf { return CleanPDF.clean(bytes) ?? bytes }
        return (try? SVGSanitizer.sanitize(bytes, name: name)).map(EmbeddedPictures.clean)
    }
}
