/// The name of a part, read as an instrument and a desk, so that “Violine 1” and “Violin I” are the same part of two
/// scores.
///
/// `partname.js` reads names alike, and Tests/Vectors/part-names.json holds both against each other.
public struct PartName: Hashable, Sendable {
    /// The instrument in English if it is known, otherwise the name's words; letters without accents.
    let instrument: String
    /// The number of the desk or player; nil if the name has none.
    let number: Int?

    public init(_ name: String) {
        var words: [String] = []
        var number: Int?
        var skipsKey = false
        for word in Self.words(of: name) {
            if skipsKey {
                // The key of a transposing instrument, as in “Clarinet in B flat”.
                skipsKey = false
                if Self.keys.contains(word) { continue }
            }
            if word == "in", !words.isEmpty {
                skipsKey = true
            } else if let value = Self.number(word), !words.isEmpty || number == nil {
                if number == nil { number = value }
            } else if !Self.fillers.contains(word) {
                words.append(Self.instruments[word] ?? word)
            }
        }
        instrument = words.joined(separator: " ")
        self.number = number
    }

    /// Finds the part that a player of this part plays in another score.
    /// - Returns: an index into `names`; nil if none is the same, or if several could be.
    public func find(in names: [String]) -> Int? {
        let others = names.map { PartName($0) }
        if let same = others.firstIndex(of: self) { return same }
        let near = others.indices.filter {
            others[$0].instrument == instrument && (others[$0].number == nil || number == nil)
        }
        return near.count == 1 ? near[0] : nil
    }

    private static func words(of name: String) -> [String] {
        var words: [String] = []
        var word = ""
        for scalar in name.lowercased().unicodeScalars {
            if let plain = accents[scalar] {
                word += plain
            } else if ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) {
                word.unicodeScalars.append(scalar)
            } else {
                if !word.isEmpty { words.append(word) }
                word = ""
            }
        }
        if !word.isEmpty { words.append(word) }
        return words
    }

    private static func number(_ word: String) -> Int? {
        if let value = Int(word), value < 100 { return value }
        return numbers[word]
    }

    private static let accents: [Unicode.Scalar: String] = [
        "ä": "a", "à": "a", "á": "a", "â": "a", "ö": "o", "ò": "o", "ó": "o", "ô": "o", "ü": "u", "ù": "u",
        "ú": "u", "û": "u", "é": "e", "è": "e", "ê": "e", "í": "i", "ì": "i", "î": "i", "ç": "c", "ñ": "n",
        "ß": "ss", "č": "c", "š": "s", "ř": "r", "ž": "z",
    ]
    /// “Full score” and “Double bass” are what “Partitur” and “Kontrabass” are.
    private static let fillers: Set<String> = [
        "part", "stimme", "parte", "the", "der", "die", "full", "double",
    ]
    private static let keys: Set<String> = ["a", "b", "bb", "bes", "c", "d", "e", "eb", "es", "f", "g", "h"]
    private static let numbers: [String: Int] = [
        "i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4,
        "first": 1, "second": 2, "third": 3, "fourth": 4, "erste": 1, "zweite": 2, "dritte": 3, "vierte": 4,
        "primo": 1, "secondo": 2, "prima": 1, "seconda": 2,
    ]
    private static let instruments: [String: String] = {
        let names: [String: String] = [
            "violin": "violins violine violinen violino violini violon vl vln vn geige",
            "viola": "violas violen viole bratsche bratschen alto va vla",
            "cello": "cellos celli violoncello violoncelli violoncelle vc vlc",
            "bass":
                "basses kontrabass kontrabasse contrabass contrabasso contrabassi contrebasse doublebass cb kb db",
            "flute": "flutes flote floten flauto flauti fl", "piccolo": "picc ottavino",
            "oboe": "oboes oboen oboi hautbois ob",
            "clarinet": "clarinets klarinette klarinetten clarinetto clarinetti clarinette cl klar",
            "bassoon": "bassoons fagott fagotte fagotto fagotti basson fg bn",
            "horn": "horns horner corno corni cor hn",
            "trumpet": "trumpets trompete trompeten tromba trombe trompette trp tpt",
            "trombone": "trombones posaune posaunen tromboni pos tbn",
            "timpani": "pauken pauke timbales timp",
            "percussion": "schlagzeug schlagwerk percussione perc", "harp": "harfe arpa harpe",
            "piano": "klavier pianoforte pf", "organ": "orgel organo orgue",
            "voice": "singstimme gesang canto voix",
            "score": "partitur partitura partition director dirigent conductor",
        ]
        var table: [String: String] = [:]
        for (name, others) in names {
            table[name] = name
            for other in others.split(separator: " ") { table[String(other)] = name }
        }
        return table
    }()
}
