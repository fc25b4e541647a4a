import GRDB

/// Defines the database tables of accounts and sign-ins. Times are milliseconds since 1970, UTC.
enum AccountTables {
    static func registerMigrations(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("accounts-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE account (
                        id TEXT NOT NULL PRIMARY KEY,
                        name TEXT NOT NULL,
                        nameKey TEXT NOT NULL UNIQUE,
                        role TEXT NOT NULL CHECK (role IN ('technician', 'editor', 'administrator')),
                        passwordHash TEXT NOT NULL,
                        createdAt INTEGER NOT NULL,
                        disabledAt INTEGER
                    );
                    CREATE TABLE signIn (
                        digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
                        account TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                        createdAt INTEGER NOT NULL,
                        lastSeenAt INTEGER NOT NULL,
                        expiresAt INTEGER NOT NULL
                    ) WITHOUT ROWID;
                    CREATE INDEX signInByAccount ON signIn (account, lastSeenAt);
                    CREATE INDEX signInByExpiry ON signIn (expiresAt);
                    """)
        }
        // SQLite cannot change a CHECK constraint, so the table is made again. Foreign keys are off during a
        // migration step and are checked after it, so existing sign-ins survive.
        migrator.registerMigration("accounts-2") { db in
            try remakeAccounts(db, roles: "'musician', 'technician', 'editor', 'administrator'")
        }
        migrator.registerMigration("accounts-3") { db in
            try db.execute(
                sql: """
                    CREATE TABLE signInNetwork (
                        account TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                        network TEXT NOT NULL,
                        lastAt INTEGER NOT NULL,
                        PRIMARY KEY (account, network)
                    ) WITHOUT ROWID;
                    CREATE TABLE serverSecret (
                        name TEXT NOT NULL PRIMARY KEY,
                        bytes BLOB NOT NULL
                    ) WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration("accounts-4") { db in
            try remakeAccounts(
                db, roles: "'musician', 'title-operator', 'technician', 'editor', 'administrator'")
        }
    }

    private static func remakeAccounts(_ db: Database, roles: String) throws {
        try db.execute(
            sql: """
                CREATE TABLE newAccount (
                    id TEXT NOT NULL PRIMARY KEY,
                    name TEXT NOT NULL,
                    nameKey TEXT NOT NULL UNIQUE,
                    role TEXT NOT NULL CHECK (role IN (\(roles))),
                    passwordHash TEXT NOT NULL,
                    createdAt INTEGER NOT NULL,
                    disabledAt INTEGER
                );
                INSERT INTO newAccount (id, name, nameKey, role, passwordHash, createdAt, disabledAt)
                    SELECT id, name, nameKey, role, passwordHash, createdAt, disabledAt FROM account;
                DROP TABLE account;
                ALTER TABLE newAccount RENAME TO account;
                """)
    }
}
