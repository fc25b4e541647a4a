import Diary
import Foundation
import GRDB

/// Names and works, each written once.
extension DiaryWriter {
    func nameNumber(_ text: String, _ kind: DiaryTables.NameKind) throws -> Int64 {
        if let known = names[kind]?[text] { return known }
        let stored = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT number FROM name WHERE kind = ? AND text = ?"),
            arguments: [kind.rawValue, text])
        let number = try stored ?? insertName(text, kind)
        names[kind, default: [:]][text] = number
        return number
    }

    private func insertName(_ text: String, _ kind: DiaryTables.NameKind) throws -> Int64 {
        let joined = FoldedName.words(text, splittingAtApostrophes: false)
        try db.cachedStatement(sql: "INSERT INTO name (kind, text, sorted) VALUES (?, ?, ?)")
            .execute(arguments: [kind.rawValue, text, joined.sorted().joined(separator: " ")])
        let number = db.lastInsertedRowID
        try DiaryTables.insertWords(of: text, kind, number: number, db)
        return number
    }

    // MARK: Works

    func workNumber(_ id: String, _ item: ProgrammeItem) throws -> Int64 {
        let title = try nameNumber(item.title, .title)
        if works[id] == nil {
            let stored = try Int64.fetchOne(
                db.cachedStatement(sql: "SELECT number FROM work WHERE id = ?"), arguments: [id])
            let number = try stored ?? save(MusicalWork(id: id, composer: item.composer, title: item.title))
            works[id] = (number, [])
        }
        guard let work = works[id] else { preconditionFailure("the work was just noted") }
        if works[id]?.titles.insert(title).inserted == true { try noteTitle(title, of: work.number) }
        return work.number
    }

    private func noteTitle(_ title: Int64, of work: Int64) throws {
        try db.cachedStatement(sql: "INSERT OR IGNORE INTO workTitle (title, work) VALUES (?, ?)")
            .execute(arguments: [title, work])
    }

    /// Adds or replaces a work; what it is merged into stays.
    @discardableResult
    func save(_ given: MusicalWork) throws -> Int64 {
        let stored = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT number, document FROM work WHERE id = ?"), arguments: [given.id])
        guard (1...200).contains(given.id.utf8.count) else {
            throw CatalogueError.diaryRefused("A work's id has 1 to 200 bytes; give it another.")
        }
        var work = given
        let number: Int64
        if let stored {
            number = stored["number"]
            work.mergedInto = try DiaryStore.decode(MusicalWork.self, stored["document"]).mergedInto
            try db.execute(
                sql: "UPDATE work SET document = ? WHERE number = ?",
                arguments: [try DiaryStore.encode(work), number])
        } else {
            work.mergedInto = nil
            try db.cachedStatement(sql: "INSERT INTO work (id, identity, document) VALUES (?, 0, ?)")
                .execute(arguments: [work.id, try DiaryStore.encode(work)])
            number = db.lastInsertedRowID
            try db.cachedStatement(sql: "UPDATE work SET identity = number WHERE number = ?")
                .execute(arguments: [number])
        }
        try noteTitle(try nameNumber(work.title, .title), of: number)
        return number
    }
}
