/// An ensemble: an orchestra, a band, a choir. The source's *Band*.
public struct Ensemble: Hashable, Sendable, Codable {
    /// The diary's own id: 1…100 letters, digits and dashes. It never changes, also when an MBID is joined to it.
    public var id: String
    /// The MusicBrainz id; nil as long as nobody knows it.
    public var mbid: String?
    public var name: String
    public var genre: String
    /// The address of a picture; empty if there is none.
    public var imageURL: String
    /// A short biography, by language code.
    public var biography: [String: String]
    /// The source of the data, for the reader: a name or an address.
    public var source: String

    public init(
        id: String, mbid: String? = nil, name: String, genre: String = "", imageURL: String = "",
        biography: [String: String] = [:], source: String = ""
    ) {
        self.id = id
        self.mbid = mbid
        self.name = name
        self.genre = genre
        self.imageURL = imageURL
        self.biography = biography
        self.source = source
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try fields.decode(String.self, forKey: .id),
            mbid: try fields.decodeIfPresent(String.self, forKey: .mbid),
            name: try fields.decode(String.self, forKey: .name),
            genre: try fields.decodeIfPresent(String.self, forKey: .genre) ?? "",
            imageURL: try fields.decodeIfPresent(String.self, forKey: .imageURL) ?? "",
            biography: try fields.decodeIfPresent([String: String].self, forKey: .biography) ?? [:],
            source: try fields.decodeIfPresent(String.self, forKey: .source) ?? "")
    }

    private enum CodingKeys: CodingKey { case id, mbid, name, genre, imageURL, biography, source }
}
