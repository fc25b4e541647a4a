import Foundation

/// Page images on disk; the least recently used ones are removed when they exceed a limit.
///
/// Each image is a file `<digest>/<page>-<size>.png` (or `.jpg`). The time of last use is the file's modification time,
/// so that it survives the process.
struct PageImageCache {
    private struct Entry {
        var format: PageImage.Format
        var byteCount: Int
        var lastUse: Double
    }

    let folder: URL
    let limitBytes: Int
    /// Returns true if this number of bytes may be written to the disk now.
    let hasDiskRoom: @Sendable (Int) -> Bool
    private(set) var totalBytes = 0
    private var entries: [PageImageKey: Entry] = [:]
    private var newestUseTime = 0.0

    /// Takes over the files that an earlier process stored; leaves unknown files alone.
    init(folder: URL, limitBytes: Int, hasDiskRoom: @escaping @Sendable (Int) -> Bool = { _ in true }) {
        self.folder = folder
        self.limitBytes = limitBytes
        self.hasDiskRoom = hasDiskRoom
        let files = FileManager.default
        for digest in (try? files.contentsOfDirectory(atPath: folder.path)) ?? [] {
            let inner = folder.appendingPathComponent(digest)
            for name in (try? files.contentsOfDirectory(atPath: inner.path)) ?? [] {
                guard let (key, format) = Self.parseKey(digest: digest, file: name),
                    let facts = try? files.attributesOfItem(atPath: inner.appendingPathComponent(name).path),
                    let bytes = facts[.size] as? Int
                else { continue }
                let used = (facts[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
                entries[key] = Entry(format: format, byteCount: bytes, lastUse: used)
                totalBytes += bytes
                newestUseTime = max(newestUseTime, used)
            }
        }
        removeLeastRecentlyUsed()
    }

    func contains(_ key: PageImageKey) -> Bool { entries[key] != nil }

    /// The size of a stored image; nil if it is not stored.
    func byteCount(_ key: PageImageKey) -> Int? { entries[key]?.byteCount }

    /// Returns a stored image, if its file is complete, and marks it as used.
    mutating func readImage(_ key: PageImageKey) -> PageImage? {
        guard var entry = entries[key] else { return nil }
        let file = fileURL(of: key, entry.format)
        guard let bytes = try? Data(contentsOf: file), bytes.count == entry.byteCount else {
            removeEntry(key)
            return nil
        }
        entry.lastUse = nextUseTime()
        entries[key] = entry
        // The file's time is set to now, exact to a second; that is good enough for the order after a restart.
        utimes(file.path, nil)
        return PageImage(bytes: [UInt8](bytes), format: entry.format)
    }

    /// Stores an image; does nothing if the disk has no room, because the caller can show the image without the cache.
    mutating func storeImage(_ image: PageImage, as key: PageImageKey) {
        removeEntry(key)
        guard hasDiskRoom(image.bytes.count) else { return }
        let file = fileURL(of: key, image.format)
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(image.bytes).write(to: file, options: .atomic)
        } catch { return }
        entries[key] = Entry(format: image.format, byteCount: image.bytes.count, lastUse: nextUseTime())
        totalBytes += image.bytes.count
        removeLeastRecentlyUsed()
    }

    mutating func removeImages(digest: String) {
        for key in entries.keys where key.digest == digest { removeEntry(key) }
    }

    private mutating func removeEntry(_ key: PageImageKey) {
        guard let entry = entries.removeValue(forKey: key) else { return }
        totalBytes -= entry.byteCount
        try? FileManager.default.removeItem(at: fileURL(of: key, entry.format))
    }

    /// If the limit is exceeded, removes images until nine tenths of it are used. Without this margin, every new
    /// image would have to make room.
    private mutating func removeLeastRecentlyUsed() {
        guard totalBytes > limitBytes else { return }
        for (key, _) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
            guard totalBytes > limitBytes / 10 * 9 else { return }
            removeEntry(key)
        }
    }

    /// Returns a time of use that is later than all earlier ones, even if the clock was set back.
    private mutating func nextUseTime() -> Double {
        newestUseTime = max(Date().timeIntervalSince1970, newestUseTime + 1e-4)
        return newestUseTime
    }

    private func fileURL(of key: PageImageKey, _ format: PageImage.Format) -> URL {
        folder.appendingPathComponent(key.digest)
            .appendingPathComponent("\(key.page)-\(Self.fileNamePart(of: key.size)).\(format.rawValue)")
    }

    /// Returns the name of a size in file names. Thumbnails are called "preview", because older files called
    /// "thumbnail" have lines that are too thick.
    private static func fileNamePart(of size: PageImageSize) -> String {
        size == .thumbnail ? "preview" : size.rawValue
    }

    private static func parseKey(digest: String, file: String) -> (PageImageKey, PageImage.Format)? {
        let halves = file.split(separator: ".")
        guard digest.count == 64, digest.allSatisfy(\.isHexDigit), halves.count == 2,
            let format = PageImage.Format(rawValue: String(halves[1]))
        else { return nil }
        let words = halves[0].split(separator: "-")
        guard words.count == 2, let page = Int(words[0]),
            let size = PageImageSize.allCases.first(where: { fileNamePart(of: $0) == words[1] })
        else { return nil }
        return (PageImageKey(digest: digest, page: page, size: size), format)
    }
}
