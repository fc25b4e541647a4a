import Basics
import Catalogue
import Content
import Foundation
import Hosting
import Platform
import Synchronization
import WebServer

/// Packs a whole concert as one ZIP, and reads one: the ZIP holds the folder that `baton content` reads and writes.
enum ContentZip {
    /// The largest ZIP that may be uploaded, in bytes.
    static let maximumUploadBytes = 128 << 20
    /// The limits of the unpacked contents, which are read into memory while a show may be running.
    static let unpackingLimits = ZipLimits(
        mostEntries: 5_000, mostFileBytes: AssetStore.mostAssetBytes, mostBytes: 128 << 20)
    /// The largest number of finished ZIPs that are kept for download; older ones are removed.
    static let mostFinishedZips = 4
    private static let finishedZipPrefix = "concert-"

    /// Writes a concert as a ZIP.
    /// - Returns: the ZIP's path, and its name, which is unique.
    /// - Throws: ``ZipError``, and errors of reading the content.
    static func writeConcertZip(_ document: CatalogueConcert, shelf: AssetStore) throws -> (
        path: String, name: String
    ) {
        let name = finishedZipPrefix + UUID().uuidString
        let path = "\(shelf.uploadFolder)/\(name)"
        let temporaryPath = "\(shelf.uploadFolder)/\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: temporaryPath) }
        let zip = try ZipWriter(path: temporaryPath)
        var written = 0
        var names: Set<String> = []
        try ContentExport(catalogueConcert: document, assetStore: shelf).forEachFile { bytes, name in
            written += bytes.count
            // A ZIP that exceeds the limits for reading is not written.
            guard written <= unpackingLimits.mostTotalBytes else {
                throw ZipError.totalTooLarge(bytes: written, limit: unpackingLimits.mostTotalBytes)
            }
            guard names.insert(name.lowercased()).inserted else {
                throw ExplainedError(
                    "Two files would be named “\(name.prefix(80))”, apart from capitals. Rename one of them."
                )
            }
            try zip.addFile(name, bytes, packs: isCompressible(name))
        }
        try zip.finish()
        removeOldFinishedZips(in: shelf.uploadFolder)
        try FileManager.default.moveItem(atPath: temporaryPath, toPath: path)
        return (path, name)
    }

    /// Reads a ZIP that holds a concert's folder.
    /// - Parameter scratch: a folder to unpack into; the caller removes it.
    static func readConcertZip(_ path: String, scratch: String) throws -> ContentFiles {
        let zip = try ZipReader(path: path, limits: unpackingLimits)
        guard !zip.entries.isEmpty else { throw ExplainedError("The ZIP is empty.") }
        try zip.unpack(into: scratch)
        return try ContentFiles(path: withoutOuterFolder(of: scratch))
    }

    /// Returns the inner folder if the unpacked folder contains nothing else, because a ZIP of a folder usually
    /// contains the folder itself.
    private static func withoutOuterFolder(of folder: String) -> String {
        let inside = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        var isFolder: ObjCBool = false
        guard inside.count == 1,
            FileManager.default.fileExists(atPath: "\(folder)/\(inside[0])", isDirectory: &isFolder),
            isFolder.boolValue, !ContentAsset.Folder.allCases.map(\.rawValue).contains(inside[0])
        else { return folder }
        return "\(folder)/\(inside[0])"
    }

    private static func isCompressible(_ name: String) -> Bool {
        ["xml", "json", "txt", "md", "svg"].contains(
            name.split(separator: ".").last.map { $0.lowercased() } ?? "")
    }

    private static func removeOldFinishedZips(in folder: String) {
        let all = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
            $0.hasPrefix(finishedZipPrefix)
        }
        let dated = all.map { name -> (path: String, made: Date) in
            let path = "\(folder)/\(name)"
            let made = (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
            return (path, made ?? .distantPast)
        }.sorted { $0.made > $1.made }
        for old in dated.dropFirst(mostFinishedZips - 1) {
            try? FileManager.default.removeItem(atPath: old.path)
        }
    }
}

/// Runs one task at a time and refuses others meanwhile, because each needs memory and disk while a show may be
/// running.
final class ExclusiveTask: Sendable {
    private let isTaken = Mutex(false)

    /// Runs the task if no other one is running.
    /// - Returns: the task's result; nil if another task is running.
    package func runIfFree<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws
        -> Value?
    {
        let isMine = isTaken.withLock { taken in
            defer { taken = true }
            return !taken
        }
        guard isMine else { return nil }
        defer { isTaken.withLock { $0 = false } }
        return try await work()
    }
}
