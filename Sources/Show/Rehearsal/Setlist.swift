/// A user's own list of scores: the pieces of an evening in order, or a collection.
public struct Setlist: Hashable, Sendable, Identifiable {
    public typealias ID = ObjectID<Setlist>

    public static let mostScores = RoomLimits.mostProgrammeEntries
    /// The most setlists of one user.
    public static let mostPerUser = 200

    public let id: ID
    public let name: String
    /// The scores in order; one may be in it twice. They need not exist or be given to the user any more.
    public let scores: [Score.ID]

    /// Creates a setlist.
    /// - Throws: ``RehearsalFault`` for a name that is empty or too long, or for too many scores.
    public init(id: ID, name: String, scores: [Score.ID]) throws(RehearsalFault) {
        self.id = id
        self.name = try RoomLimits.validatedName(name, of: .setlist)
        try Part.checkCount(scores.count, of: "scores", most: Self.mostScores)
        self.scores = scores
    }
}

extension Setlist: Codable {
    private enum CodingKeys: CodingKey { case id, name, scores }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            id: fields.decode(ID.self, forKey: .id), name: fields.decode(String.self, forKey: .name),
            scores: fields.decode([Score.ID].self, forKey: .scores))
    }
}
