/// A score as stored in the catalogue.
public struct StoredScore: Equatable, Sendable {
    /// The score's id, a UUID in lower case.
    public var id: String
    /// The score's content for music stands, in JSON.
    public var content: String
    /// The files from which each part's pages were made, in JSON.
    public var sources: String
    /// The score's revision: 1 at first, and one more with each change.
    public var revision: Int
    /// The folder of recordings that the score was shipped with; nil if a user added the score.
    public var origin: String?

    public init(id: String, content: String, sources: String, revision: Int = 1, origin: String? = nil) {
        self.id = id
        self.content = content
        self.sources = sources
        self.revision = revision
        self.origin = origin
    }
}

/// The right of an account to use a score.
public struct StoredScoreGrant: Equatable, Sendable {
    public var id: String
    public var account: AccountID
    public var accountName: String
    public var score: String
}
