/// One evening, matinee or gig: a programme at a time and place. The source's *TourDate*.
public struct DiaryConcert: Hashable, Sendable {
    /// The concert's id, which never changes: calendars and links know it.
    public var id: String
    public var date: CalendarDate
    /// Nil if nobody wrote down when it began.
    public var time: TimeOfDay?
    /// Nil for the day on which it began.
    public var endDate: CalendarDate?
    public var endTime: TimeOfDay?
    /// The time zone of the place, such as `America/New_York`; nil if unknown.
    public var timeZone: String?
    /// The kind of concert, such as `Subscription Season` or `Tour`.
    public var type: String?
    public var venue: String?
    public var stage: String?
    /// The place as the source writes it, such as `Manhattan, NY`.
    public var location: String?
    public var city: String?
    /// ISO 3166-1 alpha-2.
    public var countryCode: String?
    public var isSupportAct: Bool
    /// The id of the ``DiaryEvent`` that it belongs to.
    public var event: String?
    public var recordings: [RecordingLink]

    public init(
        id: String, date: CalendarDate, time: TimeOfDay? = nil, endDate: CalendarDate? = nil,
        endTime: TimeOfDay? = nil, timeZone: String? = nil, type: String? = nil, venue: String? = nil,
        stage: String? = nil, location: String? = nil, city: String? = nil, countryCode: String? = nil,
        isSupportAct: Bool = false, event: String? = nil, recordings: [RecordingLink] = []
    ) {
        self.id = id
        self.date = date
        self.time = time
        self.endDate = endDate
        self.endTime = endTime
        self.timeZone = timeZone
        self.type = type
        self.venue = venue
        self.stage = stage
        self.location = location
        self.city = city
        self.countryCode = countryCode
        self.isSupportAct = isSupportAct
        self.event = event
        self.recordings = recordings
    }
}

/// A concert is encoded without the fields that are unknown.
extension DiaryConcert: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, date, time, endDate, endTime, timeZone, type, venue, stage, location, city, countryCode,
            event, recordings
        case isSupportAct = "supportAct"
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.decode(String.self, forKey: .id)
        date = try fields.decode(CalendarDate.self, forKey: .date)
        time = try fields.decodeIfPresent(TimeOfDay.self, forKey: .time)
        endDate = try fields.decodeIfPresent(CalendarDate.self, forKey: .endDate)
        endTime = try fields.decodeIfPresent(TimeOfDay.self, forKey: .endTime)
        timeZone = try fields.decodeIfPresent(String.self, forKey: .timeZone)
        type = try fields.decodeIfPresent(String.self, forKey: .type)
        venue = try fields.decodeIfPresent(String.self, forKey: .venue)
        stage = try fields.decodeIfPresent(String.self, forKey: .stage)
        location = try fields.decodeIfPresent(String.self, forKey: .location)
        city = try fields.decodeIfPresent(String.self, forKey: .city)
        countryCode = try fields.decodeIfPresent(String.self, forKey: .countryCode)
        isSupportAct = try fields.decodeIfPresent(Bool.self, forKey: .isSupportAct) ?? false
        event = try fields.decodeIfPresent(String.self, forKey: .event)
        recordings = try fields.decodeIfPresent([RecordingLink].self, forKey: .recordings) ?? []
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(id, forKey: .id)
        try fields.encode(date, forKey: .date)
        try fields.encodeIfPresent(time, forKey: .time)
        try fields.encodeIfPresent(endDate, forKey: .endDate)
        try fields.encodeIfPresent(endTime, forKey: .endTime)
        try fields.encodeIfPresent(timeZone, forKey: .timeZone)
        try fields.encodeIfPresent(type, forKey: .type)
        try fields.encodeIfPresent(venue, forKey: .venue)
        try fields.encodeIfPresent(stage, forKey: .stage)
        try fields.encodeIfPresent(location, forKey: .location)
        try fields.encodeIfPresent(city, forKey: .city)
        try fields.encodeIfPresent(countryCode, forKey: .countryCode)
        if isSupportAct { try fields.encode(true, forKey: .isSupportAct) }
        try fields.encodeIfPresent(event, forKey: .event)
        if !recordings.isEmpty { try fields.encode(recordings, forKey: .recordings) }
    }
}
