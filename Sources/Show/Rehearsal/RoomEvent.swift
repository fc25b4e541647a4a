/// Something a stand wants to happen in a room; it bears an id of its own and is taken once.
///
/// One made without a network is delivered later with the id it got then.
public struct RoomEvent: Hashable, Sendable, Identifiable {
    public typealias ID = ObjectID<RoomEvent>

    public let id: ID
    public let act: RoomAct

    public init(id: ID, act: RoomAct) {
        self.id = id
        self.act = act
    }
}

/// An event that was taken, with its place in the room's one order.
public struct SequencedEvent: Hashable, Sendable {
    /// Counts through all events of the room from 1.
    public let sequence: Int
    /// The sequence of the event before it, for all or of this member's own layers: a stand that has not got
    /// that one knows that something is missing.
    public let after: Int
    public let id: RoomEvent.ID
    public let at: RoomTime
    /// Nil on stands where the message leaves it out to be small.
    public let by: User.ID?
    /// True where it concerns nobody but the stands of the user it is by.
    public let isOwn: Bool
    public let act: TakenAct

    public init(
        sequence: Int, after: Int, id: RoomEvent.ID, at: RoomTime, by: User.ID?, isOwn: Bool, act: TakenAct
    ) {
        self.sequence = sequence
        self.after = after
        self.id = id
        self.at = at
        self.by = by
        self.isOwn = isOwn
        self.act = act
    }
}

/// What a stand can ask for.
public enum RoomAct: Hashable, Sendable {
    /// Publish the room, or take it back to prepare it.
    case publish(Bool)
    case rename(String)
    /// Become a member: the room was found and its passkey known.
    case join(Membership.ID)
    /// Give a member a role; never that of the owner, see ``handOver(_:)``.
    case role(User.ID, MemberRole)
    /// Put a member out.
    case expel(User.ID)
    /// Let one who was put out come back.
    case readmit(User.ID)
    /// Make another member the owner; the owner becomes a leader.
    case handOver(User.ID)
    /// Begin a session, with its public layer.
    case begin(Session.ID, publicLayer: Layer.ID, performances: [Performance?])
    case endSession
    /// Take part in the session, with a part on the stand. Whoever is in already only changes the part.
    case enter(Participation.ID, part: Int)
    case leave
    /// Open a private layer in the session.
    case openLayer(Layer.ID)
    case turn(PageTurn)
    case pinpoint(Pinpoint)
    case endPinpoint
    case place(Remark)
    case edit(RemarkEdit)
    case erase(Remark.ID)
    /// Take back having erased it.
    case restore(Remark.ID)
}

/// What an act became when it was taken: everything a stand needs to do the same.
public enum TakenAct: Hashable, Sendable {
    case publish(Bool)
    case rename(String)
    case joined(Membership)
    case role(User.ID, MemberRole)
    case expel(User.ID)
    case readmit(User.ID)
    case handOver(User.ID)
    case begin(Session, publicLayer: Layer)
    case endSession
    case entered(Participation)
    case leave(User.ID)
    case openLayer(Layer)
    case turn(PageTurn)
    case pinpoint(Pinpoint)
    case endPinpoint
    case place(Remark)
    case edit(RemarkEdit)
    case erase(Remark.ID)
}

/// The page all stands turn to: by its part's number of pages. Another part turns to the page that holds the
/// first measure of it.
public struct PageTurn: Hashable, Sendable {
    /// Index into ``Score/parts``.
    public var part: Int
    /// Index into ``Part/pages``.
    public var page: Int

    public init(part: Int, page: Int) {
        self.part = part
        self.page = page
    }
}

/// Written as `[part, page]`: a page turn is the smallest message there is.
extension PageTurn: Codable {
    public init(from decoder: any Decoder) throws {
        var pair = try decoder.unkeyedContainer()
        self.init(part: try pair.decode(Int.self), page: try pair.decode(Int.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var pair = encoder.unkeyedContainer()
        try pair.encode(part)
        try pair.encode(page)
    }
}

extension PageTurn {
    /// The page another part turns to.
    /// - Returns: nil where neither part says which measures are on it.
    /// - Complexity: O(places).
    public func page(inPart other: Int, of score: Score) -> Int? {
        guard score.parts.indices.contains(part), score.parts.indices.contains(other) else { return nil }
        guard other != part else { return score.parts[part].pages.indices.contains(page) ? page : nil }
        guard let place = score.parts[part].firstPlace(fromPage: page) else { return nil }
        return score.parts[other].place(of: place.first, movement: place.movement)?.page
    }
}

/// Its id beside the act; how a stand keeps what it could not deliver yet.
extension RoomEvent: Codable {
    private enum CodingKeys: CodingKey { case id }

    public init(from decoder: any Decoder) throws {
        id = try decoder.container(keyedBy: CodingKeys.self).decode(ID.self, forKey: .id)
        act = try RoomAct(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(id, forKey: .id)
        try act.encode(to: encoder)
    }
}
