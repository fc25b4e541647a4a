import Catalogue
import Foundation

/// A request from the standby server to the active server.
struct ReplicationRequest: Codable, Equatable {
    enum Subject: String, Codable {
        case changes, files, file
        /// The items of a replicated folder, a part of one of its files, and the digest of one.
        case items, part, digest
    }

    var subject: Subject
    /// Name of the database or of the file store that the request concerns.
    var of: String
    /// For `changes`: digest of the table definitions, which must be equal on both servers.
    var shape: String?
    /// For `changes`: the position after which to continue; nil for a copy from the start.
    var copy: ReplicationPosition?
    /// For `changes`: identifies the standby server's own change history. By it the active server finds the number of
    /// the last change in this history that it holds.
    var lineage: String?
    /// For `files` and `items`: digest of the requester's list. For the others: the file's name, or its path.
    package var name: String?
    /// Offset in bytes in the file, or in a batch that is sent in several answers.
    var offset: Int64?
    /// The items and bytes of replicated folders that the standby server still lacks.
    var missingItems: Int?
    var missingBytes: Int64?
    /// The error that keeps the standby server's copy incomplete. The active server's console shows it.
    var trouble: String?
}

/// Header of an answer. Rows, or the bytes of a file, follow the header.
struct ReplicationAnswer: Codable, Equatable {
    struct File: Codable, Equatable {
        package var name: String
        var bytes: Int64
    }

    /// The reason, as a sentence, if the request is refused; otherwise nil.
    var refusal: String?
    /// For `changes`: identifies the history of the changes.
    var lineage: String?
    /// For `changes`: true if the changes begin at the start of the history.
    var isAnew: Bool?
    /// For `changes`: the number of the last change in this answer.
    var through: Int64?
    /// For `changes`: true if no further changes exist.
    var isAll: Bool?
    /// Number of the last change in the requester's own history that the active server holds; nil if it holds none.
    var holds: Int64?
    /// For `files`: the active server's list of files; nil if the requester's list is equal to it.
    var files: [File]?
    /// Total bytes of the requested file, or of a batch of rows or a list of items that is too long for one answer;
    /// otherwise nil.
    var bytes: Int64?
    /// For `items`: digest of the list. For `digest`: digest of the file.
    var digest: String?
    /// For `items`: identifies the folder on its disk, so that a folder that both servers share is not copied.
    var place: String?
    /// For `items`: the number of items that are beyond the limits and not in the list; nil if there are none.
    var leftOutItems: Int?
}

enum ReplicationCoding {
    /// Largest body of one answer, in bytes. Sending it takes a few milliseconds, so it hardly delays the lines of the
    /// show log that are sent over the same cable.
    static let mostBodyBytes = 128 << 10
    private static let mostHeaderBytes = 4 << 20

    static func encodeAnswer(_ answer: ReplicationAnswer, _ body: [UInt8] = []) -> [UInt8] {
        let header = (try? JSONEncoder().encode(answer)).map(Array.init) ?? []
        let length = UInt32(header.count)
        return (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * UInt32($0))) } + header + body
    }

    static func decodeAnswer(_ bytes: [UInt8]) -> (ReplicationAnswer, ArraySlice<UInt8>)? {
        guard bytes.count >= 4 else { return nil }
        let length = Int(bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
        guard length <= mostHeaderBytes, bytes.count >= 4 + length,
            let answer = try? JSONDecoder().decode(ReplicationAnswer.self, from: Data(bytes[4..<4 + length]))
        else { return nil }
        return (answer, bytes[(4 + length)...])
    }
}
