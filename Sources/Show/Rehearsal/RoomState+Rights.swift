/// Decides which acts of a member are accepted.
extension RoomState {
    /// Decides whether a member may do an act.
    /// - Returns: the act as the stands apply it; nil if it changes nothing.
    /// - Throws: ``RoomRefusal`` if it is not allowed or not possible.
    func decideAct(
        _ act: RoomAct, by member: ActingUser, at now: CalendarTime
    ) throws(RoomRefusal) -> AcceptedAct? {
        if case .joinRoom(let id) = act { return try decideJoin(id, member) }
        try checkVisibility(member)
        if case .openPrivateLayer = act, content.session?.isRunning != true { throw .noSession }
        if act.isOnRemark { return acceptedRemarkAct(act) }
        if let act = try decideProgrammeAct(act, by: member) { return act }
        return try decideRoomAct(act, by: member, at: now)
    }

    /// Checks that a member may see the room.
    /// - Throws: ``RoomRefusal`` if this member may not see the room at all.
    func checkVisibility(_ member: ActingUser) throws(RoomRefusal) {
        guard member.hasScoreGrant else { throw .noScoreGrant }
        let isOwner = member.user == content.room.owner
        guard content.room.isPublished || isOwner else { throw .notPublished }
        guard let membership = content.membership(of: member.user) else { throw .notAMember }
        guard membership.status == .joined else { throw .expelled }
    }

    private func decideJoin(_ id: Membership.ID, _ member: ActingUser) throws(RoomRefusal) -> AcceptedAct? {
        guard member.hasScoreGrant else { throw .noScoreGrant }
        let isOwner = member.user == content.room.owner
        guard content.room.isPublished || isOwner else { throw .notPublished }
        if let membership = content.membership(of: member.user) {
            guard membership.status == .joined else { throw .expelled }
            return nil
        }
        guard member.knowsPasskey || content.room.passkeyHash == nil else { throw .wrongPasskey }
        guard content.members.count < RoomLimits.mostMembers else {
            throw .full("members", most: RoomLimits.mostMembers)
        }
        guard !content.members.elements.contains(where: { $0.id == id }) else { throw .usedID }
        return .joinedRoom(
            Membership(id: id, user: member.user, name: member.name, role: .member, status: .joined))
    }

    private func decideRoomAct(
        _ act: RoomAct, by member: ActingUser, at now: CalendarTime
    ) throws(RoomRefusal) -> AcceptedAct? {
        let isOwner = member.user == content.room.owner
        let leads = content.membership(of: member.user)?.role.mayLead ?? false
        switch act {
        case .setRoomPublished(let isPublished):
            guard isOwner else { throw .onlyOwner("publishes it") }
            if content.room.isPublished == isPublished { return nil }
            guard !isPublished || member.mayPublishAnotherRoom else { throw .tooManyPublishedRooms }
            return .setRoomPublished(isPublished)
        case .renameRoom(let text):
            guard isOwner else { throw .onlyOwner("renames it") }
            do throws(RehearsalFault) {
                return .renameRoom(try RoomLimits.validatedName(text, of: .room))
            } catch {
                throw RoomRefusal(error)
            }
        case .setRole(let user, let role):
            guard isOwner else { throw .onlyOwner("gives roles") }
            guard role != .owner, user != content.room.owner else { throw .exactlyOneOwner }
            let old = try requireJoinedMembership(user)
            return old.role == role ? nil : .setRole(user, role)
        case .expelMember(let user):
            guard isOwner else { throw .onlyOwner("puts members out") }
            guard user != content.room.owner else { throw .exactlyOneOwner }
            _ = try requireJoinedMembership(user)
            return .expelMember(user)
        case .readmitMember(let user):
            guard isOwner else { throw .onlyOwner("lets members in again") }
            guard let old = content.membership(of: user) else { throw .noMember }
            return old.status == .joined ? nil : .readmitMember(user)
        case .handOverRoom(let user):
            guard isOwner else { throw .onlyOwner("hands it over") }
            _ = try requireJoinedMembership(user)
            return user == content.room.owner ? nil : .handOverRoom(user)
        case .beginSession(let id, let layer, let performances):
            guard leads else { throw .onlyOwner("begins a session") }
            return try beginSession(id, publicLayer: layer, performances, at: now)
        case .endSession:
            guard leads else { throw .onlyOwner("ends a session") }
            guard content.session?.isRunning == true else { throw .noSession }
            return .endSession
        case .enterSession(let id, let part, let score):
            return try enterSession(id, part: part, of: score ?? content.room.score, member, at: now)
        case .leaveSession:
            guard content.participation(of: member.user) != nil else { throw .notInSession }
            return .leaveSession(member.user)
        case .turnPagesForAll(let turn):
            guard leads else { throw .onlyLeadersTurnPages }
            guard !isMeantForOtherEntry(turn.entry) else { return nil }
            try checkPageExists(page: turn.page, ofPart: turn.part, of: content.programme.openScore)
            return .turnPagesForAll(PageTurnForAll(part: turn.part, page: turn.page))
        case .pinpoint(let pinpoint):
            guard leads else { throw .onlyLeadersPinpoint }
            guard !isMeantForOtherEntry(pinpoint.entry) else { return nil }
            try checkPageExists(page: pinpoint.page, ofPart: pinpoint.part, of: content.programme.openScore)
            if let measure = pinpoint.measure, !RoomLimits.measureNumberRange.contains(measure) {
                throw .noMeasure(measure)
            }
            var shown = pinpoint
            shown.entry = nil
            return .pinpoint(shown)
        case .endPinpoint:
            guard leads else { throw .onlyLeadersPinpoint }
            return content.pinpoint == nil ? nil : .endPinpoint
        case .joinRoom, .openPrivateLayer, .placeRemark, .editRemark, .eraseRemark, .restoreRemark, .addScore,
            .dropScore, .moveScore, .setAttacca, .openScore, .takeEvening:
            return nil
        }
    }

    private func requireJoinedMembership(_ user: User.ID) throws(RoomRefusal) -> Membership {
        guard let membership = content.membership(of: user), membership.status == .joined else {
            throw .noMember
        }
        return membership
    }

    private func beginSession(
        _ id: RehearsalSession.ID, publicLayer: RemarkLayer.ID, _ performances: [PerformedPassages?],
        at now: CalendarTime
    ) throws(RoomRefusal) -> AcceptedAct {
        guard content.session?.isRunning != true else { throw .sessionAlreadyRuns }
        guard performances.count <= RoomLimits.mostMovements else {
            throw .full("movements", most: RoomLimits.mostMovements)
        }
        guard content.session?.id != id, !content.layers.contains(publicLayer) else { throw .usedID }
        guard content.layers.count < RoomLimits.mostLayers else {
            throw .full("layers", most: RoomLimits.mostLayers)
        }
        return .beginSession(
            RehearsalSession(
                id: id, began: now, ended: nil, performances: performances,
                score: named(content.programme.openScore)),
            publicLayer: RemarkLayer(id: publicLayer, session: id, user: nil))
    }

    private func enterSession(
        _ id: SessionParticipation.ID, part: Int, of score: Score.ID, _ member: ActingUser,
        at now: CalendarTime
    ) throws(RoomRefusal) -> AcceptedAct? {
        guard let session = content.session, session.isRunning else { throw .noSession }
        guard pageCounts(of: score)?.indices.contains(part) == true else { throw .noPart(part) }
        if var old = content.participation(of: member.user) {
            guard old.part != part || old.score != named(score) else { return nil }
            old.part = part
            old.score = named(score)
            return .enteredSession(old)
        }
        guard !content.participations.contains(id) else { throw .usedID }
        guard content.participations.count < RoomLimits.mostParticipations else {
            throw .full("participations", most: RoomLimits.mostParticipations)
        }
        return .enteredSession(
            SessionParticipation(
                id: id, session: session.id, user: member.user, part: part, score: named(score),
                entered: now, left: nil)
        )
    }

    /// - Parameter score: one of the programme; nil for the one with which the room was made.
    func checkPageExists(page: Int, ofPart part: Int, of score: Score.ID? = nil) throws(RoomRefusal) {
        let counts = pageCounts(of: score ?? content.room.score) ?? []
        guard counts.indices.contains(part) else { throw .noPart(part) }
        guard (0..<counts[part]).contains(page) else { throw .noPage(page, ofPart: part) }
    }
}
