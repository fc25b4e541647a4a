import Basics

/// A database of music outside the house, such as MusicBrainz, setlist.fm or YouTube.
///
/// A source is asked only because a person pressed something. It keeps to the rate that its operator allows, and gives
/// up after some seconds. What it answers is checked and cut to bounds before anybody sees it.
public protocol OutsideSource: Sendable {
    /// The name as people read it, such as `MusicBrainz`.
    var name: String { get }
    /// The kinds of questions that it answers; all others throw ``OutsideSourceFault/notOffered(source:)``.
    var answers: Set<OutsideQuestionKind> { get }

    /// Returns the ensembles and artists whose names fit, best first.
    func ensembles(named name: String) async throws(OutsideSourceFault) -> [OutsideEnsemble]
    /// Returns an ensemble by its MusicBrainz id.
    func ensemble(_ mbid: String) async throws(OutsideSourceFault) -> OutsideEnsemble
    /// Returns the works whose titles fit, best first.
    /// - Parameter composer: a name; empty for any.
    func works(titled title: String, composer: String) async throws(OutsideSourceFault) -> [OutsideWork]
    /// Returns a work by its MusicBrainz id.
    func work(_ mbid: String) async throws(OutsideSourceFault) -> OutsideWork
    /// Returns what an ensemble played on a day.
    /// - Parameters:
    ///   - name: the ensemble's name.
    ///   - mbid: its MusicBrainz id, which finds it for certain; nil if unknown.
    func setlists(
        of name: String, mbid: String?, on date: CalendarDate
    ) async throws(OutsideSourceFault) -> [OutsideSetlist]
    /// Returns one evening by the source's id, as it is now.
    func setlist(_ id: String) async throws(OutsideSourceFault) -> OutsideSetlist
    /// Returns the videos that fit some words, best first.
    func videos(about words: String) async throws(OutsideSourceFault) -> [OutsideVideo]
}

/// The kind of a question to an outside source.
public enum OutsideQuestionKind: String, Hashable, Sendable, CaseIterable {
    case ensembles
    case works
    case setlists
    case videos
}

extension OutsideSource {
    public func ensembles(named name: String) async throws(OutsideSourceFault) -> [OutsideEnsemble] {
        throw .notOffered(source: self.name)
    }

    public func ensemble(_ mbid: String) async throws(OutsideSourceFault) -> OutsideEnsemble {
        throw .notOffered(source: name)
    }

    public func works(titled title: String, composer: String) async throws(OutsideSourceFault)
        -> [OutsideWork]
    {
        throw .notOffered(source: name)
    }

    public func work(_ mbid: String) async throws(OutsideSourceFault) -> OutsideWork {
        throw .notOffered(source: name)
    }

    public func setlists(
        of name: String, mbid: String?, on date: CalendarDate
    ) async throws(OutsideSourceFault) -> [OutsideSetlist] {
        throw .notOffered(source: self.name)
    }

    public func setlist(_ id: String) async throws(OutsideSourceFault) -> OutsideSetlist {
        throw .notOffered(source: name)
    }

    public func videos(about words: String) async throws(OutsideSourceFault) -> [OutsideVideo] {
        throw .notOffered(source: name)
    }
}

/// An ensemble or artist as a source knows it.
public struct OutsideEnsemble: Hashable, Sendable {
    public var mbid: String
    public var name: String
    /// Such as `Orchestra`; empty if the source does not say.
    public var kind: String
    public var area: String
    /// A short text that distinguishes it from others of the same name.
    public var remark: String
    public var genre: String
    /// The page of the source, for people.
    public var link: String

    public init(
        mbid: String, name: String, kind: String = "", area: String = "", remark: String = "",
        genre: String = "",
        link: String = ""
    ) {
        (self.mbid, self.name, self.kind, self.area) = (mbid, name, kind, area)
        (self.remark, self.genre, self.link) = (remark, genre, link)
    }
}

/// A work as a source knows it.
public struct OutsideWork: Hashable, Sendable {
    public var mbid: String
    public var title: String
    public var composer: String
    /// Such as `Symphony`; empty if the source does not say.
    public var kind: String
    public var remark: String
    public var link: String

    public init(
        mbid: String, title: String, composer: String = "", kind: String = "", remark: String = "",
        link: String = ""
    ) {
        (self.mbid, self.title, self.composer) = (mbid, title, composer)
        (self.kind, self.remark, self.link) = (kind, remark, link)
    }
}

/// The songs that an ensemble played on one evening, as a source knows them.
public struct OutsideSetlist: Hashable, Sendable {
    /// A song of a setlist.
    public struct Song: Hashable, Sendable {
        public var title: String
        /// The name of the song's composer or first artist if the song is not the ensemble's own; empty otherwise.
        public var composer: String
        public var isEncore: Bool

        public init(title: String, composer: String = "", isEncore: Bool = false) {
            (self.title, self.composer, self.isEncore) = (title, composer, isEncore)
        }
    }

    public var id: String
    /// Changes whenever somebody changes the evening at the source.
    public var version: String
    public var date: CalendarDate
    public var ensemble: String
    /// Nil if the source does not know it.
    public var ensembleMBID: String?
    public var tour: String
    public var venue: String
    public var city: String
    /// ISO 3166-1 alpha-2; empty if unknown.
    public var countryCode: String
    public var songs: [Song]
    public var link: String

    public init(
        id: String, version: String, date: CalendarDate, ensemble: String, ensembleMBID: String? = nil,
        tour: String = "", venue: String = "", city: String = "", countryCode: String = "",
        songs: [Song] = [],
        link: String = ""
    ) {
        (self.id, self.version, self.date) = (id, version, date)
        (self.ensemble, self.ensembleMBID, self.tour) = (ensemble, ensembleMBID, tour)
        (self.venue, self.city, self.countryCode) = (venue, city, countryCode)
        (self.songs, self.link) = (songs, link)
    }
}

/// A video as a source knows it.
public struct OutsideVideo: Hashable, Sendable {
    public var title: String
    /// The name of the channel that published it.
    public var channel: String
    /// The day on which it was published; nil if the source does not say.
    public var published: CalendarDate?
    /// The page of the source, for people.
    public var link: String

    public init(title: String, channel: String = "", published: CalendarDate? = nil, link: String) {
        (self.title, self.channel, self.published, self.link) = (title, channel, published, link)
    }
}

/// The reason for which a source gave no answer.
public enum OutsideSourceFault: Explained, Equatable {
    case notOffered(source: String)
    case notFound(source: String)
    /// - Parameter reason: a short phrase, such as `no connection`.
    case unreachable(source: String, reason: String)
    /// The source asks for a pause.
    case paused(source: String, seconds: Int)
    /// Too many people ask at this moment.
    case crowded(source: String)
    /// All questions that the source's operator allows in a day were asked.
    case dayIsFull(source: String)
    case keyRefused(source: String)
    case unreadable(source: String, reason: String)

    /// A sentence that says what went wrong and what to do.
    public var sentence: String {
        switch self {
        case .notOffered(let source): "\(source) does not answer this question."
        case .notFound(let source): "\(source) has nothing of this id any more; search again."
        case .unreachable(let source, let reason):
            "\(source) could not be asked (\(reason)). Try again later, or enter it by hand."
        case .paused(let source, let seconds):
            "\(source) asks to wait; try again in \(seconds) \(seconds == 1 ? "second" : "seconds")."
        case .crowded(let source): "Several people ask \(source) at this moment; try again in some seconds."
        case .dayIsFull(let source):
            "This server has asked \(source) as often as it may in a day; try again tomorrow."
        case .keyRefused(let source):
            "\(source) refused this server's key; the operator finds it in the settings of the server."
        case .unreadable(let source, let reason):
            "The answer of \(source) cannot be used (\(reason)). Enter it by hand."
        }
    }
}
