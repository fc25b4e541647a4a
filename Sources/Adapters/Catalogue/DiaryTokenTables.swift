import GRDB

/// Defines the table of the tokens with which applications use the diary. Times are milliseconds since 1970, UTC.
enum DiaryTokenTables {
    static func registerMigrations(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("diary-tokens-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE diaryToken (
                        id TEXT NOT NULL PRIMARY KEY,
                        name TEXT NOT NULL,
                        kind TEXT NOT NULL CHECK (kind IN ('application', 'administrator')),
                        digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
                        createdAt INTEGER NOT NULL,
                        lastUsedAt INTEGER
                    );
                    """)
        }
    }
}
