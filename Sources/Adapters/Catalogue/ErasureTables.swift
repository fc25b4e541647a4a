import GRDB

/// Defines the table of erasures: what a person had deleted for good, so that both servers delete it, also copies that
/// arrive later. Times are milliseconds since 1970, UTC.
enum ErasureTables {
    static func registerMigrations(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("erasures-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE erasure (
                        kind TEXT NOT NULL,
                        name TEXT NOT NULL,
                        erasedAt INTEGER NOT NULL,
                        PRIMARY KEY (kind, name)
                    ) WITHOUT ROWID;
                    CREATE INDEX erasureByTime ON erasure (kind, erasedAt);
                    """)
        }
    }
}
