import Catalogue
import Foundation

/// What a server that follows asks the one that reigns, about its content.
struct MirrorQuestion: Codable, Equatable {
    enum Subject: String, Codable { case changes, files, file }

    var subject: Subject
    /// A database or a folder of files.
    var of: String
    /// Changes: of the tables, equal on both.
    var shape: String?
    /// Changes: the copy that is to go on; nil for one to be made anew.
    var copy: ReplicationPosition?
    /// Changes: who asks, so that the other can say how much it has of that.
    var lineage: String?
    /// Files: the digest of the list the asker has; file: its name.
    package var name: String?
    /// Where in the file, or in a piece that is sent in several.
    var offset: Int64?
    /// What keeps the asker from having all, for the console of the other.
    var trouble: String?
}

/// The answer's first part; rows or a piece of a file come behind it.
struct MirrorAnswer: Codable, Equatable {
    struct File: Codable, Equatable {
        package var name: String
        var bytes: Int64
    }

    /// Why there is no answer.
    var refusal: String?
    /// Changes: the history they are of, and whether they begin at its beginning.
    var lineage: String?
    var isAnew: Bool?
    var through: Int64?
    var isAll: Bool?
    /// How far the one who answers has the asker's own history.
    var holds: Int64?
    /// Files: nil where the asker's list is still right.
    var files: [File]?
    /// The total size of the file, or of a set of rows that is too long for one answer; otherwise nil.
    var bytes: Int64?
}

enum MirrorWords {
    /// Some milliseconds on the cable, so that no line of the log waits long behind it.
    static let pieceBytes = 128 << 10
    private static let mostHeaderBytes = 4 << 20

    static func bytes(_ answer: MirrorAnswer, _ body: [UInt8] = []) -> [UInt8] {
        let header = (try? JSONEncoder().encode(answer)).map(Array.init) ?? []
        let length = UInt32(header.count)
        return (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * UInt32($0))) } + header + body
    }

    static func answer(_ bytes: [UInt8]) -> (MirrorAnswer, ArraySlice<UInt8>)? {
        guard bytes.count >= 4 else { return nil }
        let length = Int(bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
        guard length <= mostHeaderBytes, bytes.count >= 4 + length,
            let answer = try? JSONDecoder().decode(MirrorAnswer.self, from: Data(bytes[4..<4 + length]))
        else { return nil }
        return (answer, bytes[(4 + length)...])
    }
}
