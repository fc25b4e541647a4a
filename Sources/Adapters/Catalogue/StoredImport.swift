/// A file that was accepted as a score or as a part of one, but is not engraved yet.
public struct StoredImport: Equatable, Sendable {
    /// The import's id, a UUID in lower case.
    public var id: String
    /// The id of the score that the file becomes, or to which it adds a part.
    public var score: String
    /// The name of the part; nil if the file is a whole score.
    public var part: String?
    /// The title and other details given for the score, in JSON.
    public var detailsJSON: String
    /// The digest of the file in the asset store.
    public var digest: String
    /// The number of attempts so far; more than a few mean that the import crashes the server.
    public var tries: Int

    public init(
        id: String, score: String, part: String? = nil, detailsJSON: String = "{}", digest: String,
        tries: Int = 0
    ) {
        self.id = id
        self.score = score
        self.part = part
        self.detailsJSON = detailsJSON
        self.digest = digest
        self.tries = tries
    }
}
