import Diary
import GRDB

/// Finds the concerts that a text of several kinds of words means, such as “Bernstein Mahler 2 1963”.
///
/// Each part of the text must be answered by the concert (its day, place, ensemble) or by an item of its programme.
/// Strict readings come first: all parts that an item answers hold for one item, and words are as they are written.
struct DiaryWordSearch {
    let db: Database

    /// A part of a statement with its arguments.
    struct Condition {
        var sql: String
        var arguments: StatementArguments

        static func joined(_ all: [Condition], _ word: String) -> Condition {
            Condition(
                sql: all.map { "(\($0.sql))" }.joined(separator: word),
                arguments: all.reduce(StatementArguments()) { $0 + $1.arguments })
        }
    }

    private enum Strictness: CaseIterable {
        /// Words as they are written; a number is that of a work.
        case strict
        /// A number may also stand anywhere in a title.
        case numbersAnywhere
        /// Each word stands also for those that sound like it.
        case bySound
    }

    /// SQL conditions that a part of the query sets: on items of programmes, by their numbers, and on concerts.
    private struct Answer {
        var items: [Condition] = []
        var concerts: [Condition] = []
        var isEmpty: Bool { items.isEmpty && concerts.isEmpty }
    }

    /// Returns a condition on the table `concert`; nil if no concert answers the text.
    /// - Parameter among: a condition on the concerts that count.
    func condition(_ text: String, among: Condition) throws -> Condition? {
        let parts = try SearchWords(text, countries: countries(named:)).parts
        guard (1...Self.mostParts).contains(parts.count) else { return nil }
        for strictness in Strictness.allCases {
            let answers = try parts.map { try answer($0, strictness) }
            guard !answers.contains(where: \.isEmpty) else { continue }
            for isOneItem in [true, false] {
                let found = Self.all(answers, isOneItem: isOneItem)
                let both = Condition.joined([found, among], " AND ")
                if try Bool.fetchOne(
                    db, sql: "SELECT EXISTS (SELECT 1 FROM concert WHERE \(both.sql))",
                    arguments: both.arguments)
                    ?? false
                {
                    return found
                }
            }
        }
        return nil
    }

    private static let mostParts = 12
    /// The most parts that may be answered by an item or by the concert; each doubles the readings of the text.
    private static let mostUndecided = 4

    /// All answers together.
    private static func all(_ answers: [Answer], isOneItem: Bool) -> Condition {
        var undecided = 0
        var readings: [(items: [Condition], concerts: [Condition])] = [([], [])]
        for answer in answers {
            let items = answer.items.isEmpty ? nil : union(answer.items)
            var concerts = answer.concerts.isEmpty ? nil : Condition.joined(answer.concerts, " OR ")
            if items != nil, concerts != nil {
                undecided += 1
                if undecided > mostUndecided { concerts = nil }
            }
            readings = readings.flatMap { reading in
                var next: [(items: [Condition], concerts: [Condition])] = []
                if let items { next.append((reading.items + [items], reading.concerts)) }
                if let concerts { next.append((reading.items, reading.concerts + [concerts])) }
                return next
            }
        }
        return .joined(
            readings.map { reading in
                let sets =
                    isOneItem && !reading.items.isEmpty
                    ? [
                        Condition(
                            sql: reading.items.map(\.sql).joined(separator: " INTERSECT "),
                            arguments: reading.items.reduce(StatementArguments()) { $0 + $1.arguments })
                    ] : reading.items
                let programmes = sets.map {
                    Condition(
                        sql: "programme IN (SELECT item / \(DiaryTables.itemsPerProgramme) FROM (\($0.sql)))",
                        arguments: $0.arguments)
                }
                return .joined(programmes + reading.concerts, " AND ")
            }, " OR ")
    }

    private static func union(_ items: [Condition]) -> Condition {
        Condition(
            sql: "SELECT item FROM (\(items.map(\.sql).joined(separator: " UNION ")))",
            arguments: items.reduce(StatementArguments()) { $0 + $1.arguments })
    }

    // MARK: Readings

    private func answer(_ part: [SearchWords.Reading], _ strictness: Strictness) throws -> Answer {
        var answer = try answer(part, strictness, bySound: strictness == .bySound)
        // A word that no name has is a slip of the pen, however strict the rest is read.
        if answer.isEmpty { answer = try self.answer(part, .numbersAnywhere, bySound: true) }
        return answer
    }

    private func answer(
        _ part: [SearchWords.Reading], _ strictness: Strictness, bySound: Bool
    ) throws -> Answer {
        var answer = Answer()
        let isNumber = part.contains { if case .phrase = $0 { true } else { false } }
        for reading in part {
            switch reading {
            case .name(let words, let isUnfinished):
                if isNumber, strictness == .strict { continue }
                let spellings = try bySound ? words.map(alike) : words.map { [$0] }
                try addNames(spellings, isUnfinished: isUnfinished, to: &answer)
            case .work(let composer, let title):
                let composers = try matches(composer.map { [$0] }, [.composer])[.composer] ?? []
                let titles = try DiaryNameSearch(db).titles(title)
                guard !composers.isEmpty, !titles.isEmpty else { continue }
                let both = [marks(.composer, composers), works(titled: titles)]
                answer.items.append(
                    Condition(
                        sql: "SELECT item FROM (\(both.map(\.sql).joined(separator: " INTERSECT ")))",
                        arguments: both[0].arguments + both[1].arguments))
            case .phrase(let words):
                let titles = try DiaryNameSearch(db).titles(words)
                if !titles.isEmpty { answer.items.append(works(titled: titles)) }
            case .days(let first, let last):
                answer.concerts.append(
                    Condition(sql: "date BETWEEN ? AND ?", arguments: [first.number, last.number]))
            case .month(let month, let day):
                answer.concerts.append(
                    day.map { Condition(sql: "date % 10000 = ?", arguments: [month * 100 + $0]) }
                        ?? Condition(sql: "date / 100 % 100 = ?", arguments: [month]))
            case .season(let season):
                answer.concerts.append(Condition(sql: "season = ?", arguments: [season]))
            case .country(let code): answer.concerts.append(Self.isIn(code))
            }
        }
        return answer
    }

    /// The condition that a concert is in a country. The code is the last word of the place.
    static func isIn(_ code: String) -> Condition {
        Condition(sql: "substr(place, -3) = ?", arguments: [" " + code.lowercased()])
    }

    private func addNames(_ spellings: [[String]], isUnfinished: Bool, to answer: inout Answer) throws {
        guard !spellings.contains(where: \.isEmpty) else { return }
        var found = try matches(spellings, DiaryTables.NameKind.allCases)
        if found.isEmpty, isUnfinished {
            found = try matches(spellings, DiaryTables.NameKind.allCases, isUnfinished: true)
        }
        for (kind, numbers) in found.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let list: StatementArguments = [DiaryNameSearch.values(numbers)]
            let texts = "SELECT text FROM name WHERE number IN (\(DiaryNameSearch.valuesSQL))"
            func concerts(_ sql: String) { answer.concerts.append(Condition(sql: sql, arguments: list)) }
            switch kind {
            case .composer: answer.items.append(marks(.composer, numbers))
            case .conductor: answer.items.append(marks(.conductor, numbers))
            case .soloist: answer.items.append(marks(.soloist, numbers))
            case .movement: answer.items.append(marks(.movement, numbers))
            case .title: answer.items.append(works(titled: numbers))
            case .venue: concerts("venue IN (\(DiaryNameSearch.valuesSQL))")
            case .type: concerts("type IN (\(DiaryNameSearch.valuesSQL))")
            case .place: concerts("place IN (\(texts))")
            case .ensemble: concerts("ensemble IN (SELECT number FROM ensemble WHERE name IN (\(texts)))")
            case .event: concerts("event IN (SELECT id FROM event WHERE folded IN (\(texts)))")
            }
        }
    }

    private func marks(_ role: DiaryTables.Role, _ numbers: [Int64]) -> Condition {
        Condition(
            sql:
                "SELECT item FROM mark WHERE role = \(role.rawValue) AND reference IN (\(DiaryNameSearch.valuesSQL))",
            arguments: [DiaryNameSearch.values(numbers)])
    }

    private func works(titled titles: [Int64]) -> Condition {
        Condition(
            sql: """
                SELECT item FROM mark WHERE role = \(DiaryTables.Role.work.rawValue) AND reference IN (
                    SELECT work FROM workTitle WHERE title IN (\(DiaryNameSearch.valuesSQL)))
                """, arguments: [DiaryNameSearch.values(titles)])
    }

    /// The numbers of the names with all words, by kind.
    /// - Parameter spellings: the spellings of each word.
    private func matches(
        _ spellings: [[String]], _ kinds: [DiaryTables.NameKind], isUnfinished: Bool = false
    ) throws -> [DiaryTables.NameKind: [Int64]] {
        let expression = kinds.map { kind in
            let words = spellings.enumerated().map { place, words in
                let star = isUnfinished && place == spellings.count - 1 ? "*" : ""
                return "(" + words.map { "\"\(kind.letter)\($0)\"\(star)" }.joined(separator: " OR ") + ")"
            }
            return "(" + words.joined(separator: " AND ") + ")"
        }.joined(separator: " OR ")
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT kind, number FROM name
                    WHERE number IN (SELECT rowid FROM nameWords WHERE nameWords MATCH ?)
                    """), arguments: [expression])
        var found: [DiaryTables.NameKind: [Int64]] = [:]
        for row in rows {
            guard let kind = DiaryTables.NameKind(rawValue: row["kind"]) else { continue }
            found[kind, default: []].append(row["number"])
        }
        return found
    }

    // MARK: Words

    private static let mostAlike = 6
    private static let mostCandidates = 80

    /// The words of names that a word may stand for: those that sound like it, or nearly so; itself if there are none.
    func alike(_ word: String) throws -> [String] {
        let sound = Array(SoundedWord.sound(of: word))
        guard word.count >= SoundedWord.fewestLetters, sound.count >= 3 else { return [word] }
        let pieces = (0...(sound.count - 3)).map { "\"\(String(sound[$0..<($0 + 3)]))\"" }
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT word, sound FROM wordSounds WHERE wordSounds MATCH ? ORDER BY rank
                    LIMIT \(Self.mostCandidates)
                    """), arguments: [Set(pieces).sorted().joined(separator: " OR ")])
        let most = SoundedWord.mostMistakes(letters: sound.count)
        let near = rows.map { row in
            (word: row["word"] as String, mistakes: SoundedWord.mistakes(String(sound), row["sound"]))
        }.filter { $0.mistakes <= most }
        guard let least = near.map(\.mistakes).min() else { return [word] }
        return near.filter { $0.mistakes == least }.map(\.word).sorted {
            let (one, other) = (SoundedWord.mistakes(word, $0), SoundedWord.mistakes(word, $1))
            return (one, $0) < (other, $1)
        }.prefix(Self.mostAlike).map { $0 }
    }

    /// True if some name has the word.
    func isKnown(_ word: String) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM nameWords WHERE nameWords MATCH ?)"),
            arguments: [
                DiaryTables.NameKind.allCases.map { "\"\($0.letter)\(word)\"" }.joined(separator: " OR ")
            ])
            ?? false
    }

    /// The text with the words that no name has as names spell them, the nearest first. If all are known, each with one
    /// word as another that sounds the same.
    func corrected(_ text: String) throws -> [String] {
        var words = FoldedName.words(text, splittingAtApostrophes: false)
        var last: [String] = []
        for place in words.indices where try !isKnown(words[place]) {
            last = try alike(words[place])
            words[place] = last.first ?? words[place]
        }
        // Of one wrong word alone, each of the nearest may be meant.
        guard last.isEmpty else { return words.count == 1 ? last : [words.joined(separator: " ")] }
        return try words.indices.flatMap { place in
            try soundingTheSame(words[place]).map { other in
                var changed = words
                changed[place] = other
                return changed.joined(separator: " ")
            }
        }.prefix(Self.mostAlike).map { $0 }
    }

    /// The other words of names that sound like a word, such as `schoenberg` for `schonberg`.
    func soundingTheSame(_ word: String) throws -> [String] {
        let sound = SoundedWord.sound(of: word)
        return try alike(word).filter { $0 != word && SoundedWord.sound(of: $0) == sound }
    }

    // MARK: Countries

    /// The codes of the countries that have just these folded words as a name, in any language.
    func countries(named words: [String]) throws -> [String] {
        let name = FoldedName.fold(words.joined(separator: " "))
        guard !name.isEmpty else { return [] }
        let rows = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT DISTINCT code, name FROM countryNames WHERE name MATCH ?"),
            arguments: ["\"\(name)\""])
        return rows.filter { $0["name"] as String == name }.map { $0["code"] as String }.sorted()
    }
}
