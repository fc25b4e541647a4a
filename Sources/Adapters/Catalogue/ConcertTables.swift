import GRDB

/// Defines the database tables of concert content, with its complete history.
///
/// A concert is a tree of nodes (piece, track, slide …). Each field of a node knows the revision that set it, so that
/// two people's edits at the same time conflict only if they change the same field. Removed nodes stay, marked as
/// removed, so that a removal can be undone.
enum ConcertTables {
    static func registerMigrations(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("content-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE concert (
                        id INTEGER PRIMARY KEY AUTOINCREMENT,
                        revision INTEGER NOT NULL,
                        createdAt INTEGER NOT NULL,
                        removedAt INTEGER
                    );
                    CREATE TABLE servedConcert (
                        one INTEGER PRIMARY KEY CHECK (one = 1),
                        concert INTEGER NOT NULL REFERENCES concert (id)
                    );
                    CREATE TABLE contentNode (
                        concert INTEGER NOT NULL REFERENCES concert (id),
                        id TEXT NOT NULL,
                        kind TEXT NOT NULL,
                        parent TEXT NOT NULL,
                        rank INTEGER NOT NULL,
                        placed INTEGER NOT NULL,
                        removed INTEGER,
                        PRIMARY KEY (concert, id)
                    ) WITHOUT ROWID;
                    CREATE TABLE contentField (
                        concert INTEGER NOT NULL REFERENCES concert (id),
                        node TEXT NOT NULL,
                        name TEXT NOT NULL,
                        value TEXT,
                        revision INTEGER NOT NULL,
                        PRIMARY KEY (concert, node, name)
                    ) WITHOUT ROWID;
                    CREATE TABLE contentEdit (
                        concert INTEGER NOT NULL REFERENCES concert (id),
                        revision INTEGER NOT NULL,
                        at INTEGER NOT NULL,
                        author TEXT NOT NULL,
                        label TEXT NOT NULL,
                        course TEXT NOT NULL CHECK (course IN ('edit', 'undo', 'redo')),
                        effects TEXT NOT NULL,
                        undoneBy INTEGER,
                        PRIMARY KEY (concert, revision)
                    ) WITHOUT ROWID;
                    """)
        }
    }
}
