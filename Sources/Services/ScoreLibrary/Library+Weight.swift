import Foundation
import ScorePages

/// The bytes that a device needs to keep the pages of a score.
struct ScoreWeight: Encodable {
    /// Bytes of the pages of each part.
    var parts: [Int]
    /// False if some pages are not drawn yet, so that their size is a guess from the others.
    var isExact = true
}

extension Library {
    /// A guess for a page of a PDF of which no page can be drawn; see ``PageImageProvider``.
    private static let guessedPageBytes = 150_000

    /// Weighs the images of all pages of a score.
    func weight(of entry: LibraryEntry, size: PageImageSize) async -> ScoreWeight {
        var weight = ScoreWeight(parts: [])
        for source in entry.sources {
            switch source {
            case .engraved(let files, _): weight.parts.append(files.reduce(0) { $0 + byteCount(of: $1) })
            case .pdf(let summary):
                var pages = await pageImages.imageByteCounts(of: summary, size: size)
                // A page tells more of the others than any guess; it is drawn for keeping anyway.
                if pages.allSatisfy({ $0 == nil }),
                    (try? await pageImages.pageImage(of: summary, page: 0, size: size)) != nil
                {
                    pages = await pageImages.imageByteCounts(of: summary, size: size)
                }
                let known = pages.compactMap(\.self)
                if known.count < pages.count { weight.isExact = false }
                let total = known.reduce(0, +)
                let each = known.isEmpty ? Self.guessedPageBytes : total / known.count
                weight.parts.append(total + (pages.count - known.count) * each)
            }
        }
        return weight
    }

    /// The bytes of an engraved page as a browser keeps it: unpacked.
    private func byteCount(of file: PartSource.EngravedFile) -> Int {
        guard let path = assetStore.path(of: file.digest),
            let bytes = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
        else { return 0 }
        guard file.isCompressed, bytes >= 18, let handle = FileHandle(forReadingAtPath: path) else {
            return bytes
        }
        defer { try? handle.close() }
        // A gzip file ends with the length of what is in it (RFC 1952, 2.3.1).
        guard (try? handle.seek(toOffset: UInt64(bytes - 4))) != nil,
            let last = try? handle.read(upToCount: 4),
            last.count == 4
        else { return bytes }
        return last.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
