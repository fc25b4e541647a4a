import Catalogue
import Hosting
import Rehearsal
import WebServer

/// Connects and disconnects stands, and sends the messages with which each stand begins.
extension RoomActor {
    /// Time after which a stream that the web server has not begun to write is closed: its browser has gone.
    private static let unservedStreamTimeout: Duration = .seconds(15)

    /// Connects a stand. It receives the events that it missed, or the whole room, and then every new event.
    /// - Parameters:
    ///   - seen: the newest event that the stand holds; nil if it holds nothing.
    ///   - settings: this user's stored settings for this score, if there are any.
    func connectStand(
        _ key: StandKey, _ person: RehearsalRoomUser, _ member: ActingUser, seen: EventCursor?,
        score: Rehearsal.Score?,
        settings: StandSettings?, knowsProgrammes: Bool = true, stream: PersonalStream
    ) async throws(Refusal) {
        try await reloadIfNeeded()
        adoptScoreEdition(score)
        stands[key]?.stream.close()
        var stand = Stand(
            person: person, actingUser: member, stream: stream, openedAt: .now,
            sequenceAtConnection: state.sequence,
            isAdmitted: true, knowsProgrammes: knowsProgrammes)
        let writeFailuresBefore = roomWriteFailureCount
        let missed: CatchUpAnswer
        do throws(RoomRefusal) {
            missed = try state.catchUp(from: seen, for: member)
            if !knowsProgrammes, state.content.programme.isSeveral { throw .pageKnowsOneScore }
        } catch {
            stand.isAdmitted = false
            stands[key] = stand
            hasStandsOrSession.withLock { $0 = true }
            stream.sendFirstMessages([EncodedStreamMessage(RoomJSON.encode(RoomMessage.refused(nil, error)))])
            return
        }
        stands[key] = stand
        hasStandsOrSession.withLock { $0 = true }
        restoreShownPart(key, settings)
        // The stand is in `stands` before this wait, so it misses no event: events that are sent meanwhile wait in the
        // stream, after its first messages.
        let first = await catchUpFrames(missed, for: member)
        guard await waitUntilRoomEventsWritten(), roomWriteFailureCount == writeFailuresBefore else {
            stream.close()
            throw .roomUnavailable
        }
        if let liveUpdate {
            stream.replaceSlotValue(Stand.StreamSlot.liveUpdate, liveUpdateFrame(liveUpdate))
        }
        stream.sendFirstMessages(first)
        scheduleNextPageTurn()
    }

    private func catchUpFrames(_ missed: CatchUpAnswer, for member: ActingUser) async
        -> [EncodedStreamMessage]
    {
        switch missed {
        case .events(let events):
            guard !events.isEmpty else { return [] }
            return await Task.detached {
                events.map { EncodedStreamMessage(RoomJSON.encode(RoomMessage.acceptedEvent($0))) }
            }.value
        case .snapshot(let snapshot):
            guard !snapshot.isReset else { return [await Self.encodeSnapshot(snapshot).value] }
            if let encodedSnapshot, encodedSnapshot.seen == snapshot.seen {
                return [await encodedSnapshot.frame.value]
            }
            let making = Self.encodeSnapshot(snapshot)
            encodedSnapshot = (snapshot.seen, making)
            return [await making.value]
        }
    }

    /// Encodes a snapshot outside the room's actor, because a room may be large and page turns must not wait.
    private static func encodeSnapshot(_ snapshot: RoomSnapshot) -> Task<EncodedStreamMessage, Never> {
        Task.detached { EncodedStreamMessage(RoomJSON.encode(RoomMessage.snapshot(snapshot))) }
    }

    /// Adopts a new edition of the score, or the first one, and lays out all stands again.
    /// - Parameter new: nil if the score has been removed; the stands then keep the edition that they show.
    func adoptScoreEdition(_ new: Rehearsal.Score?) {
        guard let new, new != scores[new.id] else { return }
        let isFirst = score == nil
        // The library has it again: its remarks may wait here.
        if scores[new.id] == nil { isCarryDue = true }
        scores[new.id] = new
        state.renew(pageCounts: new.pageCountsByPart, of: new.id)
        guard new.id == openScoreID else { return }
        encodedSnapshot = nil
        replanPageTurns()
        if let liveUpdate, let performancePosition {
            turnAllStands(by: liveUpdate, at: performancePosition.showTime)
        }
        scheduleNextPageTurn()
        guard !isFirst else { return }
        queueMessage(
            .event, EncodedStreamMessage(RoomJSON.encode(RoomMessage.scoreChanged)),
            stands.values.lazy.filter(\.isAdmitted).map(\.stream))
    }

    /// Removes a stand whose connection has ended, unless the same stand has connected again in the meantime.
    func disconnectStand(_ key: StandKey, _ stream: PersonalStream) {
        guard stands[key]?.stream === stream else { return }
        stands[key] = nil
        hasStandsOrSession.withLock { $0 = needsPerformancePosition }
    }

    /// Sets the part, page and settings of a stand, also for the stand's next connection.
    func setUpStand(_ key: StandKey, _ setup: StandSetup, by member: ActingUser) async throws(Refusal) {
        try await reloadIfNeeded()
        try requireVisibility(member)
        let named = setup.score ?? openScoreID
        guard let part = scores[named]?.parts[safe: setup.part] else { throw .noPart(setup.part) }
        var setup = setup
        setup.settings = setup.settings.withBoundedPageLeads
        guard named == openScoreID else {
            // Another score is open by now: what was set counts when this one is opened again.
            queueSettings(setup.settings, of: key.user, in: named)
            guard await waitUntilAllWritten() else { throw .roomUnavailable }
            return
        }
        standSetups[key] = setup
        let shownPart = stands[key]?.shownPart
        let hasNewerPage = shownPart?.part == setup.part && shownPart?.hasBeenTurned == true
        queueSettings(setup.settings, of: key.user, in: named)
        if hasNewerPage {
            startWriting()
        } else {
            recordShownPage(
                min(max(setup.page, 0), part.pageNumberLimit - 1), ofPart: setup.part, by: key.user)
        }
        showPart(setup.part, page: setup.page, setup.settings, on: key)
        scheduleNextPageTurn()
        guard await waitUntilAllWritten() else { throw .roomUnavailable }
    }

    /// Checks that a member may see the room.
    /// - Throws: ``Refusal/refused(_:)`` if the member may not.
    func requireVisibility(_ member: ActingUser) throws(Refusal) {
        do throws(RoomRefusal) { try checkVisibility(member) } catch { throw .refused(error) }
    }

    /// Sends a heartbeat to all stands, every two seconds, and closes streams that no browser has fetched.
    func sendHeartbeat(_ frame: EncodedStreamMessage) {
        PersonalStream.replaceSlotValue(
            Stand.StreamSlot.heartbeat, frame, of: stands.values.lazy.map(\.stream))
        for stand in stands.values where !stand.stream.hasConnection {
            if .now - stand.openedAt > Self.unservedStreamTimeout { stand.stream.close() }
        }
    }

    /// The users of all connected stands. Their rights to the score are checked at intervals.
    var standUsers: [RehearsalRoomUser] { Array(Set(stands.values.map(\.person))) }

    /// Updates a user's rights to the scores, and opens or closes the room for the user's stands accordingly.
    func setScoreGrants(_ holds: Bool, without withheld: Set<Rehearsal.Score.ID>, of user: Rehearsal.User.ID)
    {
        for (key, stand) in stands where key.user == user {
            stands[key]?.actingUser.withheldScores = withheld
            guard stand.actingUser.hasScoreGrant != holds else { continue }
            stands[key]?.actingUser.hasScoreGrant = holds
            var member = stand.actingUser
            member.hasScoreGrant = holds
            member.withheldScores = withheld
            do throws(RoomRefusal) {
                try checkVisibility(member)
                if !stand.isAdmitted { stand.stream.close() }
            } catch {
                revokeAccess(key, error)
            }
        }
    }

    // MARK: Queries

    /// Ids of the users who have a stand connected now and admitted to the room. A participation does not prove a
    /// connection, because it lasts until its member leaves, even while the stand is switched off.
    /// - Throws: if the asking member may not see the room.
    func connectedUsers(for member: ActingUser) throws(Refusal) -> [Rehearsal.User.ID] {
        try requireVisibility(member)
        return Set(stands.filter(\.value.isAdmitted).map(\.key.user)).sorted {
            $0.description < $1.description
        }
    }

    /// True if a conductor who points at a bar moves the show's follower now. Then the show is in rehearsal mode with a
    /// piece of this room's score, and the room's owner works on the concert.
    var pinpointMovesFollower: Bool {
        get async {
            guard performancePosition?.pinpointsMoveFollower == true else { return false }
            return await dependencies.worksOnConcert(state.content.room.owner)
        }
    }

    /// Makes this room's entry in one user's list of rooms.
    /// - Parameter stand: the stand that asks for the list, if it has identified itself.
    func makeHomeEntry(
        for user: Rehearsal.User.ID, holds: Bool, asking stand: ObjectID<Stand>? = nil
    ) -> RoomHomeEntry {
        guard holds else { return RoomHomeEntry() }
        let bundle = Rehearsal.ScoreGrant(id: .init(high: 0, low: 0), user: user, score: openScoreID)
        return RoomHomeEntry(
            roomLists: RoomLists(of: user, rooms: [state], bundles: [bundle]),
            resumePoint: resumePoint(of: user, asking: stand), liveUpdate: liveUpdate)
    }

    /// The page to which the user returns. Its time is nil if another stand may have set the page: another connected
    /// device of the same user, or any device on a server without sign-in.
    private func resumePoint(of user: Rehearsal.User.ID, asking stand: ObjectID<Stand>?) -> StandResumePoint?
    {
        var there = state.resumePoint(of: user)
        let hasOther = stands.keys.contains { $0.user == user && $0.stand != stand }
        if user == RehearsalRoomUser.idWithoutSignIn || hasOther { there?.at = nil }
        return there
    }

    /// Lists the members of the room.
    /// - Throws: if the asking member may not see the room.
    func members(for member: ActingUser) throws(Refusal) -> [Membership] {
        do throws(RoomRefusal) { try checkVisibility(member) } catch { throw .refused(error) }
        return state.content.members.elements
    }

    /// The public remarks to print for a member.
    /// - Throws: if the asking member may not see the room.
    /// - Parameter score: whose remarks; the open one if nil.
    func remarksToPrint(
        for member: ActingUser, in score: Rehearsal.Score.ID? = nil
    ) throws(Refusal) -> [Remark] {
        try requireVisibility(member)
        let wanted = score ?? openScoreID
        guard member.mayOpen(wanted) else { throw .refused(.scoreNotGiven) }
        return state.content.remarks.elements.filter { ($0.score ?? state.content.room.score) == wanted }
    }
}

/// One room's contribution to the home page of a stand: the user's lists, the page to return to, and the live position.
struct RoomHomeEntry: Sendable {
    var roomLists: RoomLists?
    var resumePoint: StandResumePoint?
    var liveUpdate: LivePositionUpdate?
}
