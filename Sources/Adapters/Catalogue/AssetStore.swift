import Foundation

/// Stores the bytes of assets, one file each, named by their digest: the same picture is stored once, and undoing a
/// change finds the old one again.
public struct AssetStore: Sendable {
    /// The maximum size of one asset.
    public static let mostBytes = 50 << 20

    public let folder: String
    /// The folder for uploads in progress; on the same disk, so that accepting one is a rename.
    public var arrivals: String { folder + "/arriving" }

    /// - Throws: ``CatalogueError`` if the folder cannot be made.
    public init(folder: String) throws(CatalogueError) {
        self.folder = folder
        do {
            try FileManager.default.createDirectory(
                atPath: folder + "/arriving", withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw .cannotOpen(path: folder, reason: "the folder cannot be made")
        }
        // Uploads that a crash left unfinished.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: arrivals)) ?? [] {
            let path = arrivals + "/" + name
            let made = (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
            if let made, Date().timeIntervalSince(made) > 3_600 {
                try? FileManager.default.removeItem(atPath: path)
            }
        }
    }

    /// The path of the file with this digest.
    /// - Returns: nil if the text is not a digest, or if there is no such file.
    public func path(of digest: String) -> String? {
        guard Self.isDigest(digest) else { return nil }
        let path = "\(folder)/\(digest)"
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }

    public func bytes(of digest: String) -> [UInt8]? {
        path(of: digest).flatMap { FileManager.default.contents(atPath: $0) }.map(Array.init)
    }

    /// Stores bytes; they are on the disk when this returns.
    public func keep(_ bytes: [UInt8], digest: String) throws(CatalogueError) {
        let path = "\(arrivals)/\(UUID().uuidString)"
        guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else {
            throw .failed(path: path, reason: "the file cannot be written")
        }
        try take(path, digest: digest)
    }

    /// Moves a complete upload from ``arrivals`` into the store.
    public func take(_ arrived: String, digest: String) throws(CatalogueError) {
        guard Self.isDigest(digest) else { throw .failed(path: arrived, reason: "it has no digest") }
        let path = "\(folder)/\(digest)"
        try Self.sync(arrived)
        guard rename(arrived, path) == 0 else {
            throw errno == ENOSPC
                ? .diskFull(path: path) : .failed(path: path, reason: String(cString: strerror(errno)))
        }
        try Self.sync(folder)
    }

    /// Waits until a file, or the entries of a folder, are on the disk.
    public static func sync(_ path: String) throws(CatalogueError) {
        let handle = open(path, O_RDONLY | O_CLOEXEC)
        guard handle >= 0 else { throw .failed(path: path, reason: String(cString: strerror(errno))) }
        defer { close(handle) }
        guard fsync(handle) == 0 else {
            throw errno == ENOSPC
                ? .diskFull(path: path) : .failed(path: path, reason: String(cString: strerror(errno)))
        }
    }

    private static func isDigest(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
