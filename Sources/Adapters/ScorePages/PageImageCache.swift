import Foundation

/// Page images on disk; the least recently used ones are removed when they exceed a limit.
///
/// Each image is a file `<digest>/<page>-<size>.png` (or `.jpg`). The time of last use is the file's modification time,
/// so that it survives the process.
struct PageImageCache {
    private struct Entry {
        var format: PageImage.Format
        var bytes: Int
        var lastUse: Double
    }

    let folder: URL
    let limitBytes: Int
    /// Returns whether a number of bytes may be written to the disk now.
    let hasRoom: @Sendable (Int) -> Bool
    private(set) var totalBytes = 0
    private var entries: [PageImageKey: Entry] = [:]
    private var newestUse = 0.0

    /// Takes over the files that an earlier process stored; leaves unknown files alone.
    init(folder: URL, limitBytes: Int, hasRoom: @escaping @Sendable (Int) -> Bool = { _ in true }) {
        self.folder = folder
        self.limitBytes = limitBytes
        self.hasRoom = hasRoom
        let files = FileManager.default
        for digest in (try? files.contentsOfDirectory(atPath: folder.path)) ?? [] {
            let inner = folder.appendingPathComponent(digest)
            for name in (try? files.contentsOfDirectory(atPath: inner.path)) ?? [] {
                guard let (key, format) = Self.key(digest: digest, file: name),
                    let facts = try? files.attributesOfItem(atPath: inner.appendingPathComponent(name).path),
                    let bytes = facts[.size] as? Int
                else { continue }
                let used = (facts[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
                entries[key] = Entry(format: format, bytes: bytes, lastUse: used)
                totalBytes += bytes
                newestUse = max(newestUse, used)
            }
        }
        trim()
    }

    func contains(_ key: PageImageKey) -> Bool { entries[key] != nil }

    /// Returns a stored image, if its file is complete, and marks it as used.
    mutating func image(_ key: PageImageKey) -> PageImage? {
        guard var entry = entries[key] else { return nil }
        let file = url(of: key, entry.format)
        guard let bytes = try? Data(contentsOf: file), bytes.count == entry.bytes else {
            remove(key)
            return nil
        }
        entry.lastUse = nextUseTime()
        entries[key] = entry
        // The file's time is set to now, exact to a second; that is good enough for the order after a restart.
        utimes(file.path, nil)
        return PageImage(bytes: [UInt8](bytes), format: entry.format)
    }

    /// Stores an image; does nothing if the disk has no room, because the caller can show the image without the cache.
    mutating func store(_ image: PageImage, as key: PageImageKey) {
        remove(key)
        guard hasRoom(image.bytes.count) else { return }
        let file = url(of: key, image.format)
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(image.bytes).write(to: file, options: .atomic)
        } catch { return }
        entries[key] = Entry(format: image.format, bytes: image.bytes.count, lastUse: nextUseTime())
        totalBytes += image.bytes.count
        trim()
    }

    mutating func removeImages(digest: String) {
        for key in entries.keys where key.digest == digest { remove(key) }
    }

    private mutating func remove(_ key: PageImageKey) {
        guard let entry = entries.removeValue(forKey: key) else { return }
        totalBytes -= entry.bytes
        try? FileManager.default.removeItem(at: url(of: key, entry.format))
    }

    /// If the limit is exceeded, removes images until nine tenths of it are used, so that not every new image has to
    /// make room.
    private mutating func trim() {
        guard totalBytes > limitBytes else { return }
        for (key, _) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
            guard totalBytes > limitBytes / 10 * 9 else { return }
            remove(key)
        }
    }

    /// Returns a time of use that is later than all earlier ones, even if the clock was set back.
    private mutating func nextUseTime() -> Double {
        newestUse = max(Date().timeIntervalSince1970, newestUse + 1e-4)
        return newestUse
    }

    private func url(of key: PageImageKey, _ format: PageImage.Format) -> URL {
        folder.appendingPathComponent(key.digest)
            .appendingPathComponent("\(key.page)-\(Self.fileNamePart(of: key.size)).\(format.rawValue)")
    }

    /// Returns the name of a size in file names. Thumbnails are called "preview", because older files called
    /// "thumbnail" have lines that are too thick.
    private static func fileNamePart(of size: PageImageSize) -> String {
        size == .thumbnail ? "preview" : size.rawValue
    }

    private static func key(digest: String, file: String) -> (PageImageKey, PageImage.Format)? {
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
