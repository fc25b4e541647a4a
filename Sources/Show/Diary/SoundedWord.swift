/// How a word sounds, roughly, so that the spellings of several languages are equal: `Tschaikowsky`, `Tchaikovsky` and
/// `Чайковский`; `Carnegy` and `Carnegie`.
public enum SoundedWord {
    /// The shortest word, in letters, that is compared by its sound.
    public static let fewestLetters = 4

    /// The sound of a folded word: consonants that languages write differently are one letter (`C` for the beginning of
    /// `Tschaikowsky`, `S` for that of `Schubert`), doubled letters are single.
    public static func sound(of word: String) -> String {
        var rest = Substring(latin(word))
        var sound = ""
        func add(_ letters: String) {
            for letter in letters where sound.last != letter { sound.append(letter) }
        }
        while let letter = rest.first {
            if let (spelling, letters) = spellings.first(where: { rest.hasPrefix($0.0) }) {
                rest.removeFirst(spelling.count)
                add(letters)
                continue
            }
            rest.removeFirst()
            switch letter {
            case "c": add(rest.first.map { "eiy".contains($0) } ?? false ? "s" : "k")
            case "h": add(sound.isEmpty ? "h" : "")
            default: add(single[letter] ?? String(letter))
            }
        }
        return sound.count > 3 && sound.hasSuffix("ie") ? String(sound.dropLast()) : sound
    }

    /// Longer spellings come before their beginnings.
    private static let spellings: [(String, String)] = [
        ("schtsch", "S"), ("shch", "S"), ("tsch", "C"), ("tch", "C"), ("sch", "S"), ("sh", "S"), ("cz", "C"),
        ("kh", "C"), ("ch", "C"), ("ck", "k"), ("qu", "kv"), ("ph", "v"), ("th", "t"), ("ts", "s"),
        ("tz", "s"),
        ("ae", "a"), ("oe", "o"), ("ou", "u"), ("ue", "u"),
    ]
    private static let single: [Character: String] = [
        "f": "v", "j": "i", "q": "k", "w": "v", "x": "ks", "y": "i", "z": "s",
    ]

    private static func latin(_ word: String) -> String {
        word.allSatisfy(\.isASCII) ? word : word.reduce(into: "") { $0 += cyrillic[$1] ?? String($1) }
    }

    private static let cyrillic: [Character: String] = [
        "а": "a", "б": "b", "в": "v", "г": "g", "ґ": "g", "д": "d", "е": "e", "є": "e", "ё": "e", "ж": "sh",
        "з": "z", "и": "i", "і": "i", "ї": "i", "й": "i", "к": "k", "л": "l", "м": "m", "н": "n", "о": "o",
        "п": "p", "р": "r", "с": "s", "т": "t", "у": "u", "ф": "f", "х": "kh", "ц": "ts", "ч": "tch",
        "ш": "sh",
        "щ": "shch", "ъ": "", "ы": "i", "ь": "", "э": "e", "ю": "iu", "я": "ia",
    ]

    /// The most mistakes in a word of so many letters with which it is still that word.
    public static func mostMistakes(letters: Int) -> Int { letters < 5 ? 0 : letters < 8 ? 1 : 2 }

    /// The mistakes by which two words differ: letters that are missing, added, wrong, or changed places with the next.
    /// Cost: the product of the lengths.
    public static func mistakes(_ one: String, _ other: String) -> Int {
        let (one, other) = (Array(one.unicodeScalars), Array(other.unicodeScalars))
        guard !one.isEmpty, !other.isEmpty else { return max(one.count, other.count) }
        var before: [Int] = []
        var row = Array(0...other.count)
        for i in one.indices {
            var next = [i + 1]
            for j in other.indices {
                var least = min(row[j + 1] + 1, next[j] + 1, row[j] + (one[i] == other[j] ? 0 : 1))
                if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
                    least = min(least, before[j - 1] + 1)
                }
                next.append(least)
            }
            (before, row) = (row, next)
        }
        return row[other.count]
    }
}
