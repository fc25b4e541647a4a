/// A score as stored in the catalogue.
public struct StoredScore: Equatable, Sendable {
    /// The score's id, a UUID in lower case.
    public var id: String
    /// The content for music stands, in JSON.
    public var content: String
    /// The sources of each part's pages, in JSON.
    public var sources: String
    /// Increases with every change, from 1.
    public var revision: Int
    /// The folder of recordings that the score was shipped with; nil if somebody added the score.
    public var origin: String?

    public init(id: String, content: String, sources: String, revision: Int = 1, origin: String? = nil) {
        self.id = id
        self.content = content
        self.sources = sources
        self.revision = revision
        self.origin = origin
    }
}

/// An account's right to a score.
public struct StoredScoreGrant: Equatable, Sendable {
    public var id: String
    public var account: AccountID
    public var accountName: String
    public var score: String
}
