import Foundation
import GRDB

/// The limits on the duration and number of sign-ins. ``SignInClock``, which nobody can set, measures the duration.
public enum SignInLimits {
    /// The number of days without a visit after which a sign-in ends.
    public static let inactivityDays = 30
    /// The number of sign-ins that one account may have at once. One more sign-in ends the least recently used
    /// sign-in that has no screen open.
    public static let mostPerAccount = 20
    /// The maximum number of sign-ins of one account. The number exceeds ``mostPerAccount`` only while sign-ins have
    /// a screen open, because such sign-ins are not ended. One more sign-in is refused.
    public static let mostInUsePerAccount = 100
    /// The minimum time between two records of a sign-in's visits, in milliseconds, so that reading pages writes little
    /// to the disk.
    static let visitRecordIntervalMilliseconds: Int64 = 60_000

    static let inactivityMilliseconds = Int64(inactivityDays) * 86_400_000
}

extension CatalogueStore {
    /// Begins a sign-in of an account.
    /// - Parameters:
    ///   - digest: SHA-256 of the visitor's token, 32 bytes.
    ///   - inUse: digests of sign-ins that have a screen open; these are not ended to make room.
    public func beginSignIn(
        of id: AccountID, digest: [UInt8], inUse: [[UInt8]] = [], at date: Date? = nil
    ) async throws(CatalogueError) {
        let clock = signInClock
        let now = date?.millisecondsSince1970 ?? clock.nowMilliseconds
        let inUse = Set(inUse.map { Data($0) })
        try await write { db in
            guard try Self.account(id, db).disabledAt == nil else {
                throw CatalogueError.noSuchAccount(id.rawValue)
            }
            try db.execute(sql: "DELETE FROM signIn WHERE expiresAt <= ?", arguments: [now])
            let older = try Data.fetchAll(
                db, sql: "SELECT digest FROM signIn WHERE account = ? ORDER BY lastSeenAt DESC",
                arguments: [id.rawValue])
            let kept = older.enumerated().filter {
                $0 < SignInLimits.mostPerAccount - 1 || inUse.contains($1)
            }
            guard kept.count < SignInLimits.mostInUsePerAccount else {
                throw CatalogueError.accountInUseOnTooManyScreens
            }
            for (place, digest) in older.enumerated()
            where place >= SignInLimits.mostPerAccount - 1 && !inUse.contains(digest) {
                try db.execute(sql: "DELETE FROM signIn WHERE digest = ?", arguments: [digest])
            }
            try db.execute(
                sql: """
                    INSERT INTO signIn (digest, account, createdAt, lastSeenAt, expiresAt)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [Data(digest), id.rawValue, now, now, now + SignInLimits.inactivityMilliseconds])
            if date == nil { try clock.store(db) }
        }
    }

    /// Returns the account signed in with a token; nil if the token is unknown or expired, or the account is disabled.
    ///
    /// Prolongs the sign-in. Cost: one read; one write at most once a minute.
    public func account(signedInBy digest: [UInt8], at date: Date? = nil) async throws(CatalogueError)
        -> Account?
    {
        let clock = signInClock
        let now = date?.millisecondsSince1970 ?? clock.nowMilliseconds
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
        if now - found.lastSeen > SignInLimits.visitRecordIntervalMilliseconds {
            do throws(CatalogueError) {
                try await write { db in
                    try db.execute(
                        sql: "UPDATE signIn SET lastSeenAt = ?, expiresAt = ? WHERE digest = ?",
                        arguments: [now, now + SignInLimits.inactivityMilliseconds, Data(digest)])
                    if date == nil { try clock.store(db) }
                }
            } catch {
                // A full disk must not sign the technician out. Without the record, the sign-in only ends earlier.
            }
        }
        return found.account
    }

    /// Returns one text for each account that may sign in, with its role, and one text for each sign-in. The set of
    /// texts changes when any account or sign-in changes.
    ///
    /// Cost: some hundred microseconds for a thousand texts.
    public func accessSnapshot() async throws(CatalogueError) -> Set<String> {
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

    /// Returns the number of an account's sign-ins that have not expired.
    public func signInCount(of id: AccountID, at date: Date? = nil) async throws(CatalogueError) -> Int {
        let now = date?.millisecondsSince1970 ?? signInClock.nowMilliseconds
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
