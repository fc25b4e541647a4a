/// One record of the diary, as it is exported and imported.
public enum DiaryRecord: Hashable, Sendable {
    case ensemble(Ensemble)
    case work(MusicalWork)
    case country(Country)
    case city(City)
    case venue(Venue)
    case event(DiaryEvent)
    case programme(ConcertProgramme)

    /// The kinds in the order of a file: what others refer to comes first. The raw value is the key in the JSON file.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case ensembles
        case works
        case countries
        case cities
        case venues
        case events
        case programmes
    }
}

/// The number of entries and concerts that an import wrote or found.
public struct ImportCounts: Hashable, Sendable, Codable {
    public var added = 0
    public var changed = 0
    public var unchanged = 0
    /// Entries that people had corrected; the import left them as they are.
    public var kept = 0
    /// Concerts of all entries that were read.
    public var concerts = 0

    public init() {}

    public var programmes: Int { added + changed + unchanged + kept }
}
