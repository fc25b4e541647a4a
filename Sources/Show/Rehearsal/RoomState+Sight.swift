/// What leaves the server, and for whom.
extension RoomState {
    /// The room as a stand of this member holds it.
    /// - Throws: ``RoomRefusal`` where the member may not see it.
    /// - Complexity: O(content).
    public func view(for member: Member) throws(RoomRefusal) -> RoomSnapshot {
        try checkSight(member)
        return RoomSnapshot(content: content.visible(to: member.user), seen: newest(for: member))
    }

    /// True where an event may go to this member's stands.
    /// - Complexity: O(1).
    public func maySee(_ event: SequencedEvent, by member: Member) -> Bool {
        guard !event.isOwn || event.by == member.user else { return false }
        do throws(RoomRefusal) { try checkSight(member) } catch { return false }
        return true
    }

    /// What a stand has missed: the events since, or the whole where they are no longer kept.
    /// - Parameter seen: nil for a stand that holds nothing.
    /// - Throws: ``RoomRefusal`` where the member may not see the room.
    /// - Complexity: O(result) where events are enough, or else O(content).
    public func resume(from seen: Seen?, for member: Member) throws(RoomRefusal) -> Resumption {
        try checkSight(member)
        let history = own[member.user]?.history ?? History()
        guard let seen, let forAll = shared.events(after: seen.shared),
            let mine = history.events(after: seen.own)
        else {
            var whole = try view(for: member)
            // Seen from a server that has since lost what it had, or from another one.
            if let seen { whole.isReset = shared.isStranger(seen.shared) || history.isStranger(seen.own) }
            return .whole(whole)
        }
        return .events((forAll + mine).sorted { $0.sequence < $1.sequence })
    }

    /// How far a stand of this member can have got.
    public func newest(for member: Member) -> Seen {
        Seen(shared: shared.last, own: own[member.user]?.history.last ?? 0)
    }

    /// Keeps which page of which part a stand shows, for its return after a crash. Nobody else is told.
    ///
    /// The same page once more keeps its time: a stand that comes back says again what lies there.
    /// - Returns: since when it lies there; nil where that is unknown, and for a page that is not there.
    @discardableResult
    public mutating func note(_ new: StandSpot) -> RoomTime? {
        guard (try? check(page: new.page, ofPart: new.part)) != nil else { return nil }
        var spot = new
        if let old = spots[new.id], old.part == new.part, old.page == new.page, let at = old.at {
            spot.at = at
        }
        spots.append(spot)
        spots.update(spot.id) { $0 = spot }
        return spot.at
    }

    /// Where a user goes on after a crash, with nothing to press: in the running session they take part in.
    /// - Returns: nil where they take part in none.
    public func whereabouts(of user: User.ID) -> Whereabouts? {
        guard let session = content.session, session.isRunning,
            let participation = content.participation(of: user)
        else { return nil }
        let spot = spots[user]
        let page = spot?.part == participation.part ? spot?.page : nil
        return Whereabouts(
            room: content.room.id, session: session.id, part: participation.part, page: page ?? 0,
            since: participation.entered, at: page == nil ? nil : spot?.at)
    }
}

/// A room as one member's stand holds it, and how far that is.
public struct RoomSnapshot: Hashable, Sendable, Codable {
    public var content: RoomContent
    public var seen: Seen
    /// The stand had seen more than the server knows: it takes this though it is older than what it holds.
    public var isReset = false

    public init(content: RoomContent, seen: Seen, isReset: Bool = false) {
        self.content = content
        self.seen = seen
        self.isReset = isReset
    }
}

/// What a stand that was away is sent.
public enum Resumption: Hashable, Sendable {
    case events([SequencedEvent])
    case whole(RoomSnapshot)
}

/// Which page of which part a user's stand shows.
public struct StandSpot: Hashable, Sendable, Codable, Identifiable, Listed {
    /// Whose stand.
    public let id: User.ID
    public var part: Int
    public var page: Int
    /// When the page came to lie there; nil where nobody wrote that down.
    public var at: RoomTime?

    public init(user: User.ID, part: Int, page: Int, at: RoomTime? = nil) {
        id = user
        self.part = part
        self.page = page
        self.at = at
    }
}

/// Where a stand opens again by itself.
public struct Whereabouts: Hashable, Sendable, Codable {
    public var room: Room.ID
    public var session: Session.ID
    public var part: Int
    public var page: Int
    /// When the user entered the session.
    public var since: RoomTime
    /// When its page came to lie there, so that a stand that knows another page can tell which is newer; nil where
    /// that is unknown.
    public var at: RoomTime?

    /// The one entered last, of all rooms.
    public static func latest(of user: User.ID, in rooms: some Sequence<RoomState>) -> Whereabouts? {
        rooms.compactMap { $0.whereabouts(of: user) }.max { $0.since < $1.since }
    }
}
