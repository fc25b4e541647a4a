/// Finds works that may be one: sources spell composers and titles in many ways, and a diary of several sources would
/// have each work several times. It proposes; a person decides.
public enum DuplicateWorks {
    /// Works that may be one; the first is the one that was played most.
    public struct Group: Hashable, Sendable {
        public var works: [MusicalWork]

        public init(works: [MusicalWork]) { self.works = works }
    }

    /// Groups works of one composer with the same catalogue number, or without one and with the same words in the
    /// title.
    /// - Parameter performances: for each work how often it was played.
    /// - Returns: the groups of two works or more, those played most first.
    public static func find(_ works: [(work: MusicalWork, performances: Int)]) -> [Group] {
        let composers = composerKeys(works)
        var groups: [String: [(work: MusicalWork, performances: Int)]] = [:]
        for entry in works {
            guard let composer = composers[entry.work.composer], let key = key(of: entry.work.title) else {
                continue
            }
            groups[composer + "|" + key, default: []].append(entry)
        }
        return groups.values.filter { $0.count > 1 }
            .map { $0.sorted { ($1.performances, $0.work.id) < ($0.performances, $1.work.id) } }
            .sorted { one, other in
                let counts = (
                    one.reduce(0) { $0 + $1.performances }, other.reduce(0) { $0 + $1.performances }
                )
                return counts.0 != counts.1 ? counts.0 > counts.1 : one[0].work.id < other[0].work.id
            }
            .map { Group(works: $0.map(\.work)) }
    }

    /// For each spelling of a composer, the spelling that stands for the person: of those that may be the same person
    /// the one played most. A spelling that may be several persons (`Bach`) goes to the one played most.
    public static func composerKeys(_ works: [(work: MusicalWork, performances: Int)]) -> [String: String] {
        var counts: [String: Int] = [:]
        for (work, performances) in works { counts[work.composer, default: 0] += performances + 1 }
        var families: [String: [(text: String, name: ComposerName, count: Int)]] = [:]
        for (text, count) in counts where !text.isEmpty {
            let name = ComposerName(text)
            families[name.family, default: []].append((text, name, count))
        }
        var keys: [String: String] = [:]
        for family in families.values {
            // Full names before short ones, so that an initial never joins two people.
            let sorted = family.sorted {
                let lengths = ($0.name.given.joined().utf8.count, $1.name.given.joined().utf8.count)
                return lengths.0 != lengths.1 ? lengths.0 > lengths.1 : $0.text < $1.text
            }
            var people:
                [(names: [ComposerName], texts: [String], count: Int, best: (text: String, count: Int))] = []
            for entry in sorted {
                let fitting = people.indices.filter { index in
                    people[index].names.allSatisfy { $0.mayBe(entry.name) }
                }
                if let index = fitting.max(by: { people[$0].count < people[$1].count }) {
                    people[index].names.append(entry.name)
                    people[index].texts.append(entry.text)
                    people[index].count += entry.count
                    if entry.count > people[index].best.count {
                        people[index].best = (entry.text, entry.count)
                    }
                } else {
                    people.append(([entry.name], [entry.text], entry.count, (entry.text, entry.count)))
                }
            }
            for person in people { for text in person.texts { keys[text] = person.best.text } }
        }
        return keys
    }

    private static let catalogues: Set<String> = [
        "op", "opus", "k", "kv", "bwv", "d", "rv", "hob", "h", "s", "wwv", "b", "j", "wq", "twv", "sz", "woo",
        "trv", "hwv",
    ]
    private static let smallWords: Set<String> = [
        "in", "the", "for", "and", "of", "a", "to", "no", "from", "le", "la", "der",
    ]

    /// Words that tell a part or a version of a work from the whole.
    private static let kinds: Set<String> = [
        "arr", "arrangement", "unspecified", "excerpts", "suite", "overture", "ending", "version", "piano",
        "voice",
        "vocal", "orch", "orchestra", "hands",
    ]

    /// A key that is equal for two titles of one composer if they may mean the same work; nil for a title without
    /// words.
    static func key(of title: String) -> String? {
        let words = FoldedName.words(title, splittingAtApostrophes: false)
        let kind = words.filter { kinds.contains($0) }
            .sorted().joined(separator: " ")
        if let number = catalogueNumber(words) { return number + "/" + kind }
        let rest = Set(words).subtracting(smallWords)
        return rest.isEmpty ? nil : rest.sorted().joined(separator: " ")
    }

    /// The number in a catalogue: `op 18 no 1`, `k 550`.
    static func catalogueNumber(_ words: [String]) -> String? {
        func isNumber(_ index: Int) -> Bool {
            words.indices.contains(index) && words[index].utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
        guard let index = words.indices.first(where: { catalogues.contains(words[$0]) && isNumber($0 + 1) })
        else {
            return nil
        }
        let name = words[index] == "opus" ? "op" : words[index] == "kv" ? "k" : words[index]
        var number = "\(name) \(words[index + 1])"
        // “K.385P”, “OP. 64TER”; but “OP. 54, A MINOR” names a key.
        let after = words.indices.contains(index + 2) ? words[index + 2] : ""
        let keyMark = words.indices.contains(index + 3) ? words[index + 3] : ""
        let isSuffix = after.utf8.count == 1 || after == "bis" || after == "ter"
        if isSuffix, !["major", "minor", "flat", "sharp", "dur", "moll"].contains(keyMark) {
            number += after
        }
        if after == "no", isNumber(index + 3) { number += " no \(words[index + 3])" }
        return number
    }
}
