/// A question to the diary: which concerts.
///
/// Names are found as people type them: case, accents, apostrophes, doubled spaces and the order of the words do not
/// matter. A value that is the whole name of something finds only that (`Carnegie Hall`, not its recital hall too);
/// otherwise every name with all its words.
///
/// The conditions on composer, work, conductor and soloist hold for the same item of the programme. If one of them is
/// given several times, there must be an item for each.
public struct DiaryQuery: Hashable, Sendable {
    public var conductors: [String] = []
    public var soloists: [String] = []
    public var composers: [String] = []
    /// Words of a title, a catalogue number (`op. 67`), or a work's id.
    public var works: [String] = []
    /// One of these venues.
    public var venues: [String] = []
    /// One of these kinds of concert.
    public var types: [String] = []
    /// The first day; nil for all.
    public var start: CalendarDate?
    /// The last day, itself included; nil for all.
    public var end: CalendarDate?
    /// Ids of ensembles; empty for all.
    public var ensembles: [String] = []
    /// Words of the venue, the city, the location as printed, or a country code; nil for everywhere.
    public var location: String?
    /// ISO 3166-1 alpha-2; nil for everywhere.
    public var countryCode: String?
    /// A text of several kinds of words, such as “Bernstein Mahler 2 1963”; see ``SearchWords``.
    public var words: String?
    public var event: String?
    public var visibilities: Set<ConcertProgramme.Visibility> = [.published]
    /// Entries of this account are found too, whatever their visibility.
    public var owner: String?

    public init() {}
}

/// A part of the concerts that a question finds, in the order of time.
public struct DiaryPage: Hashable, Sendable {
    /// The number of all concerts found, on this page or not.
    public var total: Int
    /// The number of programmes that they belong to.
    public var programmes: Int
    /// The day of the first and of the last of them; nil if there is none.
    public var first: CalendarDate?
    public var last: CalendarDate?
    public var concerts: [FoundConcert]

    public init(
        total: Int = 0, programmes: Int = 0, first: CalendarDate? = nil, last: CalendarDate? = nil,
        concerts: [FoundConcert] = []
    ) {
        self.total = total
        self.programmes = programmes
        self.first = first
        self.last = last
        self.concerts = concerts
    }
}

/// A concert with what a list shows of its programme.
public struct FoundConcert: Hashable, Sendable {
    public var concert: DiaryConcert
    /// The id of the ``ConcertProgramme``.
    public var programme: String
    public var ensemble: String
    public var ensembleName: String
    public var season: String?
    public var visibility: ConcertProgramme.Visibility

    public init(
        concert: DiaryConcert, programme: String, ensemble: String, ensembleName: String, season: String?,
        visibility: ConcertProgramme.Visibility
    ) {
        self.concert = concert
        self.programme = programme
        self.ensemble = ensemble
        self.ensembleName = ensembleName
        self.season = season
        self.visibility = visibility
    }
}
