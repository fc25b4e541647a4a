/// The contents of a room. The server holds all of them; a stand holds only what its member may see.
///
/// A stand that applies the events it receives, in order, has the same contents as a new snapshot from the server.
public struct RoomContent: Hashable, Sendable {
    /// The room itself; on stands without its passkey hash.
    public internal(set) var room: RehearsalRoom
    public internal(set) var members: KeyedList<Membership>
    /// The scores that the room plays, and which one is open.
    public internal(set) var programme: RoomProgramme
    /// The running session, or else the last one.
    public internal(set) var session: RehearsalSession?
    /// The participations in the running or last session.
    public internal(set) var participations = KeyedList<SessionParticipation>()
    /// The public layers of all sessions.
    public internal(set) var layers = KeyedList<RemarkLayer>()
    /// The remarks on public layers, without erased ones; the newest is last.
    public internal(set) var remarks = KeyedList<Remark>()
    /// The last page to which everybody was turned in this session.
    public internal(set) var turn: PageTurnForAll?
    public internal(set) var pinpoint: Pinpoint?

    /// Creates a room whose only member is its owner.
    public init(room: RehearsalRoom, owner: Membership.ID, name: String) {
        self.room = room
        programme = RoomProgramme(ofRoom: room)
        members = KeyedList([
            Membership(id: owner, user: room.owner, name: name, role: .owner, status: .joined)
        ])
    }

    /// Returns a user's membership in the room.
    /// - Complexity: O(1).
    public func membership(of user: User.ID) -> Membership? { members[user] }

    /// Applies an event that was already accepted, without checks; an event that does not fit changes nothing.
    /// - Complexity: O(1); O(participations) for leaving.
    public mutating func applyAcceptedAct(_ act: AcceptedAct, at: CalendarTime) {
        switch act {
        case .setRoomPublished(let isPublished): room.isPublished = isPublished
        case .renameRoom(let name): room.name = name
        case .joinedRoom(let membership): members.append(membership)
        case .setRole(let user, let role): members.update(user) { $0.role = role }
        case .expelMember(let user):
            members.update(user) {
                $0.status = .expelled
                $0.role = .member
            }
            closeParticipations(of: user, at: at)
        case .readmitMember(let user): members.update(user) { $0.status = .joined }
        case .handOverRoom(let user):
            members.update(room.owner) { $0.role = .leader }
            members.update(user) { $0.role = .owner }
            room.owner = user
        case .beginSession(let session, let publicLayer):
            self.session = session
            participations = KeyedList()
            layers.append(publicLayer)
            turn = nil
            pinpoint = nil
        case .endSession:
            session?.ended = at
            closeParticipations(of: nil, at: at)
        case .enteredSession(let participation):
            if !participations.append(participation) {
                participations.update(participation.id) {
                    $0.part = participation.part
                    $0.score = participation.score
                }
            }
        case .leaveSession(let user): closeParticipations(of: user, at: at)
        case .openPrivateLayer: break
        case .turnPagesForAll(let turn): self.turn = turn
        case .pinpoint(let pinpoint): self.pinpoint = pinpoint
        case .endPinpoint: pinpoint = nil
        case .placeRemark(let remark):
            remarks.append(remark)
        case .editRemark(let edit): remarks.update(edit.remark) { edit.apply(to: &$0) }
        case .eraseRemark(let id): remarks.remove(id)
        case .addScore(let addition): programme.add(addition)
        case .dropScore(let id): programme.drop(id)
        case .moveScore(let move): programme.move(move)
        case .setAttacca(let change): programme.setAttacca(change)
        case .takeEvening(let evening): programme.take(evening)
        case .openScore(let opened):
            programme.open(opened)
            // Both name pages of the score before.
            turn = nil
            pinpoint = nil
        }
    }

    /// Ends the present participation of a user.
    /// - Parameter user: nil for all users.
    private mutating func closeParticipations(of user: User.ID?, at: CalendarTime) {
        for one in participations.elements where one.left == nil && (user == nil || one.user == user) {
            participations.update(one.id) { $0.left = at }
        }
    }

    /// Returns a user's present participation.
    /// - Complexity: O(participations).
    public func participation(of user: User.ID) -> SessionParticipation? {
        participations.elements.last { $0.user == user && $0.left == nil }
    }

    /// The contents that members may see: without the passkey.
    var visible: RoomContent {
        var seen = self
        seen.room = room.withoutPasskey
        return seen
    }
}

/// A room whose programme is only its own score is encoded as it was before there were programmes.
extension RoomContent: Codable {
    private enum CodingKeys: String, CodingKey {
        case room, members, session, participations, layers, remarks, ownLayers, ownRemarks, turn, pinpoint,
            programme, open, openedDuring, evening, players
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        room = try fields.decode(RehearsalRoom.self, forKey: .room)
        members = try fields.decode(KeyedList<Membership>.self, forKey: .members)
        session = try fields.decodeIfPresent(RehearsalSession.self, forKey: .session)
        participations = try fields.decode(KeyedList<SessionParticipation>.self, forKey: .participations)
        layers = try fields.decode(KeyedList<RemarkLayer>.self, forKey: .layers)
        remarks = try fields.decode(KeyedList<Remark>.self, forKey: .remarks)
        turn = try fields.decodeIfPresent(PageTurnForAll.self, forKey: .turn)
        pinpoint = try fields.decodeIfPresent(Pinpoint.self, forKey: .pinpoint)
        programme = RoomProgramme(ofRoom: room)
        let entries = try fields.decodeIfPresent([ProgrammeEntry].self, forKey: .programme) ?? []
        guard let first = entries.first else { return }
        let stored = RoomProgramme(
            entries: entries,
            openID: try fields.decodeIfPresent(ProgrammeEntry.ID.self, forKey: .open) ?? first.id,
            openedDuringPiece: try fields.decodeIfPresent(String.self, forKey: .openedDuring),
            isEvening: try fields.decodeIfPresent(Bool.self, forKey: .evening) ?? false,
            players: try fields.decodeIfPresent(EveningPlayers.self, forKey: .players))
        if let stored { programme = stored }
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(room, forKey: .room)
        try fields.encode(members, forKey: .members)
        try fields.encodeIfPresent(session, forKey: .session)
        try fields.encode(participations, forKey: .participations)
        try fields.encode(layers, forKey: .layers)
        try fields.encode(remarks, forKey: .remarks)
        // Private remarks were the room's once; programs that read them find none.
        try fields.encode([Remark](), forKey: .ownLayers)
        try fields.encode([Remark](), forKey: .ownRemarks)
        try fields.encodeIfPresent(turn, forKey: .turn)
        try fields.encodeIfPresent(pinpoint, forKey: .pinpoint)
        guard programme != RoomProgramme(ofRoom: room) else { return }
        try fields.encode(programme.entries, forKey: .programme)
        try fields.encode(programme.openID, forKey: .open)
        try fields.encodeIfPresent(programme.openedDuringPiece, forKey: .openedDuring)
        if programme.isEvening { try fields.encode(true, forKey: .evening) }
        try fields.encodeIfPresent(programme.players, forKey: .players)
    }
}
