/// An entry of the diary: what an ensemble played, on one or several evenings.
public struct ConcertProgramme: Hashable, Sendable {
    /// The entry's id, which never changes: for an imported one the source's.
    public var id: String
    /// The source's number of the programme; nil if there is none.
    public var number: String?
    /// The id of the ``Ensemble``.
    public var ensemble: String
    /// The season, such as `1893-94`; nil if unknown.
    public var season: String?
    /// A title of the evening; nil for none.
    public var title: String?
    public var visibility: Visibility
    /// The account that the entry belongs to; nil for the house.
    public var owner: String?
    public var concerts: [DiaryConcert]
    /// The works and intervals in their order.
    public var items: [ProgrammeItem]
    public var provenance: Provenance
    /// The names of the operators, from the show log.
    public var servedBy: [String]
    public var note: String

    /// The state of an entry, which decides who may see it.
    public enum Visibility: String, Hashable, Sendable, Codable, CaseIterable {
        /// The server wrote it by itself; a person has not confirmed it yet.
        case proposed
        case published
        /// Only its owner sees it.
        case `private`
    }

    public init(
        id: String, number: String? = nil, ensemble: String, season: String? = nil, title: String? = nil,
        visibility: Visibility = .published, owner: String? = nil, concerts: [DiaryConcert],
        items: [ProgrammeItem] = [], provenance: Provenance, servedBy: [String] = [], note: String = ""
    ) {
        self.id = id
        self.number = number
        self.ensemble = ensemble
        self.season = season
        self.title = title
        self.visibility = visibility
        self.owner = owner
        self.concerts = concerts
        self.items = items
        self.provenance = provenance
        self.servedBy = servedBy
        self.note = note
    }
}

/// An entry is encoded without the fields that are empty.
extension ConcertProgramme: Codable {
    private enum CodingKeys: CodingKey {
        case id, number, ensemble, season, title, visibility, owner, concerts, items, provenance, servedBy,
            note
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try fields.decode(String.self, forKey: .id),
            number: try fields.decodeIfPresent(String.self, forKey: .number),
            ensemble: try fields.decode(String.self, forKey: .ensemble),
            season: try fields.decodeIfPresent(String.self, forKey: .season),
            title: try fields.decodeIfPresent(String.self, forKey: .title),
            visibility: try fields.decodeIfPresent(Visibility.self, forKey: .visibility) ?? .published,
            owner: try fields.decodeIfPresent(String.self, forKey: .owner),
            concerts: try fields.decode([DiaryConcert].self, forKey: .concerts),
            items: try fields.decodeIfPresent([ProgrammeItem].self, forKey: .items) ?? [],
            provenance: try fields.decode(Provenance.self, forKey: .provenance),
            servedBy: try fields.decodeIfPresent([String].self, forKey: .servedBy) ?? [],
            note: try fields.decodeIfPresent(String.self, forKey: .note) ?? "")
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(id, forKey: .id)
        try fields.encodeIfPresent(number, forKey: .number)
        try fields.encode(ensemble, forKey: .ensemble)
        try fields.encodeIfPresent(season, forKey: .season)
        try fields.encodeIfPresent(title, forKey: .title)
        if visibility != .published { try fields.encode(visibility, forKey: .visibility) }
        try fields.encodeIfPresent(owner, forKey: .owner)
        try fields.encode(concerts, forKey: .concerts)
        if !items.isEmpty { try fields.encode(items, forKey: .items) }
        try fields.encode(provenance, forKey: .provenance)
        if !servedBy.isEmpty { try fields.encode(servedBy, forKey: .servedBy) }
        if !note.isEmpty { try fields.encode(note, forKey: .note) }
    }
}
