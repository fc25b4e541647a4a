import Foundation
import Platform

/// Stores assets such as pictures, one file each, named by the digest of its bytes: the same picture is stored once,
/// and a change that is undone finds the old picture again.
public struct AssetStore: Sendable {
    /// The maximum size of one asset in bytes.
    public static let mostAssetBytes = 50 << 20

    public let folder: String
    /// The folder for uploads in progress. It is on the same disk as the store, so that accepting an upload is a
    /// rename.
    public var uploadFolder: String { folder + "/arriving" }

    /// Makes the store's folders and deletes unfinished uploads older than one hour.
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
        // Delete uploads that a crash left unfinished.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: uploadFolder)) ?? [] {
            let path = uploadFolder + "/" + name
            let made = (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
            if let made, Date().timeIntervalSince(made) > 3_600 {
                try? FileManager.default.removeItem(atPath: path)
            }
        }
    }

    /// Returns the path of the asset with this digest; nil if the text is not a digest, or if there is no such file.
    public func path(of digest: String) -> String? {
        guard Self.isDigest(digest) else { return nil }
        let path = "\(folder)/\(digest)"
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }

    public func bytes(of digest: String) -> [UInt8]? {
        path(of: digest).flatMap { FileManager.default.contents(atPath: $0) }.map(Array.init)
    }

    /// Stores an asset's bytes. They are on the disk when this returns.
    public func store(_ bytes: [UInt8], digest: String) throws(CatalogueError) {
        let path = "\(uploadFolder)/\(UUID().uuidString)"
        guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else {
            throw .readOrWriteFailed(path: path, reason: "the file cannot be written")
        }
        try acceptUpload(path, digest: digest)
    }

    /// Moves a complete upload from ``uploadFolder`` into the store.
    public func acceptUpload(_ arrived: String, digest: String) throws(CatalogueError) {
        guard Self.isDigest(digest) else {
            throw .readOrWriteFailed(path: arrived, reason: "it has no digest")
        }
        let path = "\(folder)/\(digest)"
        do throws(FileWriteError) {
            try DurableFile.flush(arrived)
            try DurableFile.move(arrived, to: path)
            try DurableFile.flush(folder)
        } catch { throw CatalogueError(error) }
    }

    /// Waits until a file, or the list of files in a folder, has been written to the disk.
    public static func syncToDisk(_ path: String) throws(CatalogueError) {
        do throws(FileWriteError) { try DurableFile.flush(path) } catch { throw CatalogueError(error) }
    }

    private static func isDigest(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
