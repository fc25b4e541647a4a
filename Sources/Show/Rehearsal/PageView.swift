/// What a stand shows: a sheet, and where the upper half is ahead, the sheet it comes from.
///
/// A *sheet* is a page, or on facing pages the left one of two.
public struct PageView: Hashable, Sendable, Codable {
    /// Index into ``Part/pages``; of facing pages the left one, -1 where the first page lies on the right.
    public var page: Int
    /// Set while the player is in the lower half (or on the right page): the upper half (or the left page)
    /// shows this sheet's already.
    public var ahead: Int?

    public init(page: Int, ahead: Int? = nil) {
        self.page = page
        self.ahead = ahead
    }
}

/// How pages lie on a stand.
public enum Facing: String, Hashable, Sendable, Codable, CaseIterable {
    /// One page.
    case single
    /// Two pages, on a wide stand or on two paired ones, the first on the left.
    case pages
    /// Two pages, the first alone on the right as in a book.
    case book

    /// The sheet a page is on.
    public func sheet(of page: Int) -> Int {
        switch self {
        case .single: page
        case .pages: page - page % 2
        case .book: page - (page + 1) % 2
        }
    }

    var span: Int { self == .single ? 1 : 2 }
}

/// How one player wants pages turned.
public struct StandSettings: Hashable, Sendable, Codable {
    public static let leads = 0.0...10.0

    /// Seconds before the end of a page at which it is turned, at a middling tempo.
    public var leadSeconds = 1.0
    /// Fast music is read 0.7 times as far ahead in seconds, slow music 1.3 times.
    public var leadFollowsTempo = true
    /// Leads of single pages, whatever the tempo.
    public var pageLeads: [PageLead] = []
    /// The upper half is turned while the player is in the lower one.
    public var halfTurns = false
    public var facing = Facing.single
    /// Seconds from the sound to the turned page, as measured; added to the lead.
    public var latencySeconds = 0.0
    /// The follower turns this stand's pages.
    public var followsMusic = true

    public init() {}

    /// - Parameters:
    ///   - page: that is turned away from, the last of its sheet.
    ///   - measureSeconds: how long a measure lasts there.
    /// - Returns: seconds before the page's end, latency not included.
    public func lead(from page: Int, measureSeconds: Double) -> Double {
        let own = pageLeads.last { $0.page == page }?.seconds
        let base = own ?? leadSeconds
        let lead = base.isFinite ? min(max(base, Self.leads.lowerBound), Self.leads.upperBound) : 1
        guard own == nil, leadFollowsTempo, measureSeconds.isFinite else { return lead }
        // A measure of two seconds is middling; of one second or less, fast; of three or more, slow.
        return lead * min(max(0.4 + 0.3 * measureSeconds, 0.7), 1.3)
    }

    /// With one lead a page, the newest, and none of pages that no part has.
    public var bounded: StandSettings {
        var bounded = self
        var newest: [Int: PageLead] = [:]
        for lead in pageLeads where (0..<RoomLimits.mostPages).contains(lead.page) {
            newest[lead.page] = lead
        }
        bounded.pageLeads = newest.values.sorted { $0.page < $1.page }
        return bounded
    }

    var latency: Double { latencySeconds.isFinite ? min(max(latencySeconds, 0), 5) : 0 }
}

/// When a player wants one page turned.
public struct PageLead: Hashable, Sendable, Codable {
    /// Index into ``Part/pages``: the page that is turned away from.
    public var page: Int
    /// Before its end.
    public var seconds: Double

    public init(page: Int, seconds: Double) {
        self.page = page
        self.seconds = seconds
    }
}
