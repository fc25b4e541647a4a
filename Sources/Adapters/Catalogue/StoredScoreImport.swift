/// A file that was accepted as a score or as a part of one, but is not engraved yet.
public struct StoredScoreImport: Equatable, Sendable {
    /// The import's id, a UUID in lower case.
    public var id: String
    /// The id of the score that the file becomes, or to which it adds a part.
    public var scoreID: String
    /// The name of the part; nil if the file is a whole score.
    public var partName: String?
    /// The title and other details given for the score, in JSON.
    public var detailsJSON: String
    /// The digest of the file in the asset store.
    public var assetDigest: String
    /// The number of attempts so far. If it is more than a few, the import crashes the server.
    public var attempts: Int

    public init(
        id: String, scoreID: String, partName: String? = nil, detailsJSON: String = "{}", assetDigest: String,
        attempts: Int = 0
    ) {
        self.id = id
        self.scoreID = scoreID
        self.partName = partName
        self.detailsJSON = detailsJSON
        self.assetDigest = assetDigest
        self.attempts = attempts
    }
}
