import Basics
import Foundation

/// A score file whose content was checked before any external program reads it.
struct ScoreFile {
    enum Kind: Equatable { case musicXML, compressedMusicXML, midi }

    static let maximumBytes = 9_000_000

    let url: URL
    let kind: Kind
    let bytes: [UInt8]

    /// The content decides about the kind, because people rename files; the ending only whether it may be a score.
    /// - Throws: ``ExplainedError`` for an unknown ending, a file that is too large or not readable, and XML that is
    ///   no text or declares entities.
    init(_ url: URL) throws(ExplainedError) {
        self.url = url
        let endings = ["musicxml", "xml", "mxl", "mid", "midi", "kar", "rmi"]
        guard endings.contains(url.pathExtension.lowercased()) else {
            throw ExplainedError(
                "\(url.path) is not a score whose notes can be read. Export it from the notation "
                    + "program as MusicXML (.musicxml, .xml, .mxl) or MIDI (.mid, .midi); the notes of a "
                    + "PDF or a picture are not read.")
        }
        let bytes: [UInt8]
        do {
            let handle = try FileHandle(forReadingFrom: url)
            bytes = [UInt8](try handle.read(upToCount: Self.maximumBytes + 1) ?? Data())
        } catch {
            throw ExplainedError("\(url.path) cannot be read: \(Self.describeReadError(error)).")
        }
        guard bytes.count <= Self.maximumBytes else {
            let size = (try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? bytes.count
            throw ExplainedError(
                "\(url.path) has \(size) bytes; scores of up to \(Self.maximumBytes) bytes are read.")
        }
        if bytes.starts(with: [0x50, 0x4B, 3, 4]) {
            (kind, self.bytes) = (.compressedMusicXML, bytes)
        } else if bytes.starts(with: "MThd".utf8) || bytes.starts(with: "RIFF".utf8)
            || !["musicxml", "xml", "mxl"].contains(url.pathExtension.lowercased())
        {
            (kind, self.bytes) = (.midi, bytes)
        } else {
            (kind, self.bytes) = (.musicXML, try Self.plainXML(bytes, path: url.path))
        }
    }

    /// XML without UTF-16, which some notation programs write. Refuses XML that declares entities, or could hide such a
    /// declaration, because entities can expand to fill the memory. The program that unpacks compressed MusicXML applies
    /// the same rules.
    static func plainXML(_ bytes: [UInt8], path: String) throws(ExplainedError) -> [UInt8] {
        var bytes = bytes
        if bytes.prefix(4).contains(0) || bytes.starts(with: [0xFF, 0xFE])
            || bytes.starts(with: [0xFE, 0xFF])
        {
            guard let decoded = DecodedText(bytes), !decoded.isGuess else {
                throw ExplainedError(
                    "\(path) is not MusicXML; export it again from the notation program as MusicXML.")
            }
            bytes = Array(decoded.text.utf8)
        }
        // A zero byte means UTF-32 or no text, in which this search would not find an entity declaration.
        guard let first = bytes.first(where: { ![0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) }),
            first == UInt8(ascii: "<"), !bytes.contains(0)
        else {
            throw ExplainedError(
                "\(path) is not MusicXML; export it again from the notation program as MusicXML.")
        }
        guard !Self.containsBytes(Array("<!ENTITY".utf8), in: bytes) else {
            throw ExplainedError(
                "\(path) declares XML entities, which no score needs and which can do harm; export it "
                    + "again from the notation program.")
        }
        return bytes
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
