import Foundation
import GRDB
import Rehearsal

/// Sets of remarks that users give to others, and requests for others' own remarks. Each recipient takes or refuses.
extension CatalogueStore {
    /// Gives a set to several users, or asks them for theirs, in one act. Repeating it with the same id changes
    /// nothing.
    /// - Parameters:
    ///   - remarks: the set; empty for a request.
    ///   - recipients: accounts that have the score; the caller has checked this.
    public func addGift(
        _ id: String, _ kind: RemarkGift.Kind, of score: Score.ID, from giver: User.ID,
        named giverName: String,
        name: String, remarks: [Remark], to recipients: [String], at now: Date = .now
    ) async throws(CatalogueError) -> Result<RemarkGift, RoomRefusal> {
        try await deciding { db in
            if let known = try Self.gift(id, db) {
                guard known.giver == giver.description else {
                    throw RoomRefusal(.notYours, "This id is taken by another object; make a new one.")
                }
                return known
            }
            let given =
                try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM remarkGift WHERE giver = ?", arguments: [giver.description]
                )
                ?? 0
            guard given < ScoreRemarkLimits.mostGiftsOfGiver else {
                throw RoomRefusal(
                    .full,
                    "You have \(given) sets and requests on the way, the most there may be; take some back.")
            }
            for recipient in recipients {
                let waiting =
                    try Int.fetchOne(
                        db,
                        sql:
                            "SELECT count(*) FROM remarkGiftRecipient WHERE account = ? AND state = 'waiting'",
                        arguments: [recipient]) ?? 0
                guard waiting < ScoreRemarkLimits.mostWaitingGifts else {
                    throw RoomRefusal(
                        .full, "One of these users has \(waiting) sets to answer already; give it later.")
                }
            }
            try db.execute(
                sql: """
                    INSERT INTO remarkGift (id, score, giver, giverName, kind, name, content, remarks, createdAt)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    id, score.description, giver.description, giverName, kind.rawValue, name,
                    try Self.encode(remarks),
                    remarks.count, now.millisecondsSince1970,
                ])
            for recipient in recipients {
                try db.execute(
                    sql:
                        "INSERT OR IGNORE INTO remarkGiftRecipient (gift, account, state) VALUES (?, ?, 'waiting')",
                    arguments: [id, recipient])
            }
            guard let gift = try Self.gift(id, db) else { throw DatabaseError(resultCode: .SQLITE_INTERNAL) }
            return gift
        }
    }

    /// Returns what this user has given or asked for, and what waits for this user's answer, the newest first.
    public func gifts(of user: User.ID) async throws(CatalogueError) -> (
        given: [RemarkGift], received: [RemarkGift]
    ) {
        try await read { db in
            let account = user.description
            let given = try String.fetchAll(
                db, sql: "SELECT id FROM remarkGift WHERE giver = ? ORDER BY createdAt DESC, id",
                arguments: [account])
            let received = try String.fetchAll(
                db,
                sql: """
                    SELECT remarkGift.id FROM remarkGift JOIN remarkGiftRecipient ON gift = remarkGift.id
                    WHERE account = ? AND state = 'waiting' ORDER BY createdAt DESC, remarkGift.id
                    """, arguments: [account])
            return try (
                given.compactMap { try Self.gift($0, db) }, received.compactMap { try Self.gift($0, db) }
            )
        }
    }

    /// The bytes of the remarks of a set; 0 for a request, or if there is no such set.
    public func giftByteCount(_ id: String) async throws(CatalogueError) -> Int {
        try await read { db in
            try Int.fetchOne(db, sql: "SELECT length(content) FROM remarkGift WHERE id = ?", arguments: [id])
                ?? 0
        }
    }

    /// Takes or refuses a set, or answers a request by sending one's own remarks. An answer counts once.
    /// - Parameters:
    ///   - name: the answering user's name, for the layer that a request makes.
    ///   - layer: the id of the layer that is made.
    /// - Returns: the gift, and the owner of the new layer; nil if none was made.
    public func answerGift(
        _ id: String, by user: User.ID, named name: String, takes: Bool, layer: ScoreLayer.ID,
        at now: Date = .now
    ) async throws(CatalogueError) -> Result<(gift: RemarkGift, newOwner: User.ID?), RoomRefusal> {
        try await deciding { db in
            let account = user.description
            guard let gift = try Self.gift(id, db),
                let own = gift.recipients.first(where: { $0.account == account })
            else { throw RoomRefusal.noGift }
            guard own.state == .waiting else { return (gift, nil) }
            try db.execute(
                sql:
                    "UPDATE remarkGiftRecipient SET state = ?, answeredAt = ? WHERE gift = ? AND account = ?",
                arguments: [takes ? "taken" : "refused", now.millisecondsSince1970, id, account])
            var owner: User.ID?
            if takes { owner = try Self.carryOut(gift, by: user, named: name, layer, db, now) }
            // Once no recipient is waiting, the content of the gift is no longer needed.
            try db.execute(
                sql: """
                    UPDATE remarkGift SET content = '[]' WHERE id = ?1 AND NOT EXISTS
                        (SELECT 1 FROM remarkGiftRecipient WHERE gift = ?1 AND state = 'waiting')
                    """, arguments: [id])
            return (try Self.gift(id, db) ?? gift, owner)
        }
    }

    /// Takes a set or a request back; what was taken stays with those who took it.
    /// - Returns: the gift as it was; nil if this user has given none of this id.
    public func withdrawGift(_ id: String, by giver: User.ID) async throws(CatalogueError) -> RemarkGift? {
        try await write { db in
            guard let gift = try Self.gift(id, db), gift.giver == giver.description else { return nil }
            try db.execute(sql: "DELETE FROM remarkGiftRecipient WHERE gift = ?", arguments: [id])
            try db.execute(sql: "DELETE FROM remarkGift WHERE id = ?", arguments: [id])
            return gift
        }
    }

    private static func carryOut(
        _ gift: RemarkGift, by user: User.ID, named name: String, _ id: ScoreLayer.ID, _ db: Database,
        _ now: Date
    ) throws -> User.ID? {
        guard let giver = User.ID(gift.giver) else { return nil }
        let (owner, writer) = gift.kind == .give ? (user, gift.giverName) : (giver, name)
        let remarks: [Remark] =
            gift.kind == .give
            ? try String.fetchOne(
                db, sql: "SELECT content FROM remarkGift WHERE id = ?", arguments: [gift.id]
            )
            .flatMap { decode([Remark].self, $0) } ?? []
            : try standingRemarks(onLayer: ScoreLayer.ownID(of: user).description, of: gift.score, db)
        let title = String("\(writer): \(gift.name)".unicodeScalars.prefix(RoomLimits.longestName))
        do {
            let layer = try ScoreLayer(id: id, kind: .given, owner: owner, name: title)
            try addGivenLayer(layer, remarks.map { $0.copied(to: id) }, in: gift.score, db, now)
        } catch let fault as RehearsalFault {
            throw RoomRefusal(.invalid, fault.sentence)
        }
        return owner
    }

    private static func gift(_ id: String, _ db: Database) throws -> RemarkGift? {
        guard
            let row = try Row.fetchOne(
                db,
                sql:
                    "SELECT id, score, giver, giverName, kind, name, remarks, createdAt FROM remarkGift WHERE id = ?",
                arguments: [id])
        else { return nil }
        let recipients = try Row.fetchAll(
            db,
            sql: """
                SELECT remarkGiftRecipient.account, state, coalesce(account.name, '') AS name
                FROM remarkGiftRecipient LEFT JOIN account ON account.id = remarkGiftRecipient.account
                WHERE gift = ? ORDER BY account.nameKey
                """, arguments: [id])
        return RemarkGift(
            id: row["id"], score: row["score"], giver: row["giver"], giverName: row["giverName"],
            kind: RemarkGift.Kind(rawValue: row["kind"]) ?? .give, name: row["name"],
            remarkCount: row["remarks"],
            atMilliseconds: row["createdAt"],
            recipients: recipients.map {
                RemarkGift.Recipient(
                    account: $0["account"], name: $0["name"],
                    state: RemarkGift.State(rawValue: $0["state"]) ?? .waiting)
            })
    }
}

extension RoomRefusal {
    public static let noGift = RoomRefusal(
        .noRemark, "There is no such set any more; it was taken back. Look through the list again.")
}

extension Remark {
    /// The remark with a new id on another layer; its author stays.
    func copied(to layer: RemarkLayer.ID) -> Remark {
        Remark(
            id: .new(), layer: layer, author: author, part: part, page: page, anchor: anchor, shape: shape,
            ink: ink,
            paper: paper)
    }
}
