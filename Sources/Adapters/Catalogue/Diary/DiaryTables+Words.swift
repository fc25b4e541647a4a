import Diary
import GRDB

/// The index of the words of names.
extension DiaryTables {
    static let namesTable = "name"
    static let wordsTable = "nameWords"

    /// Adds the words of a name to the index.
    /// - Parameter number: the number of its row in `name`.
    static func insertWords(of text: String, _ kind: NameKind, number: Int64, _ db: Database) throws {
        let joined = FoldedName.words(text, splittingAtApostrophes: false)
        let split = FoldedName.words(text)
        let words = (joined + (split == joined ? [] : ["/"] + split)).map { kind.letter + $0 }
        try db.cachedStatement(sql: "INSERT INTO nameWords (rowid, words) VALUES (?, ?)")
            .execute(arguments: [number, words.joined(separator: " ")])
    }

    /// Makes the index again from all names, after rows of another server were copied.
    /// - Complexity: some 10 µs a name.
    static func remakeNameWords(_ db: Database) throws {
        try db.execute(sql: "INSERT INTO nameWords (nameWords) VALUES ('delete-all')")
        let rows = try Row.fetchCursor(db, sql: "SELECT number, kind, text FROM name")
        while let row = try rows.next() {
            guard let kind = NameKind(rawValue: row["kind"]) else { continue }
            try insertWords(of: row["text"], kind, number: row["number"], db)
        }
    }
}
