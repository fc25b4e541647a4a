/// What is in a room, as one looks at it: everything on the server, on a stand what its member may see.
///
/// A stand that takes the events it is sent, in order, holds the same as the server would show it afresh.
public struct RoomContent: Hashable, Sendable, Codable {
    /// Without its passkey on stands.
    public internal(set) var room: Room
    public internal(set) var members: Roll<Membership>
    /// The one that runs, or the last one.
    public internal(set) var session: Session?
    /// Of that session.
    public internal(set) var participations = Roll<Participation>()
    /// Public ones, of all sessions.
    public internal(set) var layers = Roll<Layer>()
    /// On public layers, without the erased ones, the newest last.
    public internal(set) var remarks = Roll<Remark>()
    /// Private layers, on a stand its member's. Apart from the public ones, for their events come apart.
    public internal(set) var ownLayers = Roll<Layer>()
    /// On private layers.
    public internal(set) var ownRemarks = Roll<Remark>()
    /// Where all were told to turn last in this session.
    public internal(set) var turn: PageTurn?
    public internal(set) var pinpoint: Pinpoint?

    /// A room as it begins: its owner is its only member.
    public init(room: Room, owner: Membership.ID, name: String) {
        self.room = room
        members = Roll([
            Membership(id: owner, user: room.owner, name: name, role: .owner, status: .joined)
        ])
    }

    /// A member's standing in the room.
    /// - Complexity: O(1).
    public func membership(of user: User.ID) -> Membership? { members[user] }

    /// Does what an event says. It was taken already, so nothing is checked; what does not fit changes
    /// nothing.
    /// - Complexity: O(1), but O(participations) for leaving.
    public mutating func apply(_ act: TakenAct, at: RoomTime) {
        switch act {
        case .publish(let isPublished): room.isPublished = isPublished
        case .rename(let name): room.name = name
        case .joined(let membership): members.append(membership)
        case .role(let user, let role): members.update(user) { $0.role = role }
        case .expel(let user):
            members.update(user) {
                $0.status = .expelled
                $0.role = .member
            }
            closeParticipations(of: user, at: at)
        case .readmit(let user): members.update(user) { $0.status = .joined }
        case .handOver(let user):
            members.update(room.owner) { $0.role = .leader }
            members.update(user) { $0.role = .owner }
            room.owner = user
        case .begin(let session, let publicLayer):
            self.session = session
            participations = Roll()
            layers.append(publicLayer)
            turn = nil
            pinpoint = nil
        case .endSession:
            session?.ended = at
            closeParticipations(of: nil, at: at)
        case .entered(let participation):
            if !participations.append(participation) {
                participations.update(participation.id) { $0.part = participation.part }
            }
        case .leave(let user): closeParticipations(of: user, at: at)
        case .openLayer(let layer): ownLayers.append(layer)
        case .turn(let turn): self.turn = turn
        case .pinpoint(let pinpoint): self.pinpoint = pinpoint
        case .endPinpoint: pinpoint = nil
        case .place(let remark):
            if ownLayers.contains(remark.layer) { ownRemarks.append(remark) } else { remarks.append(remark) }
        case .edit(let edit):
            if !remarks.update(edit.remark, { edit.apply(to: &$0) }) {
                ownRemarks.update(edit.remark) { edit.apply(to: &$0) }
            }
        case .erase(let id):
            if remarks.remove(id) == nil { ownRemarks.remove(id) }
        }
    }

    /// On whichever layer it is.
    public func remark(_ id: Remark.ID) -> Remark? { remarks[id] ?? ownRemarks[id] }

    /// Public or private.
    public func layer(_ id: Layer.ID) -> Layer? { layers[id] ?? ownLayers[id] }

    /// - Parameter user: nil for everybody.
    private mutating func closeParticipations(of user: User.ID?, at: RoomTime) {
        for one in participations.elements where one.left == nil && (user == nil || one.user == user) {
            participations.update(one.id) { $0.left = at }
        }
    }

    /// The participation that is not over.
    /// - Complexity: O(participations).
    public func participation(of user: User.ID) -> Participation? {
        participations.elements.last { $0.user == user && $0.left == nil }
    }

    /// What one member may see of it: no passkey, and no private layer but their own.
    /// - Complexity: O(content).
    public func visible(to user: User.ID) -> RoomContent {
        var seen = self
        seen.room = room.withoutPasskey
        seen.ownLayers = Roll(ownLayers.elements.lazy.filter { $0.user == user })
        seen.ownRemarks = Roll(ownRemarks.elements.lazy.filter { seen.ownLayers.contains($0.layer) })
        return seen
    }

    /// The act that takes another back, asked for before that one is made; nil where it cannot be undone.
    public func inverse(of act: RoomAct) -> RoomAct? {
        switch act {
        case .place(let remark): .erase(remark.id)
        case .restore(let id): .erase(id)
        case .erase(let id): .restore(id)
        case .edit(let edit): remark(edit.remark).map { .edit(edit.inverse(for: $0)) }
        default: nil
        }
    }
}
