import GRDB

/// Defines the table of invitations: links with which people make their account or choose a new passphrase. Times are
/// milliseconds since 1970, UTC, of the ``SignInClock``.
enum InvitationTables {
    static func registerMigrations(_ migrator: inout DatabaseMigrator) {
        // An invitation ends with the account of the person who made it. A reset link (`kind` 'reset') ends with the
        // account for which it was made, and has that account's role.
        migrator.registerMigration("invitations-1") { db in
            try makeInvitations(db, roles: "'musician', 'technician', 'editor', 'administrator'")
        }
        migrator.registerMigration("invitations-2") { db in
            try db.execute(
                sql: "ALTER TABLE invitation RENAME TO oldInvitation; DROP INDEX invitationByExpiry")
            try makeInvitations(
                db, roles: "'musician', 'title-operator', 'technician', 'editor', 'administrator'")
            try db.execute(
                sql: "INSERT INTO invitation SELECT * FROM oldInvitation; DROP TABLE oldInvitation")
        }
    }

    private static func makeInvitations(_ db: Database, roles: String) throws {
        try db.execute(
            sql: """
                CREATE TABLE invitation (
                    id TEXT NOT NULL PRIMARY KEY,
                    digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
                    kind TEXT NOT NULL CHECK (kind IN ('invite', 'reset')),
                    role TEXT NOT NULL CHECK (role IN (\(roles))),
                    name TEXT NOT NULL,
                    account TEXT REFERENCES account (id) ON DELETE CASCADE,
                    createdBy TEXT REFERENCES account (id) ON DELETE CASCADE,
                    createdAt INTEGER NOT NULL,
                    expiresAt INTEGER NOT NULL,
                    usedAt INTEGER
                );
                CREATE INDEX invitationByExpiry ON invitation (expiresAt);
                """)
    }
}
