import Score

/// The sections of a piece as an editor writes them, so possibly unordered and without an end.
public struct EditedPieceStructure: Hashable, Sendable, Codable {
    public var sections: [ContentSection]
    /// The end of the last section (the page `END`); nil if an editor has left it out.
    public var end: MeasureAnchor?

    public init(sections: [ContentSection] = [], end: MeasureAnchor? = nil) {
        self.sections = sections
        self.end = end
    }

    public var isEmpty: Bool { sections.isEmpty && end == nil }

    /// Finds the first played measure after the last section. If the `END` is later than its measure's onset, that
    /// measure still belongs to the section.
    public func endMeasureIndex(in measures: [PlayedMeasure]) -> Int? {
        guard let end, let played = end.played, measures.indices.contains(played) else { return nil }
        return end.time.seconds > measures[played].onset.seconds ? played + 1 : played
    }

    /// Finds the section to which a played measure belongs.
    /// - Returns: index of the section; nil before the first section and after the end.
    /// - Complexity: O(sections).
    public func sectionIndex(at played: Int, in measures: [PlayedMeasure]) -> Int? {
        if let end = endMeasureIndex(in: measures), played >= end { return nil }
        return sections.lastIndex { $0.place.played.map { $0 <= played } ?? false }
    }
}

/// One section of a piece, from its own measure up to the measure of the next section.
public struct ContentSection: Hashable, Sendable, Codable {
    public var label: String
    /// The label in other languages. They are stored in the ``PieceSupplement``, since the fixed XML cannot hold them.
    public var translations: [Translation]
    public var colour: SectionColour
    /// The key signature. It is stored in the ``PieceSupplement``, since the fixed XML cannot hold it.
    public var key: KeySignature?
    public var place: MeasureAnchor

    public init(
        label: String, translations: [Translation] = [], colour: SectionColour, key: KeySignature? = nil,
        place: MeasureAnchor
    ) {
        self.label = CleanText.cleanedLine(label)
        self.translations = translations
        self.colour = colour
        self.key = key
        self.place = place
    }

    /// The section's text in the content's files: `label,colour name` or `label,R,G,B`.
    public var fileText: String { "\(label),\(colour.fileText)" }

    /// Reads the form of ``fileText``. Labels may contain commas: the colour is the field after the last comma or, if
    /// these are numbers, the last three fields. A text without a comma is a label without a colour.
    public init(pageText: String, place: MeasureAnchor) {
        let fields = pageText.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = fields.suffix(3).compactMap { UInt8(CleanText.cleanedLine(String($0))) }
        if fields.count >= 4, numbers.count == 3 {
            self.init(
                label: fields.dropLast(3).joined(separator: ","),
                colour: .rgb(red: numbers[0], green: numbers[1], blue: numbers[2]), place: place)
        } else if fields.count >= 2 {
            self.init(
                label: fields.dropLast().joined(separator: ","),
                colour: .webColourName(CleanText.cleanedLine(String(fields[fields.count - 1]))), place: place)
        } else {
            self.init(label: pageText, colour: .webColourName(""), place: place)
        }
    }
}

extension SectionColour {
    /// The colour as written in the content's files: `orange` or `255,127,50`.
    public var fileText: String {
        switch self {
        case .webColourName(let name): CleanText.cleanedLine(name)
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
            self = .webColourName(text)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(fileText)
    }
}
