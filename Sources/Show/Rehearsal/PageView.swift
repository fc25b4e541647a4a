/// The pages that a stand shows: one sheet and, if the upper half is already turned, the next sheet in the upper
/// half.
///
/// A *sheet* is one page or, with facing pages, the left one of two.
public struct PageView: Hashable, Sendable, Codable {
    /// The sheet, as an index into ``Part/pages``. With facing pages it is the index of the left page, or -1 if the
    /// first page is on the right.
    public var page: Int
    /// The sheet that the upper half (or the left page) already shows while the player is in the lower half (or on the
    /// right page); nil if none.
    public var ahead: Int?
    /// The score whose page it is, as the server tells a stand in a room with several scores; nil otherwise.
    public var score: Score.ID?

    public init(page: Int, ahead: Int? = nil, score: Score.ID? = nil) {
        self.page = page
        self.ahead = ahead
        self.score = score
    }
}

/// The arrangement of pages on a stand.
public enum PageArrangement: String, Hashable, Sendable, Codable, CaseIterable {
    /// One page at a time.
    case single
    /// Two pages on a wide stand or on two paired ones; the first page is on the left.
    case pages
    /// Two pages; the first page is alone on the right, as in a book.
    case book

    /// Returns the sheet that contains a page: the page itself or, with facing pages, the left one of the two.
    public func sheet(of page: Int) -> Int {
        switch self {
        case .single: page
        case .pages: page - page % 2
        case .book: page - (page + 1) % 2
        }
    }

    var pagesPerSheet: Int { self == .single ? 1 : 2 }
}

/// A player's preferences for turning pages.
public struct StandSettings: Hashable, Sendable, Codable {
    public static let allowedLeadSeconds = 0.0...10.0

    /// Seconds before the end of a page at which it is turned, at a medium tempo.
    public var leadSeconds = 1.0
    /// If true, the lead time is multiplied by a factor from 0.7 in fast music to 1.3 in slow music.
    public var leadFollowsTempo = true
    /// The lead times of individual pages. They do not depend on the tempo.
    public var pageLeads: [PageLeadTime] = []
    /// If true, the upper half is turned while the player is in the lower one.
    public var halfTurns = false
    public var facing = PageArrangement.single
    /// The measured delay from the sound to the turned page, in seconds; it is added to the lead time.
    public var latencySeconds = 0.0
    /// If true, the follower turns this stand's pages.
    public var followsMusic = true

    public init() {}

    /// Returns the lead time with which a page is left.
    /// - Parameters:
    ///   - page: the page that is left; of two facing pages, the later one.
    ///   - measureSeconds: duration of a measure there.
    /// - Returns: seconds before the page's end, without the latency.
    public func computeLeadSeconds(from page: Int, measureSeconds: Double) -> Double {
        let own = pageLeads.last { $0.page == page }?.seconds
        let base = own ?? leadSeconds
        let lead =
            base.isFinite
            ? min(max(base, Self.allowedLeadSeconds.lowerBound), Self.allowedLeadSeconds.upperBound) : 1
        guard own == nil, leadFollowsTempo, measureSeconds.isFinite else { return lead }
        // A measure of two seconds is medium, one of at most one second fast, and one of at least three seconds
        // slow.
        return lead * min(max(0.4 + 0.3 * measureSeconds, 0.7), 1.3)
    }

    /// The same settings with only the newest lead time of each page, and none for pages that no part can have.
    public var withBoundedPageLeads: StandSettings {
        var bounded = self
        var newest: [Int: PageLeadTime] = [:]
        for lead in pageLeads where (0..<RoomLimits.mostPagesPerPart).contains(lead.page) {
            newest[lead.page] = lead
        }
        bounded.pageLeads = newest.values.sorted { $0.page < $1.page }
        return bounded
    }

    var clampedLatencySeconds: Double { latencySeconds.isFinite ? min(max(latencySeconds, 0), 5) : 0 }
}

/// The lead time that a player chose for one page.
public struct PageLeadTime: Hashable, Sendable, Codable {
    /// The page that is left, as an index into ``Part/pages``.
    public var page: Int
    /// Seconds before the end of the page at which it is turned.
    public var seconds: Double

    public init(page: Int, seconds: Double) {
        self.page = page
        self.seconds = seconds
    }
}
