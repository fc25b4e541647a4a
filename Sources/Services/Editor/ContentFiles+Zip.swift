import Basics
import Content
import Foundation
import Hosting
import Platform

extension ContentFiles {
    /// True if the file at a path begins as a ZIP does, whatever its name is.
    static func isZip(_ path: String) -> Bool {
        guard let handle = FileHandle(forReadingAtPath: path) else { return false }
        let start = (try? handle.read(upToCount: 4)).map(Array.init) ?? []
        // A file first, or the end of an empty ZIP.
        return start == Array("PK\u{3}\u{4}".utf8) || start == Array("PK\u{5}\u{6}".utf8)
    }

    /// Reads the ZIP of a concert's folder. It is unpacked into a temporary folder, within the limits of uploads.
    static func readZip(_ path: String) throws -> ContentFiles {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "baton-\(UUID().uuidString)")
            .path
        defer { try? FileManager.default.removeItem(atPath: scratch) }
        do {
            var files = try ContentZip.readConcertZip(path, scratch: scratch)
            files.importNotes = files.importNotes.map {
                ContentEditRoutes.removingFolderPath($0, scratch)
            }
            return files
        } catch {
            guard let explained = error as? any Explained else { throw error }
            // The person knows the ZIP, not the place where it was unpacked.
            throw ExplainedError(
                "\(path): " + ContentEditRoutes.removingFolderPath(explained.sentence, scratch))
        }
    }
}
