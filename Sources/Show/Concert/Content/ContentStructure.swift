import Score

/// The sections of a piece as an editor writes them: possibly unordered and without an end.
public struct ContentStructure: Hashable, Sendable, Codable {
    public var sections: [ContentSection]
    /// Where the last section ends (the page `END`); nil if an editor has left it out.
    public var end: MeasureAnchor?

    public init(sections: [ContentSection] = [], end: MeasureAnchor? = nil) {
        self.sections = sections
        self.end = end
    }

    public var isEmpty: Bool { sections.isEmpty && end == nil }

    /// The first played measure after the last section. If the `END` is later than its measure's onset, that measure
    /// still belongs to the section.
    public func end(in measures: [MeasureMark]) -> Int? {
        guard let end, let played = end.played, measures.indices.contains(played) else { return nil }
        return end.time.seconds > measures[played].onset.seconds ? played + 1 : played
    }

    /// Index of the section to which a played measure belongs; nil before the first section and after the end.
    /// - Complexity: O(sections).
    public func section(at played: Int, in measures: [MeasureMark]) -> Int? {
        if let end = end(in: measures), played >= end { return nil }
        return sections.lastIndex { $0.place.played.map { $0 <= played } ?? false }
    }
}

/// One section: from its measure up to that of the next section.
public struct ContentSection: Hashable, Sendable, Codable {
    public var label: String
    /// The label in other languages. The fixed XML cannot hold them: see ``PieceSupplement``.
    public var translations: [Translation]
    public var colour: SectionColour
    /// The key signature, which the fixed XML cannot hold: see ``PieceSupplement``.
    public var key: KeySignature?
    public var place: MeasureAnchor

    public init(
        label: String, translations: [Translation] = [], colour: SectionColour, key: KeySignature? = nil,
        place: MeasureAnchor
    ) {
        self.label = CleanText.line(label)
        self.translations = translations
        self.colour = colour
        self.key = key
        self.place = place
    }

    /// The text in the content's files: `label,colour name` or `label,R,G,B`.
    public var pageText: String { "\(label),\(colour.content)" }

    /// Reads ``pageText``. Labels may contain commas: the colour is the field after the last comma or, if these are
    /// numbers, the last three fields. A text without a comma is a label without a colour.
    public init(pageText: String, place: MeasureAnchor) {
        let fields = pageText.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = fields.suffix(3).compactMap { UInt8(CleanText.line(String($0))) }
        if fields.count >= 4, numbers.count == 3 {
            self.init(
                label: fields.dropLast(3).joined(separator: ","),
                colour: .rgb(red: numbers[0], green: numbers[1], blue: numbers[2]), place: place)
        } else if fields.count >= 2 {
            self.init(
                label: fields.dropLast().joined(separator: ","),
                colour: .name(CleanText.line(String(fields[fields.count - 1]))), place: place)
        } else {
            self.init(label: pageText, colour: .name(""), place: place)
        }
    }
}

extension SectionColour {
    /// The colour as the content's files write it: `orange` or `255,127,50`.
    public var content: String {
        switch self {
        case .name(let name): CleanText.line(name)
        case .rgb(let red, let green, let blue): "\(red),\(green),\(blue)"
        }
    }
}

extension SectionColour: Codable {
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        let numbers = text.split(separator: ",").map { UInt8($0) }
        if numbers.count == 3, let red = numbers[0], let green = numbers[1], let blue = numbers[2] {
            self = .rgb(red: red, green: green, blue: blue)
        } else {
            self = .name(text)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(content)
    }
}
