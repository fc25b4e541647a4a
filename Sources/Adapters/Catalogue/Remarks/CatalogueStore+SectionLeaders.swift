import Foundation
import GRDB
import Rehearsal

/// The leaders of sections, such as the concertmaster. A librarian names them for a score.
extension CatalogueStore {
    /// Returns who leads a section of a score, by name.
    public func sectionLeaders(of score: Score.ID) async throws(CatalogueError) -> [SectionLeader] {
        try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT sectionLeader.account AS id, coalesce(account.name, '') AS name, parts FROM sectionLeader
                    LEFT JOIN account ON account.id = sectionLeader.account
                    WHERE score = ? ORDER BY account.nameKey
                    """, arguments: [score.description]
            ).map {
                SectionLeader(
                    id: $0["id"], name: $0["name"], parts: Self.decode([Int].self, $0["parts"]) ?? [])
            }
        }
    }

    /// Names the parts that a user leads in a score; none to end it.
    /// - Throws: ``RoomRefusal`` within the result for a user who does not have the score, and for too many leaders.
    public func setPartsLed(
        _ parts: Set<Int>, by user: User.ID, in score: Score.ID
    ) async throws(CatalogueError) -> Result<Void, RoomRefusal> {
        try await deciding { db in
            let (account, name) = (user.description, score.description)
            guard !parts.isEmpty else {
                return try db.execute(
                    sql: "DELETE FROM sectionLeader WHERE score = ? AND account = ?",
                    arguments: [name, account])
            }
            let mayOpen = try Int.fetchOne(
                db,
                sql: """
                    SELECT 1 FROM account WHERE id = ? AND (role IN ('editor', 'administrator')
                        OR EXISTS (SELECT 1 FROM bundle WHERE bundle.account = account.id AND bundle.score = ?))
                    """, arguments: [account, name])
            guard mayOpen != nil else {
                throw RoomRefusal(.noMember, "This user does not have the score; give it to them first.")
            }
            let others =
                try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM sectionLeader WHERE score = ? AND account <> ?",
                    arguments: [name, account]) ?? 0
            guard others < ScoreRemarkLimits.mostLeaders else {
                throw RoomRefusal.scoreFull("leaders of sections", most: ScoreRemarkLimits.mostLeaders)
            }
            try db.execute(
                sql: """
                    INSERT INTO sectionLeader (score, account, parts) VALUES (?, ?, ?)
                    ON CONFLICT (score, account) DO UPDATE SET parts = excluded.parts
                    """, arguments: [name, account, try Self.encode(parts.sorted())])
        }
    }

    // MARK: Within a transaction

    /// The parts that a user leads in a score.
    static func partsLed(by user: User.ID, in score: String, _ db: Database) throws -> Set<Int> {
        let stored = try String.fetchOne(
            db, sql: "SELECT parts FROM sectionLeader WHERE score = ? AND account = ?",
            arguments: [score, user.description])
        return Set(stored.flatMap { decode([Int].self, $0) } ?? [])
    }

    static func keeper(_ user: User.ID, _ isLibrarian: Bool, of score: String, _ db: Database) throws
        -> LayerKeeper
    {
        LayerKeeper(
            user: user, isLibrarian: isLibrarian, ledParts: try partsLed(by: user, in: score, db))
    }
}

/// A user who leads a section of a score.
public struct SectionLeader: Equatable, Sendable, Encodable {
    public var id: String
    /// Empty if the account was removed.
    public var name: String
    /// Indices of the parts that the user leads.
    public var parts: [Int]
}
