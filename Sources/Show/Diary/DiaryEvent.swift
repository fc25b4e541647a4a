/// A festival or another event of several ensembles.
public struct DiaryEvent: Hashable, Sendable, Codable {
    public var id: String
    public var description: String
    public var startDate: CalendarDate
    public var endDate: CalendarDate
    public var venue: String?
    public var city: String?
    public var countryCode: String
    /// The performances: by day (`2026-07-04`), then by stage, then by ensemble in their order.
    public var performances: [String: [String: [Slot]]]

    /// An ensemble on a stage.
    public struct Slot: Hashable, Sendable, Codable {
        /// The ensemble's id.
        public var ensemble: String
        /// ISO 8601, as given; nil if unknown.
        public var startTime: String?
        public var endTime: String?

        public init(ensemble: String, startTime: String? = nil, endTime: String? = nil) {
            self.ensemble = ensemble
            self.startTime = startTime
            self.endTime = endTime
        }
    }

    public init(
        id: String, description: String, startDate: CalendarDate, endDate: CalendarDate, venue: String? = nil,
        city: String? = nil, countryCode: String = "", performances: [String: [String: [Slot]]] = [:]
    ) {
        self.id = id
        self.description = description
        self.startDate = startDate
        self.endDate = endDate
        self.venue = venue
        self.city = city
        self.countryCode = countryCode
        self.performances = performances
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try fields.decode(String.self, forKey: .id),
            description: try fields.decodeIfPresent(String.self, forKey: .description) ?? "",
            startDate: try fields.decode(CalendarDate.self, forKey: .startDate),
            endDate: try fields.decode(CalendarDate.self, forKey: .endDate),
            venue: try fields.decodeIfPresent(String.self, forKey: .venue),
            city: try fields.decodeIfPresent(String.self, forKey: .city),
            countryCode: try fields.decodeIfPresent(String.self, forKey: .countryCode) ?? "",
            performances: try fields.decodeIfPresent([String: [String: [Slot]]].self, forKey: .performances)
                ?? [:])
    }

    private enum CodingKeys: CodingKey {
        case id, description, startDate, endDate, venue, city, countryCode, performances
    }
}
