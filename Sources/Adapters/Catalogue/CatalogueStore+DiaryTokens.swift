import Foundation
import GRDB

/// A token with which an application uses the diary. Its secret text is not stored, only the digest.
public struct DiaryToken: Hashable, Sendable {
    /// The rights of a token.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// May read.
        case application
        /// May read and write.
        case administrator
    }

    public var id: String
    /// Says for people what the token is for.
    public var name: String
    public var kind: Kind
    public var createdAt: Date
    /// The last use, to the hour; nil if it was never used.
    public var lastUsedAt: Date?
}

/// Tokens of applications that use the diary.
extension CatalogueStore {
    public static let mostDiaryTokens = 100
    public static let longestDiaryTokenName = 80
    /// The minimum time between two records of a token's use, in milliseconds.
    private static let useRecordIntervalMilliseconds: Int64 = 3_600_000

    /// Returns all tokens, oldest first.
    public func diaryTokens() async throws(CatalogueError) -> [DiaryToken] {
        try await read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM diaryToken ORDER BY createdAt, id").map(Self.diaryToken)
        }
    }

    /// Stores a token.
    /// - Parameter digest: SHA-256 of the token's text, 32 bytes.
    /// - Returns: nil if there are ``mostDiaryTokens`` already.
    public func addDiaryToken(
        id: String, named name: String, kind: DiaryToken.Kind, digest: [UInt8], at now: Date = .now
    ) async throws(CatalogueError) -> DiaryToken? {
        try await write { db in
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM diaryToken") ?? 0
            guard count < Self.mostDiaryTokens else { return nil }
            try db.execute(
                sql: "INSERT INTO diaryToken (id, name, kind, digest, createdAt) VALUES (?, ?, ?, ?, ?)",
                arguments: [id, name, kind.rawValue, Data(digest), now.millisecondsSince1970])
            return DiaryToken(id: id, name: name, kind: kind, createdAt: now)
        }
    }

    /// Returns the token with a digest; nil if there is none. Records its use, at most once an hour.
    public func diaryToken(digest: [UInt8], at now: Date = .now) async throws(CatalogueError) -> DiaryToken? {
        let found = try await read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM diaryToken WHERE digest = ?", arguments: [Data(digest)])
                .map(Self.diaryToken)
        }
        guard let found else { return nil }
        let (id, used) = (found.id, found.lastUsedAt?.millisecondsSince1970 ?? 0)
        if now.millisecondsSince1970 - used > Self.useRecordIntervalMilliseconds {
            // A full disk must not lock applications out.
            try? await write { db in
                try db.execute(
                    sql: "UPDATE diaryToken SET lastUsedAt = ? WHERE id = ?",
                    arguments: [now.millisecondsSince1970, id])
            }
        }
        return found
    }

    /// Deletes a token; its application is refused from then on.
    /// - Returns: false if there was none.
    public func withdrawDiaryToken(_ id: String) async throws(CatalogueError) -> Bool {
        try await write { db in
            try db.execute(sql: "DELETE FROM diaryToken WHERE id = ?", arguments: [id])
            return db.changesCount > 0
        }
    }

    private static func diaryToken(_ row: Row) -> DiaryToken {
        DiaryToken(
            id: row["id"], name: row["name"], kind: DiaryToken.Kind(rawValue: row["kind"]) ?? .application,
            createdAt: Date(timeIntervalSince1970: Double(row["createdAt"] as Int64) / 1_000),
            lastUsedAt: (row["lastUsedAt"] as Int64?).map { Date(timeIntervalSince1970: Double($0) / 1_000) })
    }
}
