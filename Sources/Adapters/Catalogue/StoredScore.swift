/// A score as stored in the catalogue.
public struct StoredScore: Equatable, Sendable {
    /// The score's id, a UUID in lower case.
    public var id: String
    /// The score's content for music stands, in JSON.
    public var contentJSON: String
    /// The files from which each part's pages were made, in JSON.
    public var sourcesJSON: String
    /// The score's revision: 1 at first, and one more with each change.
    public var revision: Int
    /// The folder of recordings with which the score was shipped; nil if a user added the score.
    public var shippedFolder: String?

    public init(
        id: String, contentJSON: String, sourcesJSON: String, revision: Int = 1, shippedFolder: String? = nil
    ) {
        self.id = id
        self.contentJSON = contentJSON
        self.sourcesJSON = sourcesJSON
        self.revision = revision
        self.shippedFolder = shippedFolder
    }
}

/// The right of an account to use a score.
public struct StoredScoreGrant: Equatable, Sendable {
    public var id: String
    public var accountID: AccountID
    public var accountName: String
    public var scoreID: String
}
