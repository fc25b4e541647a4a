/// Finds glossary words in texts.
///
/// It finds whole words only, and ignores letter case, accents and kinds of white space. If two glossary words begin at
/// the same position, the longer one wins. Links do not overlap.
public struct GlossaryLinker: Sendable {
    /// The glossary's words without case and accents, grouped by their first character, the longest first.
    private var entriesByFirstScalar: [Unicode.Scalar: [(scalars: [Unicode.Scalar], item: Int)]] = [:]

    /// Prepares a glossary for searching.
    /// - Parameter language: the language of the texts to search; nil if unknown. Words of other languages are left
    ///   out, and a word in this language replaces an equal word without a language.
    public init(_ glossary: Glossary, language: Language? = nil) {
        func isMeant(_ entry: GlossaryItem) -> Bool {
            guard let language, let own = entry.language else { return true }
            return own.primarySubtag == language.primarySubtag
        }
        let order = glossary.items.enumerated().filter { isMeant($0.element) }
        for (item, entry) in order.filter({ $0.element.language != nil })
            + order.filter({ $0.element.language == nil })
        {
            let folded = CaseAndAccentFoldedText(CleanText.cleanedLine(entry.name)).foldedScalars
            guard let first = folded.first else { continue }
            entriesByFirstScalar[first, default: []].append((folded, item))
        }
        for first in entriesByFirstScalar.keys {
            // Of equal words, the first one added wins.
            entriesByFirstScalar[first] = entriesByFirstScalar[first]?.enumerated()
                .sorted { ($1.element.scalars.count, $0.offset) < ($0.element.scalars.count, $1.offset) }
                .map(\.element)
        }
    }

    /// Finds all occurrences in a text, from left to right, without overlaps.
    /// - Complexity: O(length × names with the same first letter).
    public func links(in text: String) -> [GlossaryLink] {
        let folded = CaseAndAccentFoldedText(text)
        var links: [GlossaryLink] = []
        var index = 0
        while index < folded.foldedScalars.count {
            if let (length, item) = longestMatch(in: folded, at: index) {
                links.append(
                    GlossaryLink(
                        item: item,
                        utf16: folded.originalOffsets[index]..<folded.originalOffsets[index + length]))
                index += length
            } else {
                index += 1
            }
        }
        return links
    }

    private func longestMatch(in text: CaseAndAccentFoldedText, at start: Int) -> (length: Int, item: Int)? {
        let startsWord = text.isWordCharacter(at: start)
        if startsWord, text.isWordCharacter(at: start - 1) { return nil }
        for (name, item) in entriesByFirstScalar[text.foldedScalars[start]] ?? [] {
            guard start + name.count <= text.foldedScalars.count else { continue }
            guard text.foldedScalars[start..<start + name.count].elementsEqual(name) else { continue }
            if text.isWordCharacter(at: start + name.count - 1), text.isWordCharacter(at: start + name.count)
            {
                continue
            }
            return (name.count, item)
        }
        return nil
    }
}

/// An occurrence of a glossary word in a text.
public struct GlossaryLink: Hashable, Sendable, Codable {
    /// Index of the word in ``Glossary/items``.
    public var item: Int
    /// The range of the word in the text, in UTF-16 units, as JavaScript counts.
    public var utf16: Range<Int>

    public init(item: Int, utf16: Range<Int>) {
        self.item = item
        self.utf16 = utf16
    }

    /// The linked words of the text; nil if the range does not lie in it.
    public func linkedWords(in text: String) -> Substring? {
        guard utf16.lowerBound >= 0, utf16.upperBound <= text.utf16.count else { return nil }
        let start = text.utf16.index(text.startIndex, offsetBy: utf16.lowerBound)
        return text[start..<text.utf16.index(text.startIndex, offsetBy: utf16.upperBound)]
    }
}
