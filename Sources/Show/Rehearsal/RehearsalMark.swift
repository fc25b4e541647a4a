/// A rehearsal mark: the letter, number or word from which players are asked to begin, and its printed measure.
public struct RehearsalMark: Hashable, Sendable {
    /// The most characters of a label; printed ones have one to three.
    public static let longestLabel = 32
    /// The most marks of a movement.
    public static let mostOfMovement = 1_000

    public let label: String
    /// The printed number of the measure at whose beginning the mark stands.
    public let measure: Int

    /// Creates a rehearsal mark.
    /// - Throws: ``RehearsalFault`` for a label that is empty, too long or of several lines, and for an impossible
    ///   measure.
    public init(label: String, measure: Int) throws(RehearsalFault) {
        self.label = try RoomLimits.validatedName(label, of: .rehearsalMark)
        guard self.label.unicodeScalars.count <= Self.longestLabel else {
            throw .markTooLong(self.label, scalars: self.label.unicodeScalars.count)
        }
        guard RoomLimits.measureNumberRange.contains(measure) else {
            throw .markOutside(self.label, measure: measure)
        }
        self.measure = measure
    }

    /// The marks in the order of their measures, each once.
    /// - Throws: ``RehearsalFault`` if there are too many.
    static func sorted(_ marks: [RehearsalMark]) throws(RehearsalFault) -> [RehearsalMark] {
        try Part.checkCount(marks.count, of: "rehearsal marks", most: mostOfMovement)
        var seen: Set<RehearsalMark> = []
        return marks.enumerated().filter { seen.insert($0.element).inserted }
            .sorted { ($0.element.measure, $0.offset) < ($1.element.measure, $1.offset) }.map(\.element)
    }
}

extension RehearsalMark: Codable {
    private enum CodingKeys: CodingKey { case label, measure }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            label: fields.decode(String.self, forKey: .label),
            measure: fields.decode(Int.self, forKey: .measure))
    }
}
