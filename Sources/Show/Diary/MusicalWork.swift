/// A work: the one identity that models, slides, scores, parts and diary share.
public struct MusicalWork: Hashable, Sendable, Codable {
    /// The id: of an imported work the source's (`nyphil-52446`), otherwise made from composer and title.
    public var id: String
    /// Family name first.
    public var composer: String
    public var title: String
    /// The number in a catalogue, such as `OP.67` or `BWV 1068`; nil if the title has none.
    public var catalogueNumber: String?
    public var movements: [String]
    /// The house's own material for the work.
    public var links: Links
    /// The work's id in MusicBrainz; nil as long as nobody knows it.
    public var mbid: String?
    /// The id of the work that this one turned out to be; nil for a work of its own. The record stays, so that the
    /// merging can be undone.
    public var mergedInto: String?

    /// The ids of the house's material for a work.
    public struct Links: Hashable, Sendable, Codable {
        /// Folder names under `Models/`.
        public var models: [String]
        /// Ids of pieces in the content that listeners see.
        public var slides: [String]
        /// Ids of scores in the library; their parts belong to them.
        public var scores: [String]
        /// Ids of tabs for practising.
        public var tabs: [String]

        public init(
            models: [String] = [], slides: [String] = [], scores: [String] = [], tabs: [String] = []
        ) {
            self.models = models
            self.slides = slides
            self.scores = scores
            self.tabs = tabs
        }

        public init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            models = try fields.decodeIfPresent([String].self, forKey: .models) ?? []
            slides = try fields.decodeIfPresent([String].self, forKey: .slides) ?? []
            scores = try fields.decodeIfPresent([String].self, forKey: .scores) ?? []
            tabs = try fields.decodeIfPresent([String].self, forKey: .tabs) ?? []
        }

        public func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: CodingKeys.self)
            try fields.encode(models, forKey: .models)
            try fields.encode(slides, forKey: .slides)
            try fields.encode(scores, forKey: .scores)
            // Files of earlier versions have none, and are exported as they were imported.
            if !tabs.isEmpty { try fields.encode(tabs, forKey: .tabs) }
        }

        private enum CodingKeys: CodingKey { case models, slides, scores, tabs }

        public var isEmpty: Bool { models.isEmpty && slides.isEmpty && scores.isEmpty && tabs.isEmpty }

        /// The list of a kind.
        public subscript(kind: Kind) -> [String] {
            get { self[keyPath: Self.path(kind)] }
            set { self[keyPath: Self.path(kind)] = newValue }
        }

        /// The kinds of things that the house has of a work.
        public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
            case model
            case slides
            case score
            case tab
        }

        private static func path(_ kind: Kind) -> WritableKeyPath<Links, [String]> {
            switch kind {
            case .model: \.models
            case .slides: \.slides
            case .score: \.scores
            case .tab: \.tabs
            }
        }
    }

    public init(
        id: String, composer: String, title: String, catalogueNumber: String? = nil, movements: [String] = [],
        links: Links = Links(), mbid: String? = nil, mergedInto: String? = nil
    ) {
        self.id = id
        self.composer = composer
        self.title = title
        self.catalogueNumber = catalogueNumber
        self.movements = movements
        self.links = links
        self.mbid = mbid
        self.mergedInto = mergedInto
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try fields.decode(String.self, forKey: .id),
            composer: try fields.decodeIfPresent(String.self, forKey: .composer) ?? "",
            title: try fields.decodeIfPresent(String.self, forKey: .title) ?? "",
            catalogueNumber: try fields.decodeIfPresent(String.self, forKey: .catalogueNumber),
            movements: try fields.decodeIfPresent([String].self, forKey: .movements) ?? [],
            links: try fields.decodeIfPresent(Links.self, forKey: .links) ?? Links(),
            mbid: try fields.decodeIfPresent(String.self, forKey: .mbid),
            mergedInto: try fields.decodeIfPresent(String.self, forKey: .mergedInto))
    }

    private enum CodingKeys: CodingKey {
        case id, composer, title, catalogueNumber, movements, links, mbid, mergedInto
    }

    /// Makes the id of a work that no source has numbered.
    public static func makeID(composer: String, title: String) -> String {
        DiaryID.make("work", composer, title)
    }
}
