import Foundation
import GRDB

extension CatalogueStore {
    /// An invitation that is about to be stored.
    public struct NewInvitation: Sendable {
        var digest: [UInt8]
        var name: String

        /// - Parameters:
        ///   - digest: SHA-256 of the link's secret, 32 bytes.
        ///   - name: the person for whom it is; may be empty.
        public init(digest: [UInt8], name: String) { (self.digest, self.name) = (digest, name) }
    }

    /// Stores invitations for new accounts of a role.
    /// - Parameter creator: the account of the person who invites; nil on a server without sign-in.
    /// - Returns: their ids, in order.
    /// - Throws: ``CatalogueError/tooManyInvitations`` if there is no room for all of them; then none is stored.
    public func addInvitations(
        _ wanted: [NewInvitation], role: AccountRole, by creator: AccountID?, at date: Date? = nil
    ) async throws(CatalogueError) -> [String] {
        let now = invitationTime(date)
        return try await write { db in
            try Self.deleteOldInvitations(now, db)
            let inviter = try creator.map { try Self.account($0, db) }
            let open =
                try Int.fetchOne(
                    db,
                    sql: """
                        SELECT count(*) FROM invitation
                        WHERE kind = 'invite' AND usedAt IS NULL AND expiresAt > ?
                        """, arguments: [now]) ?? 0
            let isAdministrator = inviter.map { $0.role == .administrator } ?? true
            let most =
                InvitationLimits.mostOpen - (isAdministrator ? 0 : InvitationLimits.reservedForAdministrators)
            guard open + wanted.count <= most else { throw CatalogueError.tooManyInvitations(open: open) }
            return try wanted.map { new in
                try Self.insertInvitation(
                    new, .invite, role, account: nil, by: creator, now, InvitationLimits.inviteSeconds, db)
            }
        }
    }

    /// Stores a link with which an account gets a new passphrase. An earlier link of the same account ends.
    public func addPasswordReset(
        of account: AccountID, digest: [UInt8], by creator: AccountID?, at date: Date? = nil
    ) async throws(CatalogueError) -> String {
        let now = invitationTime(date)
        return try await write { db in
            try Self.deleteOldInvitations(now, db)
            let found = try Self.account(account, db)
            guard found.disabledAt == nil else { throw CatalogueError.accountSuspended(found.name) }
            try db.execute(
                sql: "DELETE FROM invitation WHERE kind = 'reset' AND usedAt IS NULL AND account = ?",
                arguments: [account.rawValue])
            return try Self.insertInvitation(
                NewInvitation(digest: digest, name: found.name), .reset, found.role, account: account,
                by: creator, now, InvitationLimits.resetSeconds, db)
        }
    }

    /// Returns all invitations of the last weeks, the newest first.
    public func invitations(at date: Date? = nil) async throws(CatalogueError) -> [Invitation] {
        let now = invitationTime(date)
        return try await read { db in
            try Row.fetchAll(
                db, sql: Self.invitationSQL + " ORDER BY invitation.createdAt DESC, invitation.rowid"
            )
            .map { try Self.invitation($0, now) }
        }
    }

    /// Returns the invitation whose secret has this digest; nil if there is none.
    public func invitation(digest: [UInt8], at date: Date? = nil) async throws(CatalogueError) -> Invitation?
    {
        let now = invitationTime(date)
        return try await read { db in try Self.invitation(digest: digest, now, db) }
    }

    /// Withdraws an invitation; its link is refused from then on.
    /// - Returns: false if there was none.
    public func withdrawInvitation(_ id: String) async throws(CatalogueError) -> Bool {
        try await write { db in
            try db.execute(sql: "DELETE FROM invitation WHERE id = ?", arguments: [id])
            return db.changesCount > 0
        }
    }

    /// Makes the account of an invitation, or gives the account of a reset link its new passphrase and ends its
    /// sign-ins. The link is used up in the same step, so it never works twice.
    /// - Parameters:
    ///   - name: the name of the new account; nil for a reset link.
    ///   - passwordHash: the result of the password hasher.
    /// - Throws: ``CatalogueError/invitationUnusable`` if the invitation is not open any more.
    public func acceptInvitation(
        digest: [UInt8], name: String?, passwordHash: String, at date: Date? = nil
    ) async throws(CatalogueError) -> Account {
        let now = invitationTime(date)
        let chosen: AccountName?
        if let name { chosen = try AccountName(name) } else { chosen = nil }
        return try await write { db in
            guard let invitation = try Self.invitation(digest: digest, now, db), invitation.state == .open
            else { throw CatalogueError.invitationUnusable }
            let account: AccountID
            switch (invitation.kind, chosen, invitation.account) {
            case (.invite, let name?, _):
                account = try Self.insertAccount(name, invitation.role, passwordHash, now, db)
            case (.reset, _, let id?):
                account = id
                try db.execute(
                    sql: "UPDATE account SET passwordHash = ? WHERE id = ?",
                    arguments: [passwordHash, id.rawValue])
                try Self.endSignIns(of: id, except: nil, db)
            default: throw CatalogueError.invitationUnusable
            }
            try db.execute(
                sql: "UPDATE invitation SET usedAt = ?, account = ? WHERE id = ?",
                arguments: [now, account.rawValue, invitation.id])
            return try Self.account(account, db)
        }
    }

    // MARK: Helpers

    private func invitationTime(_ date: Date?) -> Int64 {
        date?.millisecondsSince1970 ?? signInClock.nowMilliseconds
    }

    private static let invitationSQL = """
        SELECT invitation.*, creator.name AS creatorName, creator.role AS creatorRole,
            creator.disabledAt AS creatorDisabledAt, owner.name AS ownerName,
            owner.disabledAt AS ownerDisabledAt
        FROM invitation LEFT JOIN account AS creator ON creator.id = invitation.createdBy
        LEFT JOIN account AS owner ON owner.id = invitation.account
        """

    private static func invitation(digest: [UInt8], _ now: Int64, _ db: Database) throws -> Invitation? {
        try Row.fetchOne(
            db, sql: invitationSQL + " WHERE invitation.digest = ?", arguments: [Data(digest)]
        ).map { try invitation($0, now) }
    }

    private static func invitation(_ row: Row, _ now: Int64) throws -> Invitation {
        guard let kind = Invitation.Kind(rawValue: row["kind"]), let role = AccountRole(rawValue: row["role"])
        else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "an invitation is unreadable") }
        let creator = row["createdBy"] as String?
        let creatorRole = (row["creatorRole"] as String?).flatMap(AccountRole.init(rawValue:))
        let mayStillGive =
            creator == nil
            || (row["creatorDisabledAt"] as Int64?) == nil
                && (creatorRole == .administrator
                    || creatorRole == .editor && kind == .invite && role == .musician)
        let isOwnerSuspended = kind == .reset && (row["ownerDisabledAt"] as Int64?) != nil
        let left = ((row["expiresAt"] as Int64) - now) / 1_000
        let state: Invitation.State =
            if (row["usedAt"] as Int64?) != nil { .used } else if left <= 0 {
                .expired
            } else if !mayStillGive
                || isOwnerSuspended
            { .void } else { .open }
        return Invitation(
            id: row["id"], kind: kind, role: role, name: (row["ownerName"] as String?) ?? row["name"],
            account: (row["account"] as String?).map(AccountID.init(rawValue:)),
            createdBy: row["creatorName"], creator: creator.map(AccountID.init(rawValue:)), state: state,
            secondsLeft: max(0, Int(left)))
    }

    private static func insertInvitation(
        _ new: NewInvitation, _ kind: Invitation.Kind, _ role: AccountRole, account: AccountID?,
        by creator: AccountID?, _ now: Int64, _ seconds: Int, _ db: Database
    ) throws -> String {
        let id = UUID().uuidString.lowercased()
        try db.execute(
            sql: """
                INSERT INTO invitation
                (id, digest, kind, role, name, account, createdBy, createdAt, expiresAt)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                id, Data(new.digest), kind.rawValue, role.rawValue, new.name, account?.rawValue,
                creator?.rawValue, now, now + Int64(seconds) * 1_000,
            ])
        return id
    }

    private static func deleteOldInvitations(_ now: Int64, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM invitation WHERE expiresAt <= ?",
            arguments: [now - InvitationLimits.keptMilliseconds])
    }
}
