/// The numbers of concerts by composer, work, person, hall and so on.
public struct DiaryStatistics: Hashable, Sendable, Codable {
    /// A name with the number of its concerts.
    public struct Line: Hashable, Sendable, Codable {
        public var name: String
        public var concerts: Int

        public init(name: String, concerts: Int) {
            self.name = name
            self.concerts = concerts
        }
    }

    public var programmes = 0
    public var concerts = 0
    public var works = 0
    /// Each list has the most frequent first; the decades stand in order.
    public var composers: [Line] = []
    public var conductors: [Line] = []
    public var soloists: [Line] = []
    /// `Composer: Title`.
    public var mostPlayed: [Line] = []
    public var venues: [Line] = []
    public var types: [Line] = []
    /// `1890s`.
    public var decades: [Line] = []

    public init() {}
}
