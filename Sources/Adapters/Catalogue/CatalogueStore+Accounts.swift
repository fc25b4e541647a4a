import Foundation
import GRDB

extension CatalogueStore {
    /// Adds an account.
    /// - Parameter passwordHash: the result of the password hasher; never the passphrase itself.
    @discardableResult
    public func addAccount(
        named text: String, role: AccountRole, passwordHash: String, at now: Date = .now
    ) async throws(CatalogueError) -> Account {
        let name = try AccountName(text)
        return try await write { db in
            try Self.account(
                Self.insertAccount(name, role, passwordHash, now.millisecondsSince1970, db), db)
        }
    }

    /// - Parameter now: milliseconds since 1970.
    static func insertAccount(
        _ name: AccountName, _ role: AccountRole, _ passwordHash: String, _ now: Int64, _ db: Database
    ) throws -> AccountID {
        try requireNameFree(name, db)
        let id = AccountID.random()
        try db.execute(
            sql: """
                INSERT INTO account (id, name, nameKey, role, passwordHash, createdAt)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                id.rawValue, name.displayName, name.comparisonKey, role.rawValue, passwordHash, now,
            ])
        return id
    }

    /// Returns all accounts in the order of their names, including disabled ones.
    public func accounts() async throws(CatalogueError) -> [Account] {
        try await read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM account ORDER BY nameKey").map(Account.init(row:))
        }
    }

    public func account(named name: String) async throws(CatalogueError) -> Account {
        try await read { db in
            guard let row = try Self.accountRow(named: name, db) else {
                throw CatalogueError.noSuchAccount(name)
            }
            return try Account(row: row)
        }
    }

    /// Returns an account and the hash with which its passphrase is checked; nil if no account of this name may sign
    /// in.
    /// - Parameter includesSuspended: true if a suspended account is returned too; see ``Account/disabledAt``.
    public func credentials(
        named name: String, includesSuspended: Bool = false
    ) async throws(CatalogueError) -> (account: Account, passwordHash: String)? {
        try await read { db in
            guard let row = try Self.accountRow(named: name, db) else { return nil }
            let account = try Account(row: row)
            return account.disabledAt == nil || includesSuspended ? (account, row["passwordHash"]) : nil
        }
    }

    /// Returns the enabled account of this id and its password hash; otherwise nil.
    public func credentials(
        of id: AccountID
    ) async throws(CatalogueError) -> (account: Account, passwordHash: String)? {
        try await read { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT * FROM account WHERE id = ? AND disabledAt IS NULL", arguments: [id.rawValue]
            )
            return try row.map { (try Account(row: $0), $0["passwordHash"]) }
        }
    }

    public func renameAccount(_ id: AccountID, to text: String) async throws(CatalogueError) {
        let name = try AccountName(text)
        try await write { db in
            _ = try Self.account(id, db)
            try Self.requireNameFree(name, besides: id, db)
            try db.execute(
                sql: "UPDATE account SET name = ?, nameKey = ? WHERE id = ?",
                arguments: [name.displayName, name.comparisonKey, id.rawValue])
        }
    }

    /// Changes an account's role. The new role applies from the account's next request.
    public func setRole(_ role: AccountRole, of id: AccountID) async throws(CatalogueError) {
        try await write { db in
            if role != .administrator { try Self.requireAnotherAdministrator(than: id, db) }
            _ = try Self.account(id, db)
            try db.execute(
                sql: "UPDATE account SET role = ? WHERE id = ?", arguments: [role.rawValue, id.rawValue])
        }
    }

    /// Disables an account and ends all its sign-ins, or enables it again.
    public func setAccountDisabled(
        _ isDisabled: Bool, _ id: AccountID, at now: Date = .now
    ) async throws(CatalogueError) {
        try await write { db in
            if isDisabled { try Self.requireAnotherAdministrator(than: id, db) }
            _ = try Self.account(id, db)
            try db.execute(
                sql: "UPDATE account SET disabledAt = ? WHERE id = ?",
                arguments: [isDisabled ? now.millisecondsSince1970 : nil, id.rawValue])
            if isDisabled { try Self.endSignIns(of: id, except: nil, db) }
        }
    }

    /// Removes an account and its tabs. The services delete what else belongs to it, on both servers, because its
    /// erasure is noted: takes, pieces made of tabs, and its own documents in the diary.
    public func removeAccount(_ id: AccountID, at now: Date = .now) async throws(CatalogueError) {
        try await write { db in
            try Self.requireAnotherAdministrator(than: id, db)
            _ = try Self.account(id, db)
            try Self.removePracticeSharing(of: id.rawValue, db)
            try db.execute(sql: "DELETE FROM practiceTab WHERE account = ?", arguments: [id.rawValue])
            try Self.noteErasure(of: .account, named: id.rawValue, at: now, db)
            try RemarkTables.removeAll(ofAccount: id.rawValue, db)
            try db.execute(sql: "DELETE FROM account WHERE id = ?", arguments: [id.rawValue])
        }
    }

    /// Sets a new password hash and ends the account's sign-ins, because a stranger may have made one of them. An open
    /// reset link ends too, because a stranger may have it.
    /// - Parameters:
    ///   - kept: the digest of the sign-in by which the person made the change. This sign-in does not end.
    ///   - endsSignIns: false if the person wants to stay signed in on all devices.
    public func setPasswordHash(
        _ passwordHash: String, of id: AccountID, keeping kept: [UInt8]? = nil, endsSignIns: Bool = true
    ) async throws(CatalogueError) {
        try await write { db in
            _ = try Self.account(id, db)
            try db.execute(
                sql: "UPDATE account SET passwordHash = ? WHERE id = ?",
                arguments: [passwordHash, id.rawValue])
            try db.execute(
                sql: "DELETE FROM invitation WHERE kind = 'reset' AND usedAt IS NULL AND account = ?",
                arguments: [id.rawValue])
            if endsSignIns { try Self.endSignIns(of: id, except: kept, db) }
        }
    }

    /// Replaces a password hash by one that was computed from the same password with another cost, unless the password
    /// was changed in the meantime.
    public func replaceOutdatedHash(
        _ old: String, by new: String, of id: AccountID
    ) async throws(CatalogueError) {
        try await write { db in
            try db.execute(
                sql: "UPDATE account SET passwordHash = ? WHERE id = ? AND passwordHash = ?",
                arguments: [new, id.rawValue, old])
        }
    }

    private static func accountRow(named name: String, _ db: Database) throws -> Row? {
        try Row.fetchOne(
            db, sql: "SELECT * FROM account WHERE nameKey = ?",
            arguments: [AccountName.makeComparisonKey(name)])
    }

    static func account(_ id: AccountID, _ db: Database) throws -> Account {
        let row = try Row.fetchOne(db, sql: "SELECT * FROM account WHERE id = ?", arguments: [id.rawValue])
        guard let row else { throw CatalogueError.noSuchAccount(id.rawValue) }
        return try Account(row: row)
    }

    /// Throws if another account has this name, or one that looks like it.
    private static func requireNameFree(
        _ name: AccountName, besides own: AccountID? = nil, _ db: Database
    ) throws {
        let shape = AccountName.shape(of: name.displayName)
        let rows = try Row.fetchCursor(db, sql: "SELECT id, name, nameKey FROM account")
        while let row = try rows.next() {
            guard row["id"] != own?.rawValue else { continue }
            if row["nameKey"] == name.comparisonKey || AccountName.shape(of: row["name"]) == shape {
                throw CatalogueError.accountNameTaken(name.displayName)
            }
        }
    }

    /// Throws if no other enabled administrator would remain. Somebody must always be able to manage the accounts.
    private static func requireAnotherAdministrator(than id: AccountID, _ db: Database) throws {
        let account = try account(id, db)
        guard account.role == .administrator, account.disabledAt == nil else { return }
        let others =
            try Int.fetchOne(
                db,
                sql: """
                    SELECT count(*) FROM account
                    WHERE role = 'administrator' AND disabledAt IS NULL AND id <> ?
                    """,
                arguments: [id.rawValue]) ?? 0
        guard others > 0 else { throw CatalogueError.lastAdministrator(account.name) }
    }
}

extension Account {
    init(row: Row) throws {
        guard let role = AccountRole(rawValue: row["role"]) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "an account has an unknown role")
        }
        self.init(
            id: AccountID(rawValue: row["id"]), name: row["name"], role: role,
            created: Date(milliseconds: row["createdAt"]),
            disabledAt: (row["disabledAt"] as Int64?).map(Date.init(milliseconds:)))
    }
}

extension Date {
    /// The date in milliseconds since 1970, UTC.
    var millisecondsSince1970: Int64 { Int64((timeIntervalSince1970 * 1_000).rounded()) }

    init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}
