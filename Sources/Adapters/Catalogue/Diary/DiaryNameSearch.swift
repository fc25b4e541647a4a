import Diary
import GRDB

/// Finds names as people type them, in one transaction of the diary.
///
/// There are several ways to understand what was typed, from strict to loose; the first one that finds anything counts.
struct DiaryNameSearch {
    let db: Database

    init(_ db: Database) { self.db = db }

    /// Returns the numbers of the names that a text means: first the names that have just its words, in any order
    /// (for people only if there are two words or more: “Strauss” means each of them); then the names with all its
    /// words; then those with words that begin like them.
    func names(_ text: String, _ kind: DiaryTables.NameKind) throws -> [Int64] {
        let words = FoldedName.words(text, splittingAtApostrophes: false)
        guard !words.isEmpty else { return [] }
        let isPlace = kind == .venue || kind == .type
        if isPlace || words.count > 1 {
            let whole = try numbers(
                "SELECT number FROM name WHERE kind = ? AND sorted = ?",
                [kind.rawValue, words.sorted().joined(separator: " ")])
            if !whole.isEmpty { return whole }
        }
        let found = try matches(words.map { Self.term([$0], kind) })
        return found.isEmpty ? try matches(words.map { Self.term([$0], kind) + "*" }) : found
    }

    /// Returns the ways to understand words of a title, from strict to loose: each as a list of works' identities.
    ///
    /// 1. the work with this id; 2. titles with the words in this order; 3. titles with all words, numbers beside what
    /// they number (`op. 67`); 4. the same with the words of the composer; 5. the beginnings of words.
    func workReadings(_ text: String) throws -> [() throws -> [Int64]] {
        let words = FoldedName.words(text, splittingAtApostrophes: false)
        guard !words.isEmpty else { return [] }
        let kind = DiaryTables.NameKind.title
        return [
            {
                try numbers("SELECT identity FROM work WHERE id = ?", [text])
            },
            { try identities(titles: matches([Self.term(words, kind)])) },
            { try identities(titles: matches(Self.terms(words, kind, guessingNumbers: true))) },
            { try identities(titles: matches(Self.terms(words, kind, guessingNumbers: false))) },
            { try identities(titles: matches(words.map { Self.term([$0], kind) + "*" })) },
        ]
    }

    /// Returns the identities of the works that a text means by the first reading that finds any.
    func workIdentities(_ text: String) throws -> [Int64] {
        for reading in try workReadings(text) {
            let found = try reading()
            if !found.isEmpty { return found }
        }
        return []
    }

    /// Returns the identities of works that a text names together with their composer, in either order: `beethoven 9`,
    /// `new world dvorak`.
    /// - Parameter most: the most that are returned.
    func worksWithComposer(_ text: String, most: Int) throws -> [Int64] {
        let words = FoldedName.words(text, splittingAtApostrophes: false)
        guard (2...8).contains(words.count) else { return [] }
        for split in 1..<words.count {
            let (first, last) = (Array(words[..<split]), Array(words[split...]))
            for (name, title) in [(first, last), (last, first)] {
                let composers = try matches(name.map { Self.term([$0], .composer) + "*" })
                guard !composers.isEmpty else { continue }
                for terms in Self.titleTerms(title) {
                    let works = try identities(titles: matches(terms))
                    let found = works.isEmpty ? [] : try identities(works, ofComposers: composers, most: most)
                    if !found.isEmpty { return found }
                }
            }
        }
        return []
    }

    /// The ways to understand words of a title beside its composer, from strict to loose.
    private static func titleTerms(_ words: [String]) -> [[String]] {
        [
            terms(words, .title, guessingNumbers: true), terms(words, .title, guessingNumbers: false),
            words.map { term([$0], .title) + "*" },
        ]
    }

    /// Those of the works that some item of a programme gives to one of the composers.
    private func identities(_ works: [Int64], ofComposers composers: [Int64], most: Int) throws -> [Int64] {
        try numbers(
            """
            SELECT DISTINCT work.identity FROM mark JOIN work ON work.number = mark.reference
            WHERE mark.role = \(DiaryTables.Role.work.rawValue)
                AND mark.reference IN (\(Self.worksSQL))
                AND mark.item IN (
                    SELECT item FROM mark WHERE role = \(DiaryTables.Role.composer.rawValue)
                        AND reference IN (\(Self.valuesSQL))
                ) LIMIT ?
            """, [Self.values(works), Self.values(composers), most])
    }

    /// The titles with all words, numbers beside what they number.
    func titles(_ words: [String]) throws -> [Int64] {
        try matches(Self.terms(words, .title, guessingNumbers: false))
    }

    /// The movements with all words of a text.
    func movements(_ text: String) throws -> [Int64] {
        let words = FoldedName.words(text, splittingAtApostrophes: false)
        return words.isEmpty ? [] : try matches(Self.terms(words, .movement, guessingNumbers: false))
    }

    /// A statement for the numbers of a list, whose argument is ``values(_:)``.
    static let valuesSQL = "SELECT value FROM json_each(?)"
    /// A statement for the numbers of all works with one of these identities; its argument is ``values(_:)``.
    static let worksSQL = "SELECT number FROM work WHERE identity IN (\(valuesSQL))"

    /// Numbers as one argument of a statement.
    static func values(_ numbers: [Int64]) -> String { "[\(list(numbers))]" }

    static func list(_ numbers: [Int64]) -> String {
        numbers.map(String.init).joined(separator: ",")
    }

    private func identities(titles: [Int64]) throws -> [Int64] {
        guard !titles.isEmpty else { return [] }
        return try numbers(
            """
            SELECT DISTINCT work.identity FROM workTitle JOIN work ON work.number = workTitle.work
            WHERE workTitle.title IN (\(Self.valuesSQL))
            """, [Self.values(titles)])
    }

    private func matches(_ terms: [String]) throws -> [Int64] {
        try numbers("SELECT rowid FROM nameWords WHERE nameWords MATCH ?", [terms.joined(separator: " AND ")])
    }

    /// Runs a statement whose text is the same for all searches, so that it is prepared once.
    private func numbers(_ sql: String, _ arguments: StatementArguments) throws -> [Int64] {
        try Int64.fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
    }

    // MARK: Terms

    /// A phrase of the index: each word begins with the letter of its kind.
    private static func term(_ words: [String], _ kind: DiaryTables.NameKind) -> String {
        "\"" + words.map { kind.letter + $0 }.joined(separator: " ") + "\""
    }

    /// Terms for words of a title. A number belongs to the short word before it: `op 67`, `no 9`, `bwv 1068`.
    /// - Parameter guessingNumbers: true if a number after a long word means a number of a work: `symphony 9` is
    ///   `symphony`, `no 9`.
    private static func terms(
        _ words: [String], _ kind: DiaryTables.NameKind, guessingNumbers: Bool
    ) -> [String] {
        var terms: [String] = []
        var previous: String?
        for word in words {
            let isNumber = word.utf8.first.map { (0x30...0x39).contains($0) } ?? false
            guard isNumber else {
                previous.map { terms.append(term([$0], kind)) }
                previous = word
                continue
            }
            let before = previous
            previous = nil
            if let before, before.utf8.count <= 4 || numberWords[before] != nil {
                let readings = [before] + (numberWords[before].map { [$0] } ?? [])
                terms.append("(" + readings.map { term([$0, word], kind) }.joined(separator: " OR ") + ")")
            } else {
                before.map { terms.append(term([$0], kind)) }
                terms.append(guessingNumbers ? term(["no", word], kind) : term([word], kind))
            }
        }
        previous.map { terms.append(term([$0], kind)) }
        return terms
    }

    /// Other words before a number, and how catalogues print them.
    private static let numberWords = [
        "opus": "op", "number": "no", "nr": "no", "num": "no", "kv": "k", "kochel": "k", "deutsch": "d",
        "hob": "h",
    ]
}
