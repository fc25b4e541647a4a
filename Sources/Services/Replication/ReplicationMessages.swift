import Catalogue
import Foundation

/// A request of the standby server to the active one.
struct ReplicationRequest: Codable, Equatable {
    enum Subject: String, Codable { case changes, files, file }

    var subject: Subject
    /// Name of a database or of a store of files.
    var of: String
    /// For changes: digest of the tables' definitions; it must be equal on both servers.
    var shape: String?
    /// For changes: the position from which to continue; nil for a copy from the start.
    var copy: ReplicationPosition?
    /// For changes: lineage of the standby server's own history, so that the active server can tell how much of it it
    /// holds.
    var lineage: String?
    /// For a list of files: digest of the requester's list. For a file: its name.
    package var name: String?
    /// Byte offset in the file, or in a batch that is sent in several answers.
    var offset: Int64?
    /// Error that keeps the standby server's copy incomplete, for the active server's console.
    var trouble: String?
}

/// Header of an answer; rows or bytes of a file follow it.
struct ReplicationAnswer: Codable, Equatable {
    struct File: Codable, Equatable {
        package var name: String
        var bytes: Int64
    }

    /// Error sentence if the request is refused.
    var refusal: String?
    /// For changes: lineage of the history they belong to; true if they begin at its start; the last number; true if
    /// no further changes exist.
    var lineage: String?
    var isAnew: Bool?
    var through: Int64?
    var isAll: Bool?
    /// The last number of the requester's own history that the active server holds.
    var holds: Int64?
    /// For a list of files: nil if the requester's list is up to date.
    var files: [File]?
    /// The total size of the file, or of a set of rows that is too long for one answer; otherwise nil.
    var bytes: Int64?
}

enum ReplicationCoding {
    /// Largest body of an answer. It takes a few milliseconds on the cable, so that lines of the show log never wait
    /// long.
    static let pieceBytes = 128 << 10
    private static let mostHeaderBytes = 4 << 20

    static func bytes(_ answer: ReplicationAnswer, _ body: [UInt8] = []) -> [UInt8] {
        let header = (try? JSONEncoder().encode(answer)).map(Array.init) ?? []
        let length = UInt32(header.count)
        return (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * UInt32($0))) } + header + body
    }

    static func answer(_ bytes: [UInt8]) -> (ReplicationAnswer, ArraySlice<UInt8>)? {
        guard bytes.count >= 4 else { return nil }
        let length = Int(bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
        guard length <= mostHeaderBytes, bytes.count >= 4 + length,
            let answer = try? JSONDecoder().decode(ReplicationAnswer.self, from: Data(bytes[4..<4 + length]))
        else { return nil }
        return (answer, bytes[(4 + length)...])
    }
}
