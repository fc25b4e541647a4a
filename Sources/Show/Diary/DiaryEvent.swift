/// A festival or another event of several ensembles.
public struct DiaryEvent: Hashable, Sendable, Codable {
    public var id: String
    public var description: String
    public var startDate: CalendarDate
    public var endDate: CalendarDate
    public var venue: String?
    public var city: String?
    public var countryCode: String
    /// Who plays: day (`2026-07-04`), then stage, then the ensembles in their order.
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
}
