import Concert
import Content
import Foundation
import Hosting
import Platform

/// The list of the files that an export wrote into a folder, stored there. By it, the next export into the same folder
/// removes what is no more part of the concert, and nothing else.
struct ExportRecord: Codable {
    static let fileName = "baton-export.json"
    private static let limitBytes = 4 << 20

    /// The digest of each file when it was written, by the file's name.
    private(set) var files: [String: String] = [:]

    init() {}

    /// Reads the record of a folder; nil if there is none.
    init?(in folder: String) {
        guard let handle = FileHandle(forReadingAtPath: "\(folder)/\(Self.fileName)"),
            let bytes = try? handle.read(upToCount: Self.limitBytes),
            let read = try? JSONDecoder().decode(Self.self, from: bytes)
        else { return nil }
        self = read
    }

    mutating func add(_ name: String, _ bytes: [UInt8]) { files[name] = Digest(of: bytes).description }

    func write(to folder: String) throws {
        try JSONFile.write(self, to: "\(folder)/\(Self.fileName)")
    }

    /// Removes the files of this record that a newer export did not write. A file that was changed since stays.
    /// - Returns: the names of the files that were removed, and of those that stay.
    func removeFiles(missingIn newer: ExportRecord, from folder: String) -> (
        removed: [String], kept: [String]
    ) {
        var (removed, kept): ([String], [String]) = ([], [])
        for (name, digest) in files.sorted(by: { $0.key < $1.key })
        where newer.files[name] == nil && Self.isExportedName(name) {
            let file = "\(folder)/\(name)"
            guard Self.isOwnFile(name, in: folder), let bytes = FileManager.default.contents(atPath: file)
            else { continue }
            guard Digest(of: Array(bytes)).description == digest,
                (try? FileManager.default.removeItem(atPath: file)) != nil
            else {
                kept.append(name)
                continue
            }
            removed.append(name)
            // A folder that holds anything else stays.
            if let end = name.firstIndex(of: "/") { rmdir("\(folder)/\(name[..<end])") }
        }
        return (removed, kept)
    }

    /// True if an export can have written a file of this name. The record lies among a person's files, so that its
    /// names are checked as any others from outside.
    private static func isExportedName(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.first != "." }) else { return false }
        let folders = ContentAsset.Folder.allCases.map(\.rawValue)
        return switch parts.count {
        case 1: name == ContentFiles.messagesFileName
        case 2: parts[0].hasPrefix("POA") || folders.contains(String(parts[0]))
        default: false
        }
    }

    /// True if the file is a regular file, and its folder is no link to another place.
    private static func isOwnFile(_ name: String, in folder: String) -> Bool {
        func type(_ path: String) -> FileAttributeType? {
            (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
        }
        let outer = name.firstIndex(of: "/").map { type("\(folder)/\(name[..<$0])") }
        return type("\(folder)/\(name)") == .typeRegular && (outer ?? .typeDirectory) == .typeDirectory
    }
}
