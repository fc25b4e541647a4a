/// A title: the text that a screen shows while a passage is sung or spoken.
public struct Title: Hashable, Sendable {
    /// The longest fade, in seconds.
    public static let longestFade = 20.0
    /// The longest lead and the longest time to a title that follows by itself, in seconds.
    public static let longestWait = 60.0

    /// The text in each language, in the order of the list's languages. A title without any text is an empty title: the
    /// screen shows nothing.
    public var texts: [TitleText]
    /// The measure at which the title is shown by itself, as a person wrote it: `57`, `57/2`, `C` or `p:60`. Nil for a
    /// title that a person shows, or that follows the title before by itself.
    public var place: String?
    /// The same measure as an index into the played measures, from 0; nil if there is no place, or if it has not been
    /// looked up in a piece yet.
    public var played: Int?
    /// Seconds by which the title is shown before its measure; 0 for a title that is never early.
    public var lead: Double
    /// Seconds in which the title appears.
    public var fadeIn: Double
    /// Seconds in which the title disappears.
    public var fadeOut: Double
    /// Seconds after which the next title follows by itself; nil if it does not.
    public var doubleCut: Double?
    /// The edge of the screen at which the title stands; nil for the screen's own choice.
    public var position: TitlePosition?
    /// A note for the title operator, which no screen shows.
    public var note: String
    /// The number that people know the title by, such as `12a`, `12.5` or `101`; empty if it is its place in the list.
    public var label: String

    /// The most letters of a ``label``.
    public static let mostLabelLetters = 12

    public init(
        texts: [TitleText], place: String? = nil, played: Int? = nil, lead: Double = 0, fadeIn: Double = 0,
        fadeOut: Double = 0, doubleCut: Double? = nil, position: TitlePosition? = nil, note: String = "",
        label: String = ""
    ) {
        self.texts = texts
        self.place = place
        self.played = played
        self.lead = lead
        self.fadeIn = fadeIn
        self.fadeOut = fadeOut
        self.doubleCut = doubleCut
        self.position = position
        self.note = note
        self.label = label
    }

    /// True if the title shows nothing.
    public var isEmpty: Bool { texts.allSatisfy(\.text.isEmpty) }

    /// The title's first text without markup, for lists and sentences; empty for an empty title.
    public var firstText: String { TitleMarkup.plain(texts.first { !$0.text.isEmpty }?.text ?? "") }
}

extension TitleText {
    /// A language tag in the usual case, as in `de`, `pt-BR` and `zh-Hant`: tags mean the same in any case.
    public static func usualTag(_ tag: String) -> String {
        tag.split(separator: "-", omittingEmptySubsequences: false).enumerated().map { index, part in
            switch (index, part.utf8.count) {
            case (1..., 2): part.uppercased()
            case (1..., 4): part.prefix(1).uppercased() + part.dropFirst().lowercased()
            default: part.lowercased()
            }
        }.joined(separator: "-")
    }
}

/// The text of a title in one language.
public struct TitleText: Hashable, Sendable, Codable {
    /// The language as a tag such as `de` or `pt-BR`; empty if the list does not name it.
    public var language: String
    /// The text with its markup (``TitleMarkup``); its lines are separated by line feeds.
    public var text: String

    public init(language: String = "", text: String) {
        self.language = language
        self.text = text
    }
}

/// The edge of the screen at which a title stands.
public enum TitlePosition: String, Hashable, Sendable, Codable, CaseIterable {
    case bottom
    case top
}

/// A title is encoded without the fields that have their usual value, because the show's log stores whole lists.
extension Title: Codable {
    private enum CodingKeys: CodingKey {
        case texts, place, played, lead, fadeIn, fadeOut, doubleCut, position, note, label
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            texts: try fields.decode([TitleText].self, forKey: .texts),
            place: try fields.decodeIfPresent(String.self, forKey: .place),
            played: try fields.decodeIfPresent(Int.self, forKey: .played),
            lead: try fields.decodeIfPresent(Double.self, forKey: .lead) ?? 0,
            fadeIn: try fields.decodeIfPresent(Double.self, forKey: .fadeIn) ?? 0,
            fadeOut: try fields.decodeIfPresent(Double.self, forKey: .fadeOut) ?? 0,
            doubleCut: try fields.decodeIfPresent(Double.self, forKey: .doubleCut),
            position: try fields.decodeIfPresent(TitlePosition.self, forKey: .position),
            note: try fields.decodeIfPresent(String.self, forKey: .note) ?? "",
            label: try fields.decodeIfPresent(String.self, forKey: .label) ?? "")
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(texts, forKey: .texts)
        try fields.encodeIfPresent(place, forKey: .place)
        try fields.encodeIfPresent(played, forKey: .played)
        if lead != 0 { try fields.encode(lead, forKey: .lead) }
        if fadeIn != 0 { try fields.encode(fadeIn, forKey: .fadeIn) }
        if fadeOut != 0 { try fields.encode(fadeOut, forKey: .fadeOut) }
        try fields.encodeIfPresent(doubleCut, forKey: .doubleCut)
        try fields.encodeIfPresent(position, forKey: .position)
        if !note.isEmpty { try fields.encode(note, forKey: .note) }
        if !label.isEmpty { try fields.encode(label, forKey: .label) }
    }
}
