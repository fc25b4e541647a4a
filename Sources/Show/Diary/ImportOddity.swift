/// Something odd in an imported file. Nothing is dropped silently: what was changed, or left out, is listed.
public struct ImportOddity: Hashable, Sendable, Codable {
    /// The kind of an oddity.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        case noneAsText = "none-as-text"
        case blankText = "blank-text"
        case objectInsteadOfText = "object-instead-of-text"
        case notText = "not-text"
        case doubledSpaces = "doubled-spaces"
        case strayComma = "stray-comma"
        case programmeNumberTwice = "programme-number-twice"
        case entryTwice = "entry-twice"
        case withoutWorks = "without-works"
        case withoutConcerts = "without-concerts"
        case severalConductors = "several-conductors"
        case conductorTwice = "conductor-twice"
        case blankConductor = "blank-conductor"
        case intervalAmongWorks = "interval-among-works"
        case lineWithoutWork = "line-without-work"
        case withoutComposer = "without-composer"
        case withoutTitle = "without-title"
        case soloistWithoutName = "soloist-without-name"
        case emptySoloist = "empty-soloist"
        case sameConcertTwice = "same-concert-twice"
        case dateAsMidnight = "date-as-midnight"
        case dateNotMidnight = "date-not-midnight"
        case unreadableDate = "unreadable-date"
        case unreadableTime = "unreadable-time"
        case workWithSeveralTitles = "work-with-several-titles"
        case titleWithSeveralNumbers = "title-with-several-numbers"
        case unknownField = "unknown-field"
        case notAnEntry = "not-an-entry"

        /// A sentence that says what the oddity means and what the import did.
        public var sentence: String {
            switch self {
            case .noneAsText: "The word “None” stands for an unknown value; the field is left empty."
            case .blankText: "A field holds only spaces or nothing; it is left empty."
            case .objectInsteadOfText:
                "A text is an object with parts; the parts are joined, those in italics into the gaps."
            case .notText: "A field is no text; it is left empty."
            case .doubledSpaces: "A text has doubled spaces; they became single ones."
            case .strayComma: "A composer's name ends with a comma; it was removed."
            case .programmeNumberTwice: "Two entries have one programme number; the GUID tells them apart."
            case .entryTwice: "The same GUID stands in the files again; the last one counts."
            case .withoutWorks: "A programme has no works; its concerts were imported."
            case .withoutConcerts: "A programme has no concert that can be dated; it was left out."
            case .severalConductors: "One field names several conductors; each was noted."
            case .conductorTwice: "A conductor stands twice in one field; once is kept."
            case .blankConductor: "A list of conductors has an empty place; it was removed."
            case .intervalAmongWorks: "An interval stands among the works; it is an item of its own kind."
            case .lineWithoutWork: "A line is neither work nor interval; it is kept as an unknown item."
            case .withoutComposer: "A work has no composer."
            case .withoutTitle: "A work has no title."
            case .soloistWithoutName: "A soloist has no name; instrument and role are kept."
            case .emptySoloist: "A soloist is empty (null); it was left out."
            case .sameConcertTwice: "A programme has two concerts at the same time and place; both are kept."
            case .dateAsMidnight:
                "The date is New York's midnight in UTC; its first ten characters are the date."
            case .dateNotMidnight:
                "The date is not New York's midnight in UTC; its first ten characters count."
            case .unreadableDate: "A concert has no date that can be read; it was left out."
            case .unreadableTime: "A time cannot be read; it is left empty."
            case .workWithSeveralTitles: "One work number has several titles or composers; it is one work."
            case .titleWithSeveralNumbers:
                "One title has several work numbers; baton diary duplicates lists them."
            case .unknownField: "A field is unknown to this program; it was left out."
            case .notAnEntry: "An element of the list is no programme; it was left out."
            }
        }
    }

    public var kind: Kind
    /// The file, the entry and the field.
    public var place: String
    /// The text in that field.
    public var value: String

    public init(_ kind: Kind, at place: String, value: String = "") {
        self.kind = kind
        self.place = place
        self.value = value
    }
}
