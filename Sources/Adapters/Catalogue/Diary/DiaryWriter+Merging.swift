import Diary
import Foundation
import GRDB

/// Works that turn out to be the same.
extension DiaryWriter {
    func merge(_ other: String, into id: String) throws {
        guard let whole = try work(id), let part = try work(other) else {
            throw CatalogueError.diaryRefused(
                "There is no work “\(try work(id) == nil ? id : other)”; look its id up with baton diary works."
            )
        }
        guard whole.identity != part.number, part.identity == part.number else {
            throw CatalogueError.diaryRefused("“\(other)” is merged already, or “\(id)” is merged into it.")
        }
        try db.execute(
            sql: "UPDATE work SET identity = ? WHERE identity = ?", arguments: [whole.identity, part.number])
        var document = part.work
        document.mergedInto = id
        try write(document)
    }

    func unmerge(_ id: String) throws {
        guard let part = try work(id), part.work.mergedInto != nil else {
            throw CatalogueError.diaryRefused("“\(id)” is not merged into another work.")
        }
        var document = part.work
        document.mergedInto = nil
        try write(document)
        // Those that were merged into it go with it.
        let others = try Data.fetchAll(
            db, sql: "SELECT document FROM work WHERE identity = ?", arguments: [part.identity]
        )
        .map { try DiaryStore.decode(MusicalWork.self, $0) }
        let parents = Dictionary(others.map { ($0.id, $0.mergedInto) }) { first, _ in first }
        for other in others {
            var top = other.id
            while let parent = parents[top] ?? nil { top = parent }
            if top == id {
                try db.execute(
                    sql: "UPDATE work SET identity = ? WHERE id = ?", arguments: [part.number, other.id])
            }
        }
    }

    private func write(_ work: MusicalWork) throws {
        try db.execute(
            sql: "UPDATE work SET document = ? WHERE id = ?",
            arguments: [try DiaryStore.encode(work), work.id])
    }

    private func work(_ id: String) throws -> (number: Int64, identity: Int64, work: MusicalWork)? {
        try Row.fetchOne(db, sql: "SELECT number, identity, document FROM work WHERE id = ?", arguments: [id])
            .map { ($0["number"], $0["identity"], try DiaryStore.decode(MusicalWork.self, $0["document"])) }
    }
}
