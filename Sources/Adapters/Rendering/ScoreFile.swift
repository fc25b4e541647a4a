import Foundation

/// A score file whose content was checked before any external program reads it.
struct ScoreFile {
    enum Kind: Equatable { case musicXML, compressedMusicXML, midi }

    static let maximumBytes = 9_000_000

    let url: URL
    let kind: Kind
    let bytes: [UInt8]

    /// - Throws: ``RenderingError`` for an unknown ending, a file that is too large or not readable, and XML that is
    ///   not UTF-8 or declares entities.
    init(_ url: URL) throws(RenderingError) {
        self.url = url
        switch url.pathExtension.lowercased() {
        case "musicxml", "xml": kind = .musicXML
        case "mxl": kind = .compressedMusicXML
        case "mid", "midi": kind = .midi
        default: throw .unknownScoreFormat(path: url.path)
        }
        do {
            let handle = try FileHandle(forReadingFrom: url)
            bytes = [UInt8](try handle.read(upToCount: Self.maximumBytes + 1) ?? Data())
        } catch {
            throw .cannotRead(path: url.path, reason: Self.describeReadError(error))
        }
        guard bytes.count <= Self.maximumBytes else {
            let size = (try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? bytes.count
            throw .scoreTooLarge(path: url.path, bytes: size, limit: Self.maximumBytes)
        }
        if kind == .musicXML { try Self.refuseDangerousXML(bytes, path: url.path) }
    }

    /// Refuses XML that declares entities, or could hide such a declaration, because entities can expand to fill the
    /// memory. The program that unpacks compressed MusicXML applies the same rules.
    ///
    /// A zero byte means UTF-16 or UTF-32, in which this search would not find an entity declaration.
    static func refuseDangerousXML(_ bytes: [UInt8], path: String) throws(RenderingError) {
        guard let first = bytes.first(where: { ![0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) }),
            first == UInt8(ascii: "<"), !bytes.contains(0)
        else { throw .notMusicXML(path: path) }
        guard !Self.containsBytes(Array("<!ENTITY".utf8), in: bytes) else {
            throw .forbiddenEntityDeclaration(path: path)
        }
    }

    private static func containsBytes(_ needle: [UInt8], in bytes: [UInt8]) -> Bool {
        guard bytes.count >= needle.count else { return false }
        return (0...(bytes.count - needle.count)).contains { start in
            bytes[start] == needle[0] && bytes[start..<(start + needle.count)].elementsEqual(needle)
        }
    }

    private static func describeReadError(_ error: any Error) -> String {
        switch CocoaError.Code(rawValue: (error as NSError).code) {
        case .fileReadNoSuchFile, .fileNoSuchFile: "there is no such file"
        case .fileReadNoPermission: "its permissions forbid it"
        // Foundation has no separate error for a folder.
        case .fileReadUnknown: "it is no plain file, or the disk does not give it"
        default: error.localizedDescription
        }
    }
}
