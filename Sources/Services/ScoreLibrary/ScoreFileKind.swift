import Foundation

/// Format of an uploaded file, detected from its first bytes; the file's name does not count.
enum ScoreFileKind: Equatable, Sendable {
    case pdf, musicXML

    /// Detects the format of a file.
    /// - Parameter head: the first kilobytes of the file.
    /// - Returns: nil if the file is neither a PDF nor MusicXML.
    init?(head: [UInt8]) {
        let text = String(decoding: head.prefix(4_096), as: UTF8.self)
        if String(decoding: head.prefix(1_024), as: UTF8.self).contains("%PDF-") {
            self = .pdf
        } else if head.starts(with: [0x50, 0x4B, 0x03, 0x04]) || text.contains("<score-partwise")
            || text.contains("<score-timewise")
        {
            self = .musicXML
        } else if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]),
            text.replacing("\u{0}", with: "").contains("<score-")
        {
            // MusicXML in UTF-16, as some programs write it.
            self = .musicXML
        } else {
            return nil
        }
    }

    /// Detects the format of the file at a path.
    /// - Throws: if the file is neither a PDF nor MusicXML, or cannot be read.
    static func detect(_ path: String) throws -> ScoreFileKind {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw LibraryRefusal.badUpload(
                .cannotRead(path: path, reason: "it was lost on its way"), path: path)
        }
        guard let head = try? handle.read(upToCount: 4_096), !head.isEmpty else {
            throw LibraryRefusal.badUpload(
                .cannotRead(path: path, reason: "it is empty; export it again"), path: path)
        }
        guard let kind = ScoreFileKind(head: [UInt8](head)) else { throw LibraryRefusal.notScoreFile }
        return kind
    }
}
