import GRDB

/// Defines the database table of named screens: a screen's settings are a JSON text that the service for screens writes
/// and reads.
enum ScreenTables {
    static func registerMigrations(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("screens-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE screen (
                        name TEXT NOT NULL PRIMARY KEY,
                        settings TEXT NOT NULL,
                        changedAt INTEGER NOT NULL
                    );
                    """)
        }
    }
}
