/// A composer's name as several sources write it: `Mozart, Wolfgang Amadeus`, `W. A. Mozart`, `Mozart`.
public struct ComposerName: Hashable, Sendable {
    /// The folded family name, with particles: `van beethoven` is `beethoven`.
    public let family: String
    /// The folded given names or initials, in order.
    public let given: [String]

    private static let particles: Set<String> = [
        "van", "von", "de", "der", "den", "di", "da", "du", "la", "le", "del",
    ]
    private static let titles: Set<String> = ["sir", "dr", "jr", "sr"]

    public init(_ text: String) {
        let parts = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        // The text in brackets is another spelling: “Chavez [Chávez], Carlos”.
        func words(_ text: Substring) -> [String] {
            var depth = 0
            let plain = text.filter { character in
                if character == "[" || character == "(" { depth += 1 }
                defer { if character == "]" || character == ")" { depth -= 1 } }
                return depth <= 0
            }
            return FoldedName.words(String(plain), splittingAtApostrophes: false)
        }
        if parts.count == 2 {
            family = words(parts[0]).filter { !Self.particles.contains($0) }.joined(separator: " ")
            given = words(parts[1]).filter { !Self.particles.contains($0) && !Self.titles.contains($0) }
        } else {
            let all = words(parts.first ?? "").filter {
                !Self.particles.contains($0) && !Self.titles.contains($0)
            }
            family = all.last ?? ""
            given = Array(all.dropLast())
        }
    }

    /// True if both may be one person: the same family name, and no given name that contradicts. An initial stands for
    /// every name that begins with it, and a missing name contradicts none.
    public func mayBe(_ other: ComposerName) -> Bool {
        guard family == other.family, !family.isEmpty else { return false }
        // “J C Bach” and “Johann Sebastian Bach” differ in the second name.
        return zip(given, other.given).allSatisfy { one, other in
            one.hasPrefix(other) && other.utf8.count <= 2 || other.hasPrefix(one) && one.utf8.count <= 2
                || one == other
                || Self.isSpelling(one, other)
        }
    }

    /// True for spellings of one name: they share their first four letters, as `Amadeus` and `Amade` do.
    private static func isSpelling(_ one: String, _ other: String) -> Bool {
        one.utf8.count >= 4 && other.utf8.count >= 4 && one.prefix(4) == other.prefix(4)
    }
}
