/// A text of several kinds of words (“Bernstein Mahler 2 1963”), taken apart: what each part may mean.
public struct SearchWords: Equatable, Sendable {
    /// One meaning of a part.
    public enum Reading: Hashable, Sendable {
        /// A name that has all these words; the last one may be unfinished.
        case name([String], isUnfinished: Bool = false)
        /// A work: words of its composer's name and of its title.
        case work(composer: [String], title: [String])
        /// A title that has these words one after the other, such as `no 2`.
        case phrase([String])
        case days(CalendarDate, CalendarDate)
        /// A month of any year, or a day of it.
        case month(Int, day: Int?)
        /// A season as printed: `1963-64`.
        case season(String)
        /// ISO 3166-1 alpha-2.
        case country(String)
    }

    /// The parts in their order; a concert must answer each of them by one of its readings.
    public var parts: [[Reading]] = []

    /// - Parameter countries: the codes of the countries that have just these folded words as a name.
    public init(_ text: String, countries: ([String]) throws -> [String]) rethrows {
        let (dates, rest) = Self.takeDates(from: text)
        parts = dates.map { [$0] }
        let words = FoldedName.words(rest, splittingAtApostrophes: false)
        var index = 0
        while index < words.count {
            if let (count, found) = Self.date(words[index...]) {
                parts += found
                index += count
            } else if let (count, readings) = try Self.knownName(words[index...], countries) {
                parts.append(readings)
                index += count
            } else if let count = Self.number(words[index...]) {
                parts.append([.phrase(Self.catalogued(words[index..<(index + count)]))])
                index += count
            } else {
                if !Self.fillers.contains(words[index]) {
                    parts.append(Self.word(words[index], isLast: index == words.count - 1))
                }
                index += 1
            }
        }
    }

    // MARK: Words

    /// Words that say nothing of a concert.
    private static let fillers: Set<String> = [
        "a", "an", "and", "at", "by", "conducted", "conducting", "conducts", "concert", "concerts", "der",
        "die",
        "das", "des", "du", "de", "et", "for", "from", "im", "in", "la", "le", "les", "live", "mit", "of",
        "on", "s",
        "performance", "performances", "played", "playing", "plays", "st", "nd", "rd", "the", "th", "und",
        "von",
        "with",
    ]

    private static let ordinals = [
        "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
        "ninth": 9, "tenth": 10, "erste": 1, "zweite": 2, "dritte": 3, "vierte": 4, "funfte": 5, "sechste": 6,
        "siebte": 7, "achte": 8, "neunte": 9,
    ]

    private static func word(_ word: String, isLast: Bool) -> [Reading] {
        var readings: [Reading] = [.name([word], isUnfinished: isLast)]
        if let number = ordinals[word] { readings.append(.phrase(["no", String(number)])) }
        if let number = Int(word), number < 1_000 { readings.append(.phrase(["no", String(number)])) }
        return readings
    }

    /// The abbreviations that stand before numbers, and how catalogues print them.
    private static let numberWords = [
        "op": "op", "opus": "op", "no": "no", "nr": "no", "num": "no", "number": "no", "k": "k", "kv": "k",
        "kochel": "k", "d": "d", "deutsch": "d", "h": "h", "hob": "h", "bwv": "bwv", "rv": "rv", "woo": "woo",
    ]

    /// The number of words of a number with its abbreviation: 2 for `op 67`; nil if there is none.
    private static func number(_ words: ArraySlice<String>) -> Int? {
        guard words.count > 1, numberWords[words[words.startIndex]] != nil,
            Int(words[words.startIndex + 1]) != nil
        else { return nil }
        return 2
    }

    private static func catalogued(_ words: ArraySlice<String>) -> [String] {
        words.map { numberWords[$0] ?? $0 }
    }

    /// The longest name at the beginning of the words that the table of names or the list of countries knows.
    private static func knownName(
        _ words: ArraySlice<String>, _ countries: ([String]) throws -> [String]
    ) rethrows -> (Int, [Reading])? {
        for count in stride(from: min(words.count, KnownNames.mostWords), to: 0, by: -1) {
            let name = Array(words.prefix(count))
            let known = KnownNames.names(name)
            let codes = try countries(name)
            guard !known.isEmpty || !codes.isEmpty else { continue }
            var readings: [Reading] = [.name(name)]
            for other in known {
                switch other {
                case .words(let words): readings.append(.name(words))
                case .work(let composer, let title): readings.append(.work(composer: composer, title: title))
                case .country(let code): readings.append(.country(code))
                }
            }
            readings += codes.map(Reading.country)
            var seen: Set<Reading> = []
            return (count, readings.filter { seen.insert($0).inserted })
        }
        return nil
    }

    // MARK: Days

    /// Takes dates in figures out of a text: `1963-11-23`, `1963-11`, `23.11.1963`, `11/23/1963`, `1963-64`, `1960s`,
    /// `1960-1969`.
    private static func takeDates(from text: String) -> ([Reading], rest: String) {
        var found: [Reading] = []
        let pattern = /\b(\d{1,4})(s\b|(?:[-–.\/]\d{1,4}){1,2})(?!\d)/.asciiOnlyDigits()
        let rest = text.replacing(pattern) { match in
            let text = String(match.output.0)
            let parts = text.split { !$0.isNumber }.compactMap { Int($0) }
            let lengths = text.split { !$0.isNumber }.map(\.count)
            guard
                let reading = figures(
                    parts, lengths, isDecade: text.hasSuffix("s"), isSlashed: text.contains("/"))
            else { return text }
            found.append(reading)
            return " "
        }
        return (found, rest)
    }

    private static func figures(_ parts: [Int], _ lengths: [Int], isDecade: Bool, isSlashed: Bool) -> Reading?
    {
        if isDecade {
            guard lengths == [4], parts[0] % 10 == 0 else { return nil }
            return years(parts[0], parts[0] + 9)
        }
        switch lengths.count {
        case 2 where lengths == [4, 4] && parts[0] < parts[1]: return years(parts[0], parts[1])
        case 2 where lengths == [4, 2] && parts[1] == (parts[0] + 1) % 100 && parts[1] > 12:
            return .season("\(parts[0])-\(parts[1])")
        case 2 where lengths[0] == 4 && (1...12).contains(parts[1]):
            guard let first = CalendarDate(year: parts[0], month: parts[1], day: 1),
                let last = CalendarDate(endOf: String(first.description.prefix(7)))
            else { return nil }
            return .days(first, last)
        case 3:
            let date =
                lengths[0] == 4
                ? CalendarDate(year: parts[0], month: parts[1], day: parts[2])
                : lengths[2] != 4
                    ? nil
                    : isSlashed
                        ? CalendarDate(year: parts[2], month: parts[0], day: parts[1])
                            ?? CalendarDate(year: parts[2], month: parts[1], day: parts[0])
                        : CalendarDate(year: parts[2], month: parts[1], day: parts[0])
            return date.map { .days($0, $0) }
        default: return nil
        }
    }

    private static func years(_ first: Int, _ last: Int) -> Reading? {
        guard let start = CalendarDate(year: first, month: 1, day: 1),
            let end = CalendarDate(year: last, month: 12, day: 31)
        else { return nil }
        return .days(start, end)
    }

    /// A year, or a month with the day beside it; a year may also be a word of a title, as in the Overture 1812, and
    /// a month another word, as in a march.
    private static func date(_ words: ArraySlice<String>) -> (Int, [[Reading]])? {
        let (first, rest) = (words[words.startIndex], words.dropFirst())
        func day(_ text: String?) -> Int? {
            text.flatMap { Int($0) }.flatMap { (1...31).contains($0) ? $0 : nil }
        }
        if let year = Int(first), (1_000...2_999).contains(year), let days = years(year, year) {
            return (1, [[days, .name([first])]])
        }
        if let month = months[first] {
            guard let day = day(rest.first) else { return (1, [[.month(month, day: nil), .name([first])]]) }
            return (2, [[.month(month, day: day)]])
        }
        guard let day = day(first) else { return nil }
        let skipped = rest.prefix { ["st", "nd", "rd", "th", "of", "de"].contains($0) }.count
        guard let month = rest.dropFirst(skipped).first.flatMap({ months[$0] }) else { return nil }
        return (2 + skipped, [[.month(month, day: day)]])
    }

    /// The months as people write them in English, German, French, Spanish and Italian.
    private static let months: [String: Int] = {
        let names = [
            "january jan januar janner janvier enero gennaio",
            "february feb februar feber fevrier febrero febbraio",
            "march mar marz mars marzo", "april apr avril abril aprile", "may mai mayo maggio",
            "june jun juni juin junio giugno", "july jul juli juillet julio luglio",
            "august aug aout agosto", "september sep sept septembre septiembre settembre",
            "october oct oktober okt octobre octubre ottobre", "november nov novembre noviembre",
            "december dec dezember dez decembre diciembre dicembre",
        ]
        var months: [String: Int] = [:]
        for (index, line) in names.enumerated() {
            for name in line.split(separator: " ") { months[String(name)] = index + 1 }
        }
        return months
    }()
}
