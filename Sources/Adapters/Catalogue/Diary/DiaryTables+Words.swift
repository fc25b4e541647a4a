import Diary
import Foundation
import GRDB

/// The indices of words: of names, of how words sound, and of countries. They are made of other rows.
extension DiaryTables {
    static let wordsTable = "nameWords"
    /// The tables whose rows the indices are made of.
    static let namesTables = ["name", "country"]

    /// Adds the words of a name to the index.
    /// - Parameter number: the number of its row in `name`.
    static func insertWords(of text: String, _ kind: NameKind, number: Int64, _ db: Database) throws {
        let joined = FoldedName.words(text, splittingAtApostrophes: false)
        let split = FoldedName.words(text)
        let words = (joined + (split == joined ? [] : ["/"] + split)).map { kind.letter + $0 }
        try db.cachedStatement(sql: "INSERT INTO nameWords (rowid, words) VALUES (?, ?)")
            .execute(arguments: [number, words.joined(separator: " ")])
        // Movements are tempo marks for the most part, which nobody searches by their sound.
        guard kind != .movement else { return }
        for word in joined { try insertSound(of: word, db) }
    }

    private static func insertSound(of word: String, _ db: Database) throws {
        guard word.count >= SoundedWord.fewestLetters else { return }
        let sound = SoundedWord.sound(of: word)
        guard sound.count >= 3 else { return }
        let known = try String.fetchAll(
            db.cachedStatement(sql: "SELECT word FROM wordSounds WHERE sound MATCH ?"),
            arguments: ["\"\(sound)\""])
        guard !known.contains(word) else { return }
        try db.cachedStatement(sql: "INSERT INTO wordSounds (word, sound) VALUES (?, ?)")
            .execute(arguments: [word, sound])
    }

    /// The names of a country take the place of those that the index has of it.
    static func insertNames(of country: Country, _ db: Database) throws {
        // Each country has its numbers, so that its names are found without a look at all others.
        let first = country.code.unicodeScalars.reduce(Int64(0)) { $0 * 128 + Int64($1.value % 128) } * 1_000
        try db.execute(
            sql: "DELETE FROM countryNames WHERE rowid BETWEEN ? AND ?", arguments: [first, first + 999])
        let names = Set(country.name.values.map { FoldedName.fold($0) }).sorted().prefix(1_000)
        for (index, name) in names.enumerated() where !name.isEmpty {
            try db.cachedStatement(sql: "INSERT INTO countryNames (rowid, code, name) VALUES (?, ?, ?)")
                .execute(arguments: [first + Int64(index), country.code, name])
        }
    }

    /// Adds the names of places, ensembles and events of earlier versions to the table of names.
    static func addNamesOfPlaces(_ db: Database) throws {
        for (kind, texts) in [
            (NameKind.place, "SELECT DISTINCT place FROM concert"), (.ensemble, "SELECT name FROM ensemble"),
            (.event, "SELECT folded FROM event"),
        ] {
            for text in try String.fetchAll(db, sql: texts) {
                let words = FoldedName.words(text, splittingAtApostrophes: false)
                try db.execute(
                    sql: "INSERT OR IGNORE INTO name (kind, text, sorted) VALUES (?, ?, ?)",
                    arguments: [kind.rawValue, text, words.sorted().joined(separator: " ")])
            }
        }
    }

    /// Makes the indices again from all names, after rows of another server were copied.
    /// - Complexity: some 30 µs a name.
    static func remakeNameWords(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO nameWords (nameWords) VALUES ('delete-all');
                DELETE FROM wordSounds;
                DELETE FROM countryNames;
                """)
        let rows = try Row.fetchCursor(db, sql: "SELECT number, kind, text FROM name")
        while let row = try rows.next() {
            guard let kind = NameKind(rawValue: row["kind"]) else { continue }
            try insertWords(of: row["text"], kind, number: row["number"], db)
        }
        for document in try Data.fetchAll(db, sql: "SELECT document FROM country") {
            try insertNames(of: DiaryStore.decode(Country.self, document), db)
        }
    }
}
