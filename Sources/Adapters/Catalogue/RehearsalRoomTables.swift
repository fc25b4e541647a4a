import GRDB

/// Defines the database tables of rehearsal rooms. Times are milliseconds since 1970, UTC. The JSON texts belong to
/// other modules and are not parsed here.
enum RehearsalRoomTables {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        registerMigrations(&migrator)
        return migrator
    }

    /// Registers the migration steps. A released step is never edited or removed.
    private static func registerMigrations(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("rooms-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE room (
                        number INTEGER NOT NULL PRIMARY KEY,
                        id TEXT NOT NULL UNIQUE,
                        score TEXT NOT NULL,
                        state BLOB NOT NULL,
                        sequence INTEGER NOT NULL,
                        createdAt INTEGER NOT NULL,
                        removedAt INTEGER
                    );
                    CREATE TABLE event (
                        room INTEGER NOT NULL REFERENCES room (number) ON DELETE CASCADE,
                        sequence INTEGER NOT NULL,
                        json BLOB NOT NULL,
                        PRIMARY KEY (room, sequence)
                    ) WITHOUT ROWID;
                    CREATE TABLE session (
                        room INTEGER NOT NULL REFERENCES room (number) ON DELETE CASCADE,
                        id TEXT NOT NULL,
                        began INTEGER NOT NULL,
                        ended INTEGER,
                        sequence INTEGER NOT NULL,
                        PRIMARY KEY (room, id)
                    ) WITHOUT ROWID;
                    CREATE TABLE word (
                        room INTEGER NOT NULL REFERENCES room (number) ON DELETE CASCADE,
                        session TEXT NOT NULL,
                        at INTEGER NOT NULL,
                        json BLOB NOT NULL
                    );
                    CREATE INDEX wordBySession ON word (room, session, at);
                    CREATE TABLE spot (
                        room INTEGER NOT NULL REFERENCES room (number) ON DELETE CASCADE,
                        user TEXT NOT NULL,
                        part INTEGER NOT NULL,
                        page INTEGER NOT NULL,
                        PRIMARY KEY (room, user)
                    ) WITHOUT ROWID;
                    CREATE TABLE stand (
                        user TEXT NOT NULL,
                        score TEXT NOT NULL,
                        settings BLOB NOT NULL,
                        PRIMARY KEY (user, score)
                    ) WITHOUT ROWID;
                    """)
        }
        // When the page was opened on the stand; NULL for rows of older versions.
        migrator.registerMigration("rooms-2") { db in
            try db.execute(sql: "ALTER TABLE spot ADD COLUMN at INTEGER")
        }
        // A page for each score of a room's programme; score is '' for the one with which the room was made. And the
        // setlists of users.
        migrator.registerMigration("rooms-3") { db in
            try db.execute(
                sql: """
                    CREATE TABLE spotOfScore (
                        room INTEGER NOT NULL REFERENCES room (number) ON DELETE CASCADE,
                        user TEXT NOT NULL,
                        score TEXT NOT NULL DEFAULT '',
                        part INTEGER NOT NULL,
                        page INTEGER NOT NULL,
                        at INTEGER,
                        PRIMARY KEY (room, user, score)
                    ) WITHOUT ROWID;
                    INSERT INTO spotOfScore (room, user, part, page, at)
                        SELECT room, user, part, page, at FROM spot;
                    DROP TABLE spot;
                    ALTER TABLE spotOfScore RENAME TO spot;
                    CREATE TABLE setlist (
                        user TEXT NOT NULL,
                        id TEXT NOT NULL,
                        revision INTEGER NOT NULL,
                        json BLOB NOT NULL,
                        PRIMARY KEY (user, id)
                    ) WITHOUT ROWID;
                    """)
        }
    }
}
