import Foundation
import GRDB

/// The limits of sign-ins. Their duration is measured by ``SignInClock``, which nobody can set.
public enum SignInTerm {
    /// Days without a visit after which a sign-in ends.
    public static let days = 30
    /// Sign-ins that one account may have at once; a further one ends the least recently used one, but none in use.
    public static let most = 20
    /// The most sign-ins an account may have if some have a screen open and cannot be ended; a further one is
    /// refused.
    public static let mostInUse = 100
    /// A visit is recorded only if the last record is older than this, so that reading pages writes little.
    static let noteEveryMilliseconds: Int64 = 60_000

    static let milliseconds = Int64(days) * 86_400_000
}

extension CatalogueStore {
    /// Begins a sign-in.
    /// - Parameters:
    ///   - digest: SHA-256 of the visitor's token, 32 bytes.
    ///   - inUse: digests of sign-ins that have a screen open; these are not ended to make room.
    public func beginSignIn(
        of id: AccountID, digest: [UInt8], inUse: [[UInt8]] = [], at date: Date? = nil
    ) async throws(CatalogueError) {
        let clock = signInClock
        let now = date?.milliseconds ?? clock.now
        let inUse = Set(inUse.map { Data($0) })
        try await write { db in
            guard try Self.account(id, db).disabled == nil else {
                throw CatalogueError.noSuchAccount(id.rawValue)
            }
            try db.execute(sql: "DELETE FROM signIn WHERE expiresAt <= ?", arguments: [now])
            let older = try Data.fetchAll(
                db, sql: "SELECT digest FROM signIn WHERE account = ? ORDER BY lastSeenAt DESC",
                arguments: [id.rawValue])
            let kept = older.enumerated().filter { $0 < SignInTerm.most - 1 || inUse.contains($1) }
            guard kept.count < SignInTerm.mostInUse else { throw CatalogueError.tooManyScreens }
            for (place, digest) in older.enumerated()
            where place >= SignInTerm.most - 1 && !inUse.contains(digest) {
                try db.execute(sql: "DELETE FROM signIn WHERE digest = ?", arguments: [digest])
            }
            try db.execute(
                sql: """
                    INSERT INTO signIn (digest, account, createdAt, lastSeenAt, expiresAt)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [Data(digest), id.rawValue, now, now, now + SignInTerm.milliseconds])
            if date == nil { try clock.note(db) }
        }
    }

    /// The account signed in with a token; nil if the token is unknown or expired, or the account is disabled.
    ///
    /// Prolongs the sign-in. Cost: one read; one write at most once a minute.
    public func account(signedInBy digest: [UInt8], at date: Date? = nil) async throws(CatalogueError)
        -> Account?
    {
        let clock = signInClock
        let now = date?.milliseconds ?? clock.now
        let found = try await read { db -> (account: Account, lastSeen: Int64)? in
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT account.*, signIn.lastSeenAt AS lastSeenAt FROM signIn
                    JOIN account ON account.id = signIn.account
                    WHERE signIn.digest = ? AND signIn.expiresAt > ? AND account.disabledAt IS NULL
                    """,
                arguments: [Data(digest), now])
            return try row.map { (try Account(row: $0), $0["lastSeenAt"]) }
        }
        guard let found else { return nil }
        if now - found.lastSeen > SignInTerm.noteEveryMilliseconds {
            do throws(CatalogueError) {
                try await write { db in
                    try db.execute(
                        sql: "UPDATE signIn SET lastSeenAt = ?, expiresAt = ? WHERE digest = ?",
                        arguments: [now, now + SignInTerm.milliseconds, Data(digest)])
                    if date == nil { try clock.note(db) }
                }
            } catch {
                // A full disk must not sign the technician out; without the record the sign-in only ends earlier.
            }
        }
        return found.account
    }

    /// One text for each account that may sign in, with its role, and one for each sign-in: the set changes when any
    /// of them changes.
    ///
    /// Cost: some hundred microseconds for a thousand.
    public func grants() async throws(CatalogueError) -> Set<String> {
        try await read { db in
            try String.fetchSet(
                db,
                sql: """
                    SELECT id || ' ' || role FROM account WHERE disabledAt IS NULL
                    UNION ALL SELECT hex(substr(digest, 1, 8)) FROM signIn
                    """)
        }
    }

    public func endSignIn(_ digest: [UInt8]) async throws(CatalogueError) {
        try await write { db in
            try db.execute(sql: "DELETE FROM signIn WHERE digest = ?", arguments: [Data(digest)])
        }
    }

    /// Ends all sign-ins of an account.
    public func endSignIns(of id: AccountID, except kept: [UInt8]? = nil) async throws(CatalogueError) {
        try await write { db in try Self.endSignIns(of: id, except: kept, db) }
    }

    /// The number of an account's valid sign-ins.
    public func signInCount(of id: AccountID, at date: Date? = nil) async throws(CatalogueError) -> Int {
        let now = date?.milliseconds ?? signInClock.now
        return try await read { db in
            try Int.fetchOne(
                db, sql: "SELECT count(*) FROM signIn WHERE account = ? AND expiresAt > ?",
                arguments: [id.rawValue, now]) ?? 0
        }
    }

    static func endSignIns(of id: AccountID, except kept: [UInt8]?, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM signIn WHERE account = ? AND digest IS NOT ?",
            arguments: [id.rawValue, kept.map { Data($0) }])
    }
}
