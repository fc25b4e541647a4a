import GRDB

/// Defines the tables of remarks, which belong to scores, of their layers, and of bookmarks. The layers of users and of
/// rooms are in no table.
///
/// An erased remark stays as a row without content for a while, so that other devices learn of it. `account`, `owner`
/// and `author` refer to no row of the table of accounts: without sign-in, everything belongs to one made-up user.
enum RemarkTables {
    static func registerMigrations(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("remarks-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE scoreLayer (
                        score TEXT NOT NULL,
                        id TEXT NOT NULL,
                        kind TEXT NOT NULL CHECK (kind IN ('section', 'given')),
                        owner TEXT NOT NULL,
                        content TEXT NOT NULL,
                        createdAt INTEGER NOT NULL,
                        PRIMARY KEY (score, id)
                    );
                    CREATE INDEX scoreLayerByOwner ON scoreLayer (owner, score);
                    CREATE TABLE scoreRemark (
                        score TEXT NOT NULL,
                        layer TEXT NOT NULL,
                        id TEXT NOT NULL,
                        author TEXT NOT NULL,
                        content TEXT NOT NULL,
                        words TEXT,
                        origin TEXT,
                        revision INTEGER NOT NULL,
                        isErased INTEGER NOT NULL,
                        PRIMARY KEY (score, layer, id)
                    );
                    CREATE INDEX scoreRemarkByRevision ON scoreRemark (score, revision);
                    CREATE INDEX scoreRemarkByAuthor ON scoreRemark (author, score);
                    CREATE INDEX scoreRemarkByWords ON scoreRemark (layer, score) WHERE words IS NOT NULL;
                    CREATE TABLE scoreEvent (
                        account TEXT NOT NULL,
                        score TEXT NOT NULL,
                        id TEXT NOT NULL,
                        number INTEGER NOT NULL,
                        PRIMARY KEY (account, score, id)
                    );
                    CREATE INDEX scoreEventByNumber ON scoreEvent (account, score, number);
                    CREATE TABLE hiddenScoreLayer (
                        account TEXT NOT NULL,
                        score TEXT NOT NULL,
                        layer TEXT NOT NULL,
                        PRIMARY KEY (account, score, layer)
                    );
                    CREATE TABLE scoreBookmark (
                        account TEXT NOT NULL,
                        score TEXT NOT NULL,
                        id TEXT NOT NULL,
                        content TEXT NOT NULL,
                        words TEXT NOT NULL,
                        PRIMARY KEY (account, score, id)
                    );
                    CREATE TABLE remarkGift (
                        id TEXT NOT NULL PRIMARY KEY,
                        score TEXT NOT NULL,
                        giver TEXT NOT NULL,
                        giverName TEXT NOT NULL,
                        kind TEXT NOT NULL CHECK (kind IN ('give', 'ask')),
                        name TEXT NOT NULL,
                        content TEXT NOT NULL,
                        remarks INTEGER NOT NULL,
                        createdAt INTEGER NOT NULL
                    );
                    CREATE INDEX remarkGiftByGiver ON remarkGift (giver);
                    CREATE TABLE remarkGiftRecipient (
                        gift TEXT NOT NULL,
                        account TEXT NOT NULL,
                        state TEXT NOT NULL CHECK (state IN ('waiting', 'taken', 'refused')),
                        answeredAt INTEGER,
                        PRIMARY KEY (gift, account)
                    );
                    CREATE INDEX remarkGiftByAccount ON remarkGiftRecipient (account, state);
                    """)
        }
        migrator.registerMigration("remarks-2") { db in
            // The leaders of sections; `parts` is an array of indices, as JSON.
            try db.execute(
                sql: """
                    CREATE TABLE sectionLeader (
                        score TEXT NOT NULL,
                        account TEXT NOT NULL,
                        parts TEXT NOT NULL,
                        PRIMARY KEY (score, account)
                    );
                    """)
        }
        migrator.registerMigration("remarks-3") { db in
            // Each answer says how many remarks stand, and the sum of their revisions, without looking at the remarks.
            try db.execute(
                sql: "CREATE INDEX scoreRemarkSums ON scoreRemark (score, layer, isErased, revision)")
        }
    }

    /// Removes what only this account could see. What it wrote on layers of sections stays.
    static func removeAll(ofAccount account: String, _ db: Database) throws {
        for sql in [
            """
            DELETE FROM scoreRemark WHERE layer = ?1 OR EXISTS (SELECT 1 FROM scoreLayer WHERE owner = ?1
                AND kind = 'given' AND scoreLayer.score = scoreRemark.score AND scoreLayer.id = scoreRemark.layer)
            """,
            "DELETE FROM scoreLayer WHERE owner = ?1 AND kind = 'given'",
            "DELETE FROM scoreEvent WHERE account = ?1",
            "DELETE FROM hiddenScoreLayer WHERE account = ?1", "DELETE FROM scoreBookmark WHERE account = ?1",
            "DELETE FROM sectionLeader WHERE account = ?1",
            "DELETE FROM remarkGiftRecipient WHERE account = ?1 OR gift IN (SELECT id FROM remarkGift WHERE giver = ?1)",
            "DELETE FROM remarkGift WHERE giver = ?1",
        ] {
            try db.execute(sql: sql, arguments: [account])
        }
    }

    /// Removes the remarks, layers, sets and bookmarks of a score: nobody can open it any more, and they would take
    /// space for ever.
    static func removeAll(ofScore score: String, _ db: Database) throws {
        for sql in [
            "DELETE FROM scoreRemark WHERE score = ?", "DELETE FROM scoreLayer WHERE score = ?",
            "DELETE FROM scoreEvent WHERE score = ?", "DELETE FROM hiddenScoreLayer WHERE score = ?",
            "DELETE FROM scoreBookmark WHERE score = ?", "DELETE FROM sectionLeader WHERE score = ?",
            "DELETE FROM remarkGiftRecipient WHERE gift IN (SELECT id FROM remarkGift WHERE score = ?)",
            "DELETE FROM remarkGift WHERE score = ?",
        ] {
            try db.execute(sql: sql, arguments: [score])
        }
    }
}
