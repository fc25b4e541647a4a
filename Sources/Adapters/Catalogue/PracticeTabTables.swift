import GRDB

/// Defines the database table of tabs for practising. A tab's content is a JSON text that the practice page writes.
///
/// A removed tab stays as a row without content, so that other devices learn that it was removed. `account` refers to
/// no row of the table of accounts: without sign-in, all tabs belong to the account `local`.
enum PracticeTabTables {
    static func registerMigrations(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("practice-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE practiceTab (
                        id TEXT NOT NULL PRIMARY KEY,
                        account TEXT NOT NULL,
                        owner TEXT NOT NULL,
                        title TEXT NOT NULL,
                        content BLOB NOT NULL,
                        version INTEGER NOT NULL,
                        isShared INTEGER NOT NULL,
                        changedAt INTEGER NOT NULL,
                        removedAt INTEGER
                    );
                    CREATE INDEX practiceTabByAccount ON practiceTab (account);
                    """)
        }
        // Whom an owner lets read a tab, and whom a student lets see the report on a take. `account` is null if nobody
        // had the name when it was given: the owner of the tab sees no difference.
        migrator.registerMigration("practice-2") { db in
            try db.execute(
                sql: """
                    CREATE TABLE practiceTabReader (
                        tab TEXT NOT NULL,
                        nameKey TEXT NOT NULL,
                        name TEXT NOT NULL,
                        account TEXT,
                        arrivedAt INTEGER,
                        PRIMARY KEY (tab, nameKey)
                    ) WITHOUT ROWID;
                    CREATE INDEX practiceTabReaderByAccount ON practiceTabReader (account);
                    CREATE TABLE takeReader (
                        owner TEXT NOT NULL,
                        take TEXT NOT NULL,
                        reader TEXT NOT NULL,
                        sharedAt INTEGER NOT NULL,
                        PRIMARY KEY (owner, take, reader)
                    ) WITHOUT ROWID;
                    CREATE INDEX takeReaderByReader ON takeReader (reader);
                    """)
        }
    }
}
