/// Decides which contents and events are sent to which stands.
extension RoomState {
    /// Returns the contents of the room for a member's stand.
    /// - Throws: ``RoomRefusal`` if the member may not see the room.
    /// - Complexity: O(content).
    public func snapshot(for member: ActingUser) throws(RoomRefusal) -> RoomSnapshot {
        try checkVisibility(member)
        return RoomSnapshot(
            content: content.visible, seen: newestEventCursor)
    }

    /// True if an event may be sent to this member's stands.
    /// - Complexity: O(1).
    public func maySee(_ event: SequencedEvent, by member: ActingUser) -> Bool {
        guard !event.isPrivate else { return false }
        do throws(RoomRefusal) { try checkVisibility(member) } catch { return false }
        return true
    }

    /// Returns the data that a disconnected stand has missed: the events since then, or all contents if those events
    /// are no longer kept.
    /// - Parameter seen: the newest events that the stand has; nil if it has no contents.
    /// - Throws: ``RoomRefusal`` if the member may not see the room.
    /// - Complexity: O(result) if the events are enough, otherwise O(content).
    public func catchUp(from seen: EventCursor?, for member: ActingUser) throws(RoomRefusal) -> CatchUpAnswer
    {
        try checkVisibility(member)
        // A stand that has private events has them from an older version.
        guard let seen, seen.privateSequence == 0, let missed = shared.events(after: seen.sharedSequence)
        else {
            var whole = try snapshot(for: member)
            // The stand's number comes from another server, or from this one before it lost data.
            if let seen {
                whole.isReset = seen.privateSequence > 0 || shared.wasNeverIssued(seen.sharedSequence)
            }
            return .snapshot(whole)
        }
        return .events(Array(missed))
    }

    /// The numbers of the newest events.
    public var newestEventCursor: EventCursor { EventCursor(sharedSequence: shared.last) }

    /// Remembers which page a stand shows, and of which part, so that the stand returns there after a crash. Nobody
    /// is notified.
    ///
    /// Reporting the same page again keeps the earlier time, because a stand that reconnects repeats its page.
    /// - Returns: the time since which the page has been shown; nil if it is unknown, or if the page does not exist.
    @discardableResult
    public mutating func recordShownPage(_ new: ShownPage) -> CalendarTime? {
        guard (try? checkPageExists(page: new.page, ofPart: new.part, of: new.score)) != nil else {
            return nil
        }
        return keepShownPage(new)
    }

    /// Remembers a shown page that was stored. How many pages a score of the programme has may be known only later.
    public mutating func restoreShownPage(_ stored: ShownPage) {
        if stored.score == nil { recordShownPage(stored) } else { keepShownPage(stored) }
    }

    @discardableResult
    private mutating func keepShownPage(_ new: ShownPage) -> CalendarTime? {
        var spot = new
        spot.score = named(new.score)
        if let old = shownPagesByUser[spot.key], old.part == new.part, old.page == new.page, let at = old.at {
            spot.at = at
        }
        shownPagesByUser.append(spot)
        shownPagesByUser.update(spot.key) { $0 = spot }
        return spot.at
    }

    /// Returns the place at which a user's stand continues after a crash without any input. The place is in the
    /// running session in which the user takes part.
    /// - Returns: nil if the user does not take part in a session.
    public func resumePoint(of user: User.ID) -> StandResumePoint? {
        guard let session = content.session, session.isRunning,
            let participation = content.participation(of: user)
        else { return nil }
        let open = content.programme.openScore
        let spot = shownPage(of: user, in: open)
        // The parts that the user plays in this score: as entered with it, or else as shown on the user's stands.
        let part = participation.score == named(open) ? participation.part : spot?.part
        let page = spot?.part == part ? spot?.page : nil
        return StandResumePoint(
            room: content.room.id, session: session.id, score: open, part: part, page: page ?? 0,
            since: participation.entered, at: page == nil ? nil : spot?.at)
    }

    /// The part and page of a score that a user's stand showed last; nil if it showed none.
    public func shownPage(of user: User.ID, in score: Score.ID) -> ShownPage? {
        shownPagesByUser[ShownPage.Key(user: user, score: named(score))]
    }
}

/// A room's contents for one member's stand, with the newest event numbers that they include.
public struct RoomSnapshot: Hashable, Sendable, Codable {
    public var content: RoomContent
    public var seen: EventCursor
    /// True if the stand had newer data than the server. The stand must then replace its data by the server's older
    /// data.
    public var isReset = false

    public init(content: RoomContent, seen: EventCursor, isReset: Bool = false) {
        self.content = content
        self.seen = seen
        self.isReset = isReset
    }
}

/// The answer to a stand that was disconnected.
public enum CatchUpAnswer: Hashable, Sendable {
    case events([SequencedEvent])
    case snapshot(RoomSnapshot)
}

/// The page that a user's stand shows.
public struct ShownPage: Hashable, Sendable, Codable, Identifiable, KeyedElement {
    public struct Key: Hashable, Sendable {
        public var user: User.ID
        public var score: Score.ID?
    }

    /// The user of the stand.
    public let id: User.ID
    /// The score; nil for the one with which the room was made.
    public var score: Score.ID?
    public var part: Int
    public var page: Int
    /// The time at which the page was first shown; nil if unknown.
    public var at: CalendarTime?

    public var key: Key { Key(user: id, score: score) }

    public init(user: User.ID, score: Score.ID? = nil, part: Int, page: Int, at: CalendarTime? = nil) {
        id = user
        self.score = score
        self.part = part
        self.page = page
        self.at = at
    }
}

/// The place at which a stand opens after a restart, without any input of its user.
public struct StandResumePoint: Hashable, Sendable, Codable {
    public var room: RehearsalRoom.ID
    public var session: RehearsalSession.ID
    /// The score that is open in the room.
    public var score: Score.ID
    /// Nil if it is not known what the user plays in this score.
    public var part: Int?
    public var page: Int
    /// The time at which the user entered the session.
    public var since: CalendarTime
    /// The time at which the page was first shown; nil if unknown. A stand that remembers another page can tell by it
    /// which page is newer.
    public var at: CalendarTime?

    /// Returns the user's place in the session that the user entered last, over all rooms.
    public static func latest(of user: User.ID, in rooms: some Sequence<RoomState>) -> StandResumePoint? {
        rooms.compactMap { $0.resumePoint(of: user) }.max { $0.since < $1.since }
    }
}
