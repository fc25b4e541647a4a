import Diary
import GRDB

/// Defines the database tables of the diary, `diary.sqlite`.
///
/// A programme's own data is its JSON document. What is searched lies beside it: a concert's row, and one row in `mark`
/// for each composer, work, movement, conductor and soloist of an item. The number of an item is the programme's
/// number times ``DiaryTables/itemsPerProgramme``, plus its position.
enum DiaryTables {
    /// More items than a programme can have; a power of two.
    static let itemsPerProgramme: Int64 = 4_096

    /// The role of a row of `mark`. The row refers to a row of `name` of the kind with the same number, or to a row of
    /// `work`.
    enum Role: Int64 {
        case composer = 1
        case conductor = 2
        case soloist = 3
        case movement = 4
        case work = 5
    }

    /// The kind of a row of `name`. In the index of words, each word of the name begins with the kind's letter.
    enum NameKind: Int64, CaseIterable {
        case composer = 1
        case conductor = 2
        case soloist = 3
        case movement = 4
        case title = 5
        case venue = 6
        case type = 7
        /// A venue with its town, place and country, folded, as `concert.place` has it.
        case place = 8
        case ensemble = 9
        /// A festival's name, folded.
        case event = 10

        var letter: String {
            switch self {
            case .composer: "c"
            case .conductor: "d"
            case .soloist: "s"
            case .title: "t"
            case .movement: "m"
            case .venue: "v"
            case .type: "y"
            case .place: "p"
            case .ensemble: "e"
            case .event: "f"
            }
        }
    }

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        registerMigrations(&migrator)
        return migrator
    }

    /// Registers the migration steps. A released step is never edited or removed.
    private static func registerMigrations(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("diary-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE ensemble (
                        number INTEGER NOT NULL PRIMARY KEY,
                        id TEXT NOT NULL UNIQUE,
                        mbid TEXT UNIQUE,
                        name TEXT NOT NULL,
                        folded TEXT NOT NULL,
                        document BLOB NOT NULL
                    );
                    CREATE TABLE programme (
                        number INTEGER NOT NULL PRIMARY KEY,
                        id TEXT NOT NULL UNIQUE,
                        visibility INTEGER NOT NULL,
                        owner TEXT,
                        document BLOB NOT NULL
                    );
                    CREATE TABLE concert (
                        number INTEGER NOT NULL PRIMARY KEY,
                        id TEXT NOT NULL UNIQUE,
                        programme INTEGER NOT NULL REFERENCES programme (number) ON DELETE CASCADE,
                        position INTEGER NOT NULL,
                        date INTEGER NOT NULL,
                        time INTEGER NOT NULL,
                        type INTEGER,
                        venue INTEGER,
                        ensemble INTEGER NOT NULL,
                        place TEXT NOT NULL,
                        event TEXT,
                        season TEXT,
                        visibility INTEGER NOT NULL,
                        owner TEXT,
                        document BLOB NOT NULL
                    );
                    CREATE INDEX concertByProgramme ON concert (programme, date, time, type, venue, visibility);
                    CREATE INDEX concertByDate ON concert (date, time, visibility);
                    CREATE INDEX concertByType ON concert (type, date);
                    CREATE INDEX concertByVenue ON concert (venue, date);
                    CREATE INDEX concertByEnsemble ON concert (ensemble, date);
                    CREATE INDEX concertByEvent ON concert (event) WHERE event IS NOT NULL;
                    CREATE TABLE name (
                        number INTEGER NOT NULL PRIMARY KEY,
                        kind INTEGER NOT NULL,
                        text TEXT NOT NULL,
                        -- The folded words in the order of the alphabet.
                        sorted TEXT NOT NULL,
                        UNIQUE (kind, text)
                    );
                    CREATE INDEX nameBySorted ON name (kind, sorted);
                    CREATE VIRTUAL TABLE nameWords USING fts5 (words, content = '', tokenize = 'unicode61');
                    CREATE TABLE work (
                        number INTEGER NOT NULL PRIMARY KEY,
                        id TEXT NOT NULL UNIQUE,
                        identity INTEGER NOT NULL,
                        document BLOB NOT NULL
                    );
                    CREATE INDEX workByIdentity ON work (identity);
                    CREATE TABLE workTitle (
                        title INTEGER NOT NULL,
                        work INTEGER NOT NULL,
                        PRIMARY KEY (title, work)
                    ) WITHOUT ROWID;
                    CREATE TABLE mark (
                        role INTEGER NOT NULL,
                        reference INTEGER NOT NULL,
                        item INTEGER NOT NULL,
                        PRIMARY KEY (role, reference, item)
                    ) WITHOUT ROWID;
                    CREATE TABLE event (
                        id TEXT NOT NULL PRIMARY KEY,
                        folded TEXT NOT NULL,
                        place TEXT NOT NULL,
                        startDate INTEGER NOT NULL,
                        endDate INTEGER NOT NULL,
                        document BLOB NOT NULL
                    );
                    CREATE TABLE venue (
                        id TEXT NOT NULL PRIMARY KEY,
                        name TEXT NOT NULL,
                        city TEXT NOT NULL,
                        countryCode TEXT NOT NULL,
                        folded TEXT NOT NULL
                    );
                    CREATE TABLE city (
                        id TEXT NOT NULL PRIMARY KEY,
                        city TEXT NOT NULL,
                        countryCode TEXT NOT NULL,
                        folded TEXT NOT NULL
                    );
                    CREATE TABLE country (
                        code TEXT NOT NULL PRIMARY KEY,
                        document BLOB NOT NULL
                    );
                    CREATE TABLE personal (
                        account TEXT NOT NULL,
                        id TEXT NOT NULL,
                        document BLOB NOT NULL,
                        revision INTEGER NOT NULL,
                        changedAt INTEGER NOT NULL,
                        PRIMARY KEY (account, id)
                    );
                    CREATE TABLE importRun (
                        number INTEGER NOT NULL PRIMARY KEY,
                        format TEXT NOT NULL,
                        finishedAt INTEGER NOT NULL,
                        report BLOB NOT NULL
                    );
                    """)
        }
        migrator.registerMigration("diary-2") { db in
            // The ids of entries that were removed and have not been added again.
            try db.execute(sql: "CREATE TABLE removed (id TEXT NOT NULL PRIMARY KEY)")
        }
        migrator.registerMigration("diary-3") { db in
            // With who sees a concert, concerts are counted without a look at their documents.
            try db.execute(
                sql: """
                    DROP INDEX concertByProgramme;
                    DROP INDEX concertByDate;
                    DROP INDEX concertByVenue;
                    DROP INDEX concertByEnsemble;
                    CREATE INDEX concertByProgramme ON concert (programme, date, time, type, venue, visibility, owner);
                    CREATE INDEX concertByDate ON concert (date, time, visibility, owner);
                    CREATE INDEX concertByVenue ON concert (venue, date, time, visibility, owner);
                    CREATE INDEX concertByEnsemble ON concert (ensemble, date, time, visibility, owner);
                    """)
        }
        migrator.registerMigration("diary-4") { db in
            // What the search of several kinds of words needs. The two indices hold nothing of their own.
            try db.execute(
                sql: """
                    CREATE INDEX concertByPlace ON concert (place, date, time, visibility, owner);
                    CREATE VIRTUAL TABLE wordSounds USING fts5 (word UNINDEXED, sound, tokenize = 'trigram');
                    CREATE VIRTUAL TABLE countryNames USING fts5 (code UNINDEXED, name, tokenize = 'unicode61');
                    """)
            try addNamesOfPlaces(db)
            try remakeNameWords(db)
        }
    }
}

extension ConcertProgramme.Visibility {
    var number: Int64 {
        switch self {
        case .proposed: 0
        case .published: 1
        case .private: 2
        }
    }
}
