/// One line of a programme: a work or a part of one as it was played, or an interval.
public struct ProgrammeItem: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, Codable {
        case work
        case interval
        /// A line of the source that says neither; it is kept and reported.
        case unknown
    }

    public var kind: Kind
    /// The id of the ``MusicalWork``; nil for an interval.
    public var work: String?
    /// The source's id of the line, such as `2956*17`; nil if there is none.
    public var sourceID: String?
    /// The composer as the programme names it, family name first.
    public var composer: String
    /// The title as the programme has it; of an interval, its name.
    public var title: String
    /// The movements that were played, as named; empty for the whole work.
    public var movements: [String]
    public var conductors: [String]
    public var soloists: [Soloist]
    public var isEncore: Bool
    /// The follower's account of the item; nil if the follower did not follow it.
    public var heard: HeardPerformance?

    /// A person or a group that plays or sings beside the ensemble.
    public struct Soloist: Hashable, Sendable, Codable {
        public var name: String
        /// Nil if the source does not say.
        public var instrument: String?
        /// `soloist`, `assisting`, or what the source says; nil if it does not.
        public var role: String?

        public init(name: String, instrument: String? = nil, role: String? = nil) {
            self.name = name
            self.instrument = instrument
            self.role = role
        }
    }

    public init(
        kind: Kind = .work, work: String? = nil, sourceID: String? = nil, composer: String = "",
        title: String = "",
        movements: [String] = [], conductors: [String] = [], soloists: [Soloist] = [], isEncore: Bool = false,
        heard: HeardPerformance? = nil
    ) {
        self.kind = kind
        self.work = work
        self.sourceID = sourceID
        self.composer = composer
        self.title = title
        self.movements = movements
        self.conductors = conductors
        self.soloists = soloists
        self.isEncore = isEncore
        self.heard = heard
    }
}

/// An item is encoded without the fields that are empty.
extension ProgrammeItem: Codable {
    private enum CodingKeys: String, CodingKey {
        case kind, work, sourceID, composer, title, movements, conductors, soloists, heard
        case isEncore = "encore"
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            kind: try fields.decodeIfPresent(Kind.self, forKey: .kind) ?? .work,
            work: try fields.decodeIfPresent(String.self, forKey: .work),
            sourceID: try fields.decodeIfPresent(String.self, forKey: .sourceID),
            composer: try fields.decodeIfPresent(String.self, forKey: .composer) ?? "",
            title: try fields.decodeIfPresent(String.self, forKey: .title) ?? "",
            movements: try fields.decodeIfPresent([String].self, forKey: .movements) ?? [],
            conductors: try fields.decodeIfPresent([String].self, forKey: .conductors) ?? [],
            soloists: try fields.decodeIfPresent([Soloist].self, forKey: .soloists) ?? [],
            isEncore: try fields.decodeIfPresent(Bool.self, forKey: .isEncore) ?? false,
            heard: try fields.decodeIfPresent(HeardPerformance.self, forKey: .heard))
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        if kind != .work { try fields.encode(kind, forKey: .kind) }
        try fields.encodeIfPresent(work, forKey: .work)
        try fields.encodeIfPresent(sourceID, forKey: .sourceID)
        if !composer.isEmpty { try fields.encode(composer, forKey: .composer) }
        if !title.isEmpty { try fields.encode(title, forKey: .title) }
        if !movements.isEmpty { try fields.encode(movements, forKey: .movements) }
        if !conductors.isEmpty { try fields.encode(conductors, forKey: .conductors) }
        if !soloists.isEmpty { try fields.encode(soloists, forKey: .soloists) }
        if isEncore { try fields.encode(true, forKey: .isEncore) }
        try fields.encodeIfPresent(heard, forKey: .heard)
    }
}
