/// A score as the catalogue keeps it.
public struct StoredScore: Equatable, Sendable {
    /// A UUID in small letters.
    public var id: String
    /// What stands are given, in JSON.
    public var content: String
    /// Where the pages of each part come from, in JSON.
    public var sources: String
    /// Rises with every change, from 1.
    public var revision: Int
    /// Folder of the recordings it came with; nil for one that somebody added.
    public var origin: String?

    public init(id: String, content: String, sources: String, revision: Int = 1, origin: String? = nil) {
        self.id = id
        self.content = content
        self.sources = sources
        self.revision = revision
        self.origin = origin
    }
}

/// Somebody's right to a score.
public struct StoredBundle: Equatable, Sendable {
    public var id: String
    public var account: AccountID
    public var accountName: String
    public var score: String
}
