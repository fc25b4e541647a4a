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
    /// What the house has of it.
    public var links: Links
    /// The id of the work that this one turned out to be; nil for a work of its own. The record stays, so that the
    /// merging can be undone.
    public var mergedInto: String?

    public struct Links: Hashable, Sendable, Codable {
        /// Folder names under `Models/`.
        public var models: [String]
        /// Ids of pieces in the content that listeners see.
        public var slides: [String]
        /// Ids of scores in the library; their parts belong to them.
        public var scores: [String]

        public init(models: [String] = [], slides: [String] = [], scores: [String] = []) {
            self.models = models
            self.slides = slides
            self.scores = scores
        }

        public init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            models = try fields.decodeIfPresent([String].self, forKey: .models) ?? []
            slides = try fields.decodeIfPresent([String].self, forKey: .slides) ?? []
            scores = try fields.decodeIfPresent([String].self, forKey: .scores) ?? []
        }

        private enum CodingKeys: CodingKey { case models, slides, scores }

        public var isEmpty: Bool { models.isEmpty && slides.isEmpty && scores.isEmpty }
    }

    public init(
        id: String, composer: String, title: String, catalogueNumber: String? = nil, movements: [String] = [],
        links: Links = Links(), mergedInto: String? = nil
    ) {
        self.id = id
        self.composer = composer
        self.title = title
        self.catalogueNumber = catalogueNumber
        self.movements = movements
        self.links = links
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
            mergedInto: try fields.decodeIfPresent(String.self, forKey: .mergedInto))
    }

    private enum CodingKeys: CodingKey {
        case id, composer, title, catalogueNumber, movements, links, mergedInto
    }

    /// Makes the id of a work that no source has numbered.
    public static func makeID(composer: String, title: String) -> String {
        DiaryID.make("work", composer, title)
    }
}
