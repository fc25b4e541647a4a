import Foundation

/// The key with which a house asks a source. It is read from a file, so that no list of processes shows it.
public struct SourceKey: Sendable {
    let text: String

    /// The reason why a key cannot be used.
    public enum Fault: Error, Equatable {
        case unreadable
        /// Not one line of 8 to 200 letters, digits, hyphens and underscores.
        case noKey
    }

    public init(file path: String) throws(Fault) {
        guard let file = FileHandle(forReadingAtPath: path),
            let bytes = try? file.read(upToCount: 4_096)
        else { throw .unreadable }
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard (8...200).contains(text.utf8.count),
            text.utf8.allSatisfy({
                $0 == 0x2D || $0 == 0x5F || (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20)
            })
        else { throw .noKey }
        self.text = text
    }
}
