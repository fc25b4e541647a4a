import Foundation
import GRDB

extension RehearsalRoomRecord {
    /// Writes the entry into the open transaction.
    /// - Parameter room: the room's number; an entry that needs a room throws if this is nil.
    func write(to room: Int64?, _ db: Database) throws {
        switch self {
        case .event(let sequence, let json):
            try executeStatement(
                "INSERT INTO event (room, sequence, json) VALUES (?, ?, ?)",
                [try room.roomNumberOrThrow, sequence, Data(json)], db)
        case .state(let sequence, let json):
            try executeStatement(
                "UPDATE room SET state = ?, sequence = ? WHERE number = ? AND sequence <= ?",
                [Data(json), sequence, try room.roomNumberOrThrow, sequence], db)
        case .sessionBegan(let id, let at, let sequence):
            try executeStatement(
                "INSERT OR REPLACE INTO session (room, id, began, sequence) VALUES (?, ?, ?, ?)",
                [try room.roomNumberOrThrow, id, at, sequence], db)
        case .sessionEnded(let id, let at):
            try executeStatement(
                "UPDATE session SET ended = ? WHERE room = ? AND id = ?",
                [at, try room.roomNumberOrThrow, id], db)
        case .scorePosition(let session, let at, let json):
            try executeStatement(
                "INSERT INTO word (room, session, at, json) VALUES (?, ?, ?, ?)",
                [try room.roomNumberOrThrow, session, at, Data(json)], db)
        case .openPage(let user, let score, let part, let page, let at):
            try executeStatement(
                "INSERT OR REPLACE INTO spot (room, user, score, part, page, at) VALUES (?, ?, ?, ?, ?, ?)",
                [try room.roomNumberOrThrow, user, score ?? "", part, page, at], db)
        case .pageTurningSettings(let user, let score, let json):
            try executeStatement(
                "INSERT OR REPLACE INTO stand (user, score, settings) VALUES (?, ?, ?)",
                [user, score, Data(json)], db)
        }
    }

    /// The approximate number of bytes that the entry adds to the write-ahead log.
    var byteCount: Int {
        switch self {
        case .event(_, let json), .state(_, let json), .scorePosition(_, _, let json),
            .pageTurningSettings(_, _, let json):
            json.count
        case .sessionBegan, .sessionEnded, .openPage: 100
        }
    }

    private func executeStatement(_ sql: String, _ arguments: StatementArguments, _ db: Database) throws {
        try db.cachedStatement(sql: sql).execute(arguments: arguments)
    }
}

extension Int64? {
    fileprivate var roomNumberOrThrow: Int64 {
        get throws {
            guard let self else {
                throw DatabaseError(resultCode: .SQLITE_CONSTRAINT, message: "there is no such room")
            }
            return self
        }
    }
}
