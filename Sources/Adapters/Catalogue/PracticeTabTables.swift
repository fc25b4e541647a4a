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
    }
}
