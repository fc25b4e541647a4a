/// A piece of music to play from: its authors, its movements, and its parts page by page.
public struct Score: Hashable, Sendable, Identifiable {
    public typealias ID = ObjectID<Score>

    public let id: ID
    public let title: String
    public let composer: String
    public let lyricist: String
    public let arranger: String
    /// The movements; at least one.
    public let movements: [Movement]
    /// The parts; at least one. A full score, if there is one, is the first. A part never changes its index.
    public let parts: [Part]

    /// Creates a score.
    /// - Throws: ``RehearsalFault`` for the first broken rule.
    public init(
        id: ID, title: String, composer: String = "", lyricist: String = "", arranger: String = "",
        movements: [Movement], parts: [Part]
    ) throws(RehearsalFault) {
        self.id = id
        self.title = try RoomLimits.validatedName(title, of: .title)
        self.composer = try RoomLimits.validatedLine(composer, of: .composer)
        self.lyricist = try RoomLimits.validatedLine(lyricist, of: .lyricist)
        self.arranger = try RoomLimits.validatedLine(arranger, of: .arranger)
        guard !movements.isEmpty else { throw .noneOf("movements") }
        try Part.checkCount(movements.count, of: "movements", most: RoomLimits.mostMovements)
        guard !parts.isEmpty else { throw .noneOf("parts") }
        try Part.checkCount(parts.count, of: "parts", most: RoomLimits.mostParts)
        for part in parts {
            for number in part.places.map(\.movement) + part.rests.map(\.movement) {
                guard movements.indices.contains(number) else {
                    throw .noSuchMovement(part: part.name, movement: number, movements: movements.count)
                }
            }
        }
        self.movements = movements
        self.parts = parts
    }

    /// One more than the highest page number of each part, empty pages that were inserted included.
    public var pageCountsByPart: [Int] { parts.map(\.pageNumberLimit) }
}

/// One movement of a score.
public struct Movement: Hashable, Sendable {
    public let name: String
    /// The folder of the reference model with which the movement is followed; nil if it is not followed.
    public let piece: String?
    /// The performance that sessions use unless they have their own; nil for the performance that the reference
    /// plays.
    public let performance: PerformedPassages?
    /// If true, the next movement follows without a break, so that the page turns to it as within a movement.
    public let isAttacca: Bool
    /// The rehearsal marks in the order of their measures.
    public let marks: [RehearsalMark]

    /// Creates a movement.
    /// - Throws: ``RehearsalFault`` if the name is too long or contains a line break, or for too many marks.
    public init(
        name: String, piece: String? = nil, performance: PerformedPassages? = nil, isAttacca: Bool = false,
        marks: [RehearsalMark] = []
    ) throws(RehearsalFault) {
        self.name = try RoomLimits.validatedLine(name, of: .movement)
        self.piece = piece
        self.performance = performance
        self.isAttacca = isAttacca
        self.marks = try RehearsalMark.sorted(marks)
    }
}

extension Movement: Codable {
    private enum CodingKeys: CodingKey { case name, piece, performance, isAttacca, marks }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            name: fields.decode(String.self, forKey: .name),
            piece: fields.decodeIfPresent(String.self, forKey: .piece),
            performance: fields.decodeIfPresent(PerformedPassages.self, forKey: .performance),
            isAttacca: fields.decodeIfPresent(Bool.self, forKey: .isAttacca) ?? false,
            marks: fields.decodeIfPresent([RehearsalMark].self, forKey: .marks) ?? [])
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(name, forKey: .name)
        try fields.encodeIfPresent(piece, forKey: .piece)
        try fields.encodeIfPresent(performance, forKey: .performance)
        try fields.encode(isAttacca, forKey: .isAttacca)
        // Left out if there are none: most scores had none when programs learned this format.
        if !marks.isEmpty { try fields.encode(marks, forKey: .marks) }
    }
}

extension Score: Codable {
    private enum CodingKeys: CodingKey { case id, title, composer, lyricist, arranger, movements, parts }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            id: fields.decode(ID.self, forKey: .id), title: fields.decode(String.self, forKey: .title),
            composer: fields.decodeIfPresent(String.self, forKey: .composer) ?? "",
            lyricist: fields.decodeIfPresent(String.self, forKey: .lyricist) ?? "",
            arranger: fields.decodeIfPresent(String.self, forKey: .arranger) ?? "",
            movements: fields.decode([Movement].self, forKey: .movements),
            parts: fields.decode([Part].self, forKey: .parts))
    }
}
