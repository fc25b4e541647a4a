import GRDB

/// Defines the database tables of scores for music stands, and of the accounts that may use them. A score's content is
/// a JSON text that the score library writes and reads; its files are stored next to the catalogue.
enum ScoreTables {
    static func registerMigrations(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("scores-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE score (
                        id TEXT NOT NULL PRIMARY KEY,
                        content TEXT NOT NULL,
                        sources TEXT NOT NULL,
                        revision INTEGER NOT NULL,
                        origin TEXT UNIQUE,
                        createdAt INTEGER NOT NULL,
                        changedAt INTEGER NOT NULL,
                        removedAt INTEGER
                    );
                    CREATE TABLE bundle (
                        id TEXT NOT NULL PRIMARY KEY,
                        account TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                        score TEXT NOT NULL REFERENCES score (id),
                        createdAt INTEGER NOT NULL,
                        UNIQUE (account, score)
                    );
                    CREATE INDEX bundleByScore ON bundle (score);
                    """)
        }
        migrator.registerMigration("scores-2") { db in
            try db.execute(
                sql: """
                    CREATE TABLE scoreImport (
                        id TEXT NOT NULL PRIMARY KEY,
                        score TEXT NOT NULL,
                        part TEXT,
                        heading TEXT NOT NULL,
                        digest TEXT NOT NULL,
                        tries INTEGER NOT NULL,
                        createdAt INTEGER NOT NULL
                    );
                    """)
        }
    }
}
