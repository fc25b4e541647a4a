/// A change that a stand requests in a room. Its id makes sure that it is applied only once.
///
/// An event that was made offline is delivered later with its original id.
public struct RoomEvent: Hashable, Sendable, Identifiable {
    public typealias ID = ObjectID<RoomEvent>

    public let id: ID
    public let act: RoomAct

    public init(id: ID, act: RoomAct) {
        self.id = id
        self.act = act
    }
}

/// An accepted event, with its number in the sequence of the room.
public struct SequencedEvent: Hashable, Sendable {
    /// The number of the event among all events of the room, counted from 1.
    public let sequence: Int
    /// The sequence number of the previous event for everybody or, for a private event, of the member's previous
    /// private event. A stand that does not have this previous event knows that it lacks something.
    public let previousSequence: Int
    public let id: RoomEvent.ID
    public let acceptedAt: CalendarTime
    /// The user who made the event; nil if the message to a stand leaves it out to save space.
    public let author: User.ID?
    /// True if the event concerns only the stands of the user who made it.
    public let isPrivate: Bool
    public let act: AcceptedAct

    public init(
        sequence: Int, previousSequence: Int, id: RoomEvent.ID, acceptedAt: CalendarTime, author: User.ID?,
        isPrivate: Bool,
        act: AcceptedAct
    ) {
        self.sequence = sequence
        self.previousSequence = previousSequence
        self.id = id
        self.acceptedAt = acceptedAt
        self.author = author
        self.isPrivate = isPrivate
        self.act = act
    }
}

/// A change that a stand can request.
public enum RoomAct: Hashable, Sendable {
    /// Publishes the room, or withdraws it for preparation.
    case setRoomPublished(Bool)
    case renameRoom(String)
    /// Becomes a member; the room must be visible and its passkey known.
    case joinRoom(Membership.ID)
    /// Gives a member a role other than owner; see ``handOverRoom(_:)``.
    case setRole(User.ID, MemberRole)
    /// Removes a member.
    case expelMember(User.ID)
    /// Lets a removed member return.
    case readmitMember(User.ID)
    /// Makes another member the owner; the previous owner becomes a leader.
    case handOverRoom(User.ID)
    /// Begins a session, with its public layer.
    case beginSession(RehearsalSession.ID, publicLayer: RemarkLayer.ID, performances: [PerformedPassages?])
    case endSession
    /// Takes part in the session with a part on the stand; a member who already takes part only changes the part.
    /// The score is one of the programme; nil for the one with which the room was made.
    case enterSession(SessionParticipation.ID, part: Int, score: Score.ID? = nil)
    case leaveSession
    /// Opens a private layer in the session.
    case openPrivateLayer(RemarkLayer.ID)
    case turnPagesForAll(PageTurnForAll)
    case pinpoint(Pinpoint)
    case endPinpoint
    case placeRemark(Remark)
    case editRemark(RemarkEdit)
    case eraseRemark(Remark.ID)
    /// Undoes the erasing of a remark.
    case restoreRemark(Remark.ID)
    /// Adds a score to the programme.
    case addScore(ProgrammeAddition)
    case dropScore(ProgrammeEntry.ID)
    case moveScore(ProgrammeMove)
    case setAttacca(AttaccaChange)
    /// Opens a score of the programme on all stands. The server adds the piece that the show is at.
    case openScore(ProgrammeEntry.ID, piece: String? = nil)
    /// Lets the room play tonight's programme, or a list of its own again. The server adds the scores.
    case takeEvening(EveningScores)
}

/// An accepted act, with everything that a stand needs to apply it.
public enum AcceptedAct: Hashable, Sendable {
    case setRoomPublished(Bool)
    case renameRoom(String)
    case joinedRoom(Membership)
    case setRole(User.ID, MemberRole)
    case expelMember(User.ID)
    case readmitMember(User.ID)
    case handOverRoom(User.ID)
    case beginSession(RehearsalSession, publicLayer: RemarkLayer)
    case endSession
    case enteredSession(SessionParticipation)
    case leaveSession(User.ID)
    case openPrivateLayer(RemarkLayer)
    case turnPagesForAll(PageTurnForAll)
    case pinpoint(Pinpoint)
    case endPinpoint
    case placeRemark(Remark)
    case editRemark(RemarkEdit)
    case eraseRemark(Remark.ID)
    case addScore(ProgrammeAddition)
    case dropScore(ProgrammeEntry.ID)
    case moveScore(ProgrammeMove)
    case setAttacca(AttaccaChange)
    case openScore(OpenedScore)
    case takeEvening(EveningScores)
}

/// The page to which all stands turn, given as a page of one part. Other parts turn to their page with the first
/// measure of that page.
public struct PageTurnForAll: Hashable, Sendable {
    /// The part, as an index into ``Score/parts``.
    public var part: Int
    /// The page, as an index into ``Part/pages``.
    public var page: Int
    /// The entry of the programme that the leader meant; nil from stands of one score. It stays with the sender's act.
    public var entry: ProgrammeEntry.ID?

    public init(part: Int, page: Int, entry: ProgrammeEntry.ID? = nil) {
        self.part = part
        self.page = page
        self.entry = entry
    }
}

/// A page turn is encoded as the JSON array `[part, page]`, with the entry behind if it is named, because page turns
/// are frequent and their messages should be small.
extension PageTurnForAll: Codable {
    public init(from decoder: any Decoder) throws {
        var pair = try decoder.unkeyedContainer()
        self.init(part: try pair.decode(Int.self), page: try pair.decode(Int.self))
        if !pair.isAtEnd { entry = try pair.decodeIfPresent(ProgrammeEntry.ID.self) }
    }

    public func encode(to encoder: any Encoder) throws {
        var pair = encoder.unkeyedContainer()
        try pair.encode(part)
        try pair.encode(page)
        if let entry { try pair.encode(entry) }
    }
}

extension PageTurnForAll {
    /// Returns the page to which another part turns.
    /// - Returns: nil if either part does not say which measures are on its pages.
    /// - Complexity: O(places).
    public func page(inPart other: Int, of score: Score) -> Int? {
        guard score.parts.indices.contains(part), score.parts.indices.contains(other) else { return nil }
        guard other != part else {
            return (0..<score.parts[part].pageNumberLimit).contains(page) ? page : nil
        }
        guard let place = score.parts[part].firstMeasureBox(fromPage: page) else { return nil }
        return score.parts[other].findMeasureBox(of: place.first, movement: place.movement)?.page
    }
}

/// An event is encoded as a JSON object with its id and its act; stands store undelivered events in this form.
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
