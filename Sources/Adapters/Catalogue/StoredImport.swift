/// A file that was taken for a score and is still to be engraved.
public struct StoredImport: Equatable, Sendable {
    /// A UUID in small letters.
    public var id: String
    /// The score it becomes, or gets a further part by it.
    public var score: String
    /// Name of the part; nil where the file is a whole score.
    public var part: String?
    /// What was said of the score, in JSON.
    public var heading: String
    /// Of the file on the shelf.
    public var digest: String
    /// How often it was begun; more than a few times means that the server dies of it.
    public var tries: Int

    public init(
        id: String, score: String, part: String? = nil, heading: String = "{}", digest: String, tries: Int = 0
    ) {
        self.id = id
        self.score = score
        self.part = part
        self.heading = heading
        self.digest = digest
        self.tries = tries
    }
}
